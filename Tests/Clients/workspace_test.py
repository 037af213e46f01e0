"""The changes of all files."""

import asyncio
import signal
import uuid

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from client import PATIENCE
from text import NOVEL


# Some files in the workspace's folder.
def _write(client, count=3, times=1):
    for number in range(count):
        text = f"# Chapter {number}\n\n" + f"A {{++new {number}++}} word.\n" * times
        (client.folder / f"{number}.md").write_text(text)


# Asks for the changes that match; with a token where the client shows progress.
async def _search(client, query, token=None):
    params = types.WorkspaceSymbolParams(query, work_done_token=token)
    return await client.workspace_symbol_async(params)


async def changes_of_all_files_are_found(client):
    if not client.server.workspace_symbol_provider:
        assert client.capabilities.workspace.symbol is None
        return
    _write(client)
    client.open(NOVEL, (client.folder / "novel.md").as_uri())
    token = str(uuid.uuid4())
    client.progress_reports[token] = []
    found = await _search(client, "", token)
    assert [symbol.name for symbol in found][:3] == [f"Added “new {number}”" for number in range(3)]
    assert len(found) == 3 + 5
    assert found[1].container_name == "1.md › Chapter 1"
    assert found[1].location.uri == (client.folder / "1.md").as_uri()
    assert found[1].location.range.start == types.Position(2, 2)
    kinds = [type(report) for report in client.progress_reports[token]]
    assert kinds[0] is types.WorkDoneProgressBegin and kinds[-1] is types.WorkDoneProgressEnd
    assert [symbol.name for symbol in await _search(client, "new 2")] == ["Added “new 2”"]


async def files_that_change_are_looked_at_again(client):
    if not client.server.workspace_symbol_provider:
        return
    _write(client)
    assert len(await _search(client, "")) == 3
    watched = client.capabilities.workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        assert types.WORKSPACE_DID_CHANGE_WATCHED_FILES in client.registered
    (client.folder / "0.md").write_text("A {--lost--} word.\n")
    (client.folder / "2.md").unlink()
    changes = [types.FileEvent((client.folder / "0.md").as_uri(), types.FileChangeType.Changed),
               types.FileEvent((client.folder / "2.md").as_uri(), types.FileChangeType.Deleted)]
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
    # Where the client is not asked to watch, the server looks by itself, but not all the time.
    async with asyncio.timeout(PATIENCE):
        while (found := [symbol.name for symbol in await _search(client, "")]) != ["Deleted “lost”", "Added “new 1”"]:
            assert found == ["Added “new 0”", "Added “new 1”", "Added “new 2”"]
            await asyncio.sleep(0.1)


async def folders_come_and_go(client, tmp_path_factory):
    if not client.server.workspace_symbol_provider:
        return
    _write(client)
    assert client.server.workspace.workspace_folders.change_notifications
    other = tmp_path_factory.mktemp("other")
    (other / "other.md").write_text("A {==bright==} word.\n")
    event = types.WorkspaceFoldersChangeEvent(
        added=[types.WorkspaceFolder(other.as_uri(), "other")],
        removed=[types.WorkspaceFolder(client.folder.as_uri(), "novel")])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    assert [symbol.name for symbol in await _search(client, "")] == ["Highlighted “bright”"]


async def each_folder_has_settings_of_its_own(client, tmp_path_factory):
    if not client.capabilities.workspace.configuration:
        return
    other = tmp_path_factory.mktemp("other")
    documents = [client.open("One.\n", (folder / "own.md").as_uri()) for folder in (client.folder, other)]
    client.set_configuration({"tracking": "off"}, section="critic", scope_uri=other.as_uri())
    event = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(other.as_uri(), "other")], [])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await client.until(lambda: any("The settings in" in note.message for note in client.log_messages), "a note")
    assert [(await client.command("status", document))["tracking"] for document in documents] == [True, False]
    event = types.WorkspaceFoldersChangeEvent([], [types.WorkspaceFolder(other.as_uri(), "other")])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    assert (await client.command("status", documents[1]))["tracking"] is True


# A text that the server gives as a document of its own, by its URI.
async def _content(client, uri):
    return (await client.workspace_text_document_content_async(types.TextDocumentContentParams(uri))).text


async def the_clean_and_the_original_text_are_documents_of_their_own(client):
    promise = client.server.workspace and client.server.workspace.text_document_content
    if not promise:
        assert client.capabilities.workspace.text_document_content is None
        assert "critic.show" not in client.server.execute_command_provider.commands
        return
    assert list(promise.schemes) == ["critic"]
    novel = client.open(NOVEL, (client.folder / "my novel.md").as_uri())
    uris = {}
    for variant in ("clean", "original"):
        uri = uris[variant] = await client.command("show", novel, variant=variant)
        assert uri.startswith(f"critic://{variant}/") and uri.endswith("/my%20novel.md")
        assert client.shown_documents[-1].uri == uri and client.shown_documents[-1].selection is None
        assert await _content(client, uri) == await client.command("export", novel, variant=variant)
    # The client has it as a document, which is left alone.
    client.open("{++x++}\n", uris["clean"])
    novel.edit("brown", "red")
    await client.until(lambda: client.outdated, "the clean text is to be asked for again")
    assert client.outdated == [uris["clean"]]
    assert "very red fox" in await _content(client, uris["clean"])
    assert uris["clean"] not in client.diagnostics


