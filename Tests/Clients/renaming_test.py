"""What lies beside a text follows it to a new name, in whatever order a client tells of that, and goes on under another."""

import asyncio

import pytest
from lsprotocol import types

MARKED = "A {++red ++}hen {--slowly --}ran. 🦊{>>@jo: fine?<<}\n"
CLEAN = "A red hen ran. 🦊\n"

# What clients say of one rename: Helix, VS Code, clients without `willRename`, and those that say no more than that.
ORDERS = {
    "told first, opened, told": ("will", "rename", "close", "open", "did"),
    "told first, told, opened": ("will", "rename", "did", "close", "open"),
    "opened, told": ("rename", "close", "open", "did"),
    "opened under both names, told": ("rename", "open", "close", "did"),
    "told, opened": ("rename", "did", "close", "open"),
    "told first, opened": ("will", "rename", "close", "open"),
    "not told": ("rename", "close", "open"),
}
# What they say of a text that is saved under another name: Neovim and Emacs, VS Code, and others.
SAVING_ORDERS = {
    "closed, opened, saved": ("close", "open", "save"),
    "opened, closed, saved": ("open", "close", "save"),
    "opened, saved": ("open", "save"),
}


def _pair(client, name="draft.md", text=CLEAN, sidecar=MARKED):
    path = client.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    beside = path.with_name(path.name + ".critic")
    if sidecar:
        beside.write_text(sidecar)
    return path, beside


def _renamed(old, new):
    return types.RenameFilesParams([types.FileRename(old.as_uri(), new.as_uri())])


async def _tell(client, *pairs):
    """Tells of renames, and waits until that was taken in."""
    files = [types.FileRename(old.as_uri(), new.as_uri()) for old, new in pairs]
    client.workspace_did_rename_files(types.RenameFilesParams(files))
    await client.workspace_will_rename_files_async(types.RenameFilesParams([]))


def _saved(client, document, path):
    path.write_text(document.text)
    client.text_document_did_save(types.DidSaveTextDocumentParams(document.identifier))


@pytest.mark.parametrize("is_typed_between", (False, True), ids=("at rest", "typed between"))
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def an_open_document_goes_on_under_its_new_name(client, order, is_typed_between):
    path, beside = _pair(client)
    new, new_beside = path.with_name("chapter.md"), path.with_name("chapter.md.critic")
    draft = client.open(CLEAN, path.as_uri())
    assert (await client.command("status", draft))["changes"] == 2
    # It is not saved when it is renamed.
    draft.type("fat ", before="hen")
    renamed = None
    for step in order:
        if step == "will":
            edit = await client.workspace_will_rename_files_async(_renamed(path, new))
            # Not null: lsp-mode would not rename the file.
            assert edit is not None and not edit.changes and not edit.document_changes
        elif step == "rename":
            path.rename(new)
        elif step == "close":
            client.text_document_did_close(types.DidCloseTextDocumentParams(draft.identifier))
        elif step == "open":
            renamed = client.open(draft.text, new.as_uri())
            if is_typed_between:
                renamed.type("old ", before="hen")
        elif step == "did":
            client.workspace_did_rename_files(_renamed(path, new))
    expected = MARKED.replace("++}hen", "fat old ++}hen" if is_typed_between else "fat ++}hen")
    status = await client.command("status", renamed)
    assert (status["marks"], status["changes"]) == ("beside", 2)
    assert not beside.exists()
    _saved(client, renamed, new)
    await client.until(lambda: new_beside.read_text() == expected, "what was changed is in the sidecar")
    assert renamed.text == new.read_text()
    assert sorted(file.name for file in client.folder.iterdir()) == ["chapter.md", "chapter.md.critic"]


async def what_is_not_open_is_moved_too_and_folders_move_by_themselves(client):
    path, beside = _pair(client)
    folder = client.folder / "part"
    folder.mkdir()
    new = folder / "end.md"
    path.rename(new)
    await _tell(client, (path, new))
    assert not beside.exists()
    assert (folder / "end.md.critic").read_text() == MARKED
    moved = client.folder / "last"
    folder.rename(moved)
    await _tell(client, (folder, moved), (new, moved / "end.md"))
    assert (moved / "end.md.critic").read_text() == MARKED
    draft = client.open(CLEAN, (moved / "end.md").as_uri())
    assert (await client.command("status", draft))["changes"] == 2
    assert not client.messages


async def a_backup_of_an_open_text_takes_nothing_along(client):
    path, beside = _pair(client)
    backup = path.with_name("draft.md~")
    draft = client.open(CLEAN, path.as_uri())
    draft.type("fat ", before="hen")
    await client.workspace_will_rename_files_async(_renamed(path, backup))
    path.rename(backup)
    await _tell(client, (path, backup))
    _saved(client, draft, path)
    expected = MARKED.replace("++}hen", "fat ++}hen")
    await client.until(lambda: beside.read_text() == expected, "the sidecar is written where it was")
    path.unlink()
    client.text_document_did_close(types.DidCloseTextDocumentParams(draft.identifier))
    await client.workspace_will_rename_files_async(types.RenameFilesParams([]))
    assert beside.read_text() == expected
    assert not client.messages