async def the_texts_of_a_file_that_is_not_open_are_read_but_no_others(client, tmp_path_factory):
    if not (client.server.workspace and client.server.workspace.text_document_content):
        return
    _write(client)
    other = tmp_path_factory.mktemp("other")
    (other / "other.md").write_text("A {==bright==} word.\n")
    (client.folder / "link").symlink_to(other)
    start = client.folder.as_uri().replace("file://", "critic://clean")
    assert await _content(client, f"{start}/1.md") == "# Chapter 1\n\nA new 1 word.\n"
    for path in ("link/other.md", f"../{other.name}/other.md", "nothing.md"):
        with pytest.raises(JsonRpcException) as refused:
            await _content(client, f"{start}/{path}")
        assert refused.value.code == types.LSPErrorCodes.RequestFailed.value


async def the_lists_of_all_files_are_pulled(client):
    if not client.server.diagnostic_provider:
        return
    assert client.server.diagnostic_provider.workspace_diagnostics
    _write(client)
    novel = client.open(NOVEL, (client.folder / "novel.md").as_uri())
    report = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
    lists = {item.uri: item for item in report.items}
    assert len(lists) == 4 and lists[novel.uri].version == novel.version
    assert [len(item.items) for item in lists.values()].count(1) == 3 and len(lists[novel.uri].items) == 5
    known = [types.PreviousResultId(uri, item.result_id) for uri, item in lists.items()]
    again = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(known))
    assert {item.kind for item in again.items} == {"unchanged"}
    novel.edit("lazy", "crazy")
    await client.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in client.refreshes
                       or not client.capabilities.workspace.diagnostics, "the lists are to be asked for again")


async def the_lists_of_all_files_come_in_parts_where_they_may(client):
    if not client.server.diagnostic_provider:
        return
    _write(client)
    client.partial_results["parts"] = parts = []
    params = types.WorkspaceDiagnosticParams([], partial_result_token="parts")
    report = await client.workspace_diagnostic_async(params)
    files = [item["uri"] for part in parts for item in part["items"]] + [item.uri for item in report.items]
    assert sorted(files) == [(client.folder / f"{number}.md").as_uri() for number in range(3)] and parts


# A search that is cancelled by `cancel`.
async def _cancelled(client, cancel, **named):
    search = client.protocol.send_request(types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("", **named), msg_id="search")
    await cancel()
    client._server.send_signal(signal.SIGCONT)
    with pytest.raises(JsonRpcException) as refused:
        await asyncio.wrap_future(search)
    assert refused.value.code == types.LSPErrorCodes.RequestCancelled.value


async def a_search_can_be_cancelled(client):
    if not client.server.workspace_symbol_provider:
        return
    _write(client)
    # Held up, it finds both messages at once.
    client._server.send_signal(signal.SIGSTOP)

    async def cancel():
        client.cancel_request(types.CancelParams("search"))

    await _cancelled(client, cancel)
    assert len(await _search(client, "")) == 3


async def a_search_that_shows_its_progress_can_be_cancelled_there(client):
    if not client.server.workspace_symbol_provider:
        return
    _write(client)
    client.progress_reports["progress"] = reports = []
    client._server.send_signal(signal.SIGSTOP)

    async def cancel():
        client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("progress"))

    await _cancelled(client, cancel, work_done_token="progress")
    assert [type(report) for report in reports] == [types.WorkDoneProgressBegin, types.WorkDoneProgressEnd]
    assert len(await _search(client, "")) == 3


async def a_long_search_shows_its_progress_by_itself(client):
    watched = client.capabilities.workspace.did_change_watched_files
    if not client.server.workspace_symbol_provider or not watched or not watched.dynamic_registration:
        return
    _write(client, count=1000, times=100)

    async def cancel():
        # The server is at it; held up, it will find that it takes long.
        await client.until(lambda: types.WORKSPACE_DID_CHANGE_WATCHED_FILES in client.registered, "it is to begin")
        client._server.send_signal(signal.SIGSTOP)
        await asyncio.sleep(0.6)
        client._server.send_signal(signal.SIGCONT)
        await client.until(lambda: any(client.progress_reports.values()), "progress is to begin")
        token, = client.progress_reports
        client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))

    await _cancelled(client, cancel)
    reports, = client.progress_reports.values()
    assert reports[0].title == "Looking for changes" and reports[0].cancellable
    await client.until(lambda: isinstance(reports[-1], types.WorkDoneProgressEnd), "it is to end")