async def a_copy_of_a_text_takes_nothing_along(client):
    path, beside = _pair(client)
    draft = client.open(CLEAN, path.as_uri())
    client.text_document_did_close(types.DidCloseTextDocumentParams(draft.identifier))
    copy = path.with_name("copy.md")
    copy.write_text(CLEAN)
    draft = client.open(CLEAN, copy.as_uri())
    assert (await client.command("status", draft))["changes"] == 0
    assert beside.read_text() == MARKED


@pytest.mark.parametrize("is_moved", (False, True), ids=("not renamed", "moved with it"))
async def nothing_is_moved_that_need_not_be(client, is_moved):
    path, beside = _pair(client)
    new, new_beside = path.with_name("chapter.md"), path.with_name("chapter.md.critic")
    if is_moved:
        path.rename(new)
        beside.rename(new_beside)
    else:
        new.write_text(CLEAN)
    await _tell(client, (path, new))
    assert beside.exists() != is_moved and new_beside.exists() == is_moved
    assert not client.messages


async def a_sidecar_that_is_there_is_not_replaced(client):
    path, beside = _pair(client)
    new, new_beside = _pair(client, "chapter.md", sidecar=MARKED.replace("fine", "mine"))
    path.rename(new)
    await _tell(client, (path, new))
    assert beside.read_text() == MARKED
    assert "mine" in new_beside.read_text()
    await client.until(lambda: client.messages, "the writer is told")
    assert [message.message for message in client.messages] == ["draft.md.critic not moved; see the log."]


async def what_is_left_of_a_deleted_text_is_told_and_kept(client):
    path, beside = _pair(client)
    plain, _ = _pair(client, "plain.md", sidecar=None)
    for file in (path, plain):
        file.unlink()
    files = [types.FileDelete(file.as_uri()) for file in (plain, path)]
    client.workspace_did_delete_files(types.DeleteFilesParams(files))
    await client.until(lambda: client.messages, "the writer is told")
    assert [message.message for message in client.messages] == ["draft.md.critic is still there."]
    assert beside.read_text() == MARKED


async def _saved_as(client, draft, order=SAVING_ORDERS["closed, opened, saved"], pause=0):
    """Saves a document as `chapter.md`; the document there, and its sidecar."""
    new = client.folder / "chapter.md"
    new.write_text(draft.text)
    for step in order:
        if step == "close":
            client.text_document_did_close(types.DidCloseTextDocumentParams(draft.identifier))
        elif step == "open":
            chapter = client.open(draft.text, new.as_uri())
        elif step == "save":
            await asyncio.sleep(pause)
            _saved(client, chapter, new)
    await client.command("status", chapter)
    return chapter, new.with_name("chapter.md.critic")


@pytest.mark.parametrize("order", SAVING_ORDERS.values(), ids=SAVING_ORDERS)
async def a_text_goes_on_with_its_changes_where_it_is_saved_under_another_name(client, order):
    path, beside = _pair(client)
    draft = client.open(CLEAN, path.as_uri())
    draft.type("fat ", before="hen")
    chapter, sidecar = await _saved_as(client, draft, order)
    expected = MARKED.replace("++}hen", "fat ++}hen")
    assert sidecar.read_text() == expected
    status = await client.command("status", chapter)
    assert (status["marks"], status["changes"], status["tracking"]) == ("beside", 2, True)
    assert [message.message for message in client.messages] == ["chapter.md: changes taken along."]
    chapter.type("old ", before="hen")
    _saved(client, chapter, client.folder / "chapter.md")
    expected = expected.replace("++}hen", "old ++}hen")
    await client.until(lambda: sidecar.read_text() == expected, "what is typed on is in the sidecar")
    assert (path.read_text(), beside.read_text()) == (CLEAN, MARKED)


async def a_text_that_is_saved_later_takes_nothing_along(client):
    path, _ = _pair(client)
    _, sidecar = await _saved_as(client, client.open(CLEAN, path.as_uri()), pause=1.1)
    assert not sidecar.exists()
    assert not client.messages


async def a_sidecar_that_lies_where_a_text_is_saved_stays(client):
    path, _ = _pair(client)
    other = MARKED.replace("fine", "mine")
    _pair(client, "chapter.md", sidecar=other)
    chapter, sidecar = await _saved_as(client, client.open(CLEAN, path.as_uri()))
    assert sidecar.read_text() == other
    assert (await client.command("status", chapter))["changes"] == 2
    assert not client.messages


async def with_tracking_off_a_text_keeps_what_was_recorded_under_another_name(client):
    path, _ = _pair(client)
    draft = client.open(CLEAN, path.as_uri())
    await client.command("toggleTracking", draft, on=False)
    chapter, sidecar = await _saved_as(client, draft)
    assert sidecar.read_text() == MARKED
    assert not (await client.command("status", chapter))["tracking"]


async def a_text_without_changes_takes_nothing_along(client):
    path, _ = _pair(client, sidecar=CLEAN)
    _, sidecar = await _saved_as(client, client.open(CLEAN, path.as_uri()))
    assert not sidecar.exists()
    assert not client.messages
