"""Marks beside the text, in the file alone, and moved from one to the other, with real files."""

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

MARKED = "A {++red ++}hen {--slowly --}ran. 🦊{>>@jo: fine?<<}\n"
CLEAN = "A red hen ran. 🦊\n"


def _opened(client, text, contents):
    """A document with what is in its file."""
    path = client.folder / "draft.md"
    path.write_bytes(contents.encode())
    return client.open(text, path.as_uri()), path


def _saved(client, document, path):
    path.write_text(document.text)
    client.text_document_did_save(types.DidSaveTextDocumentParams(document.identifier))


async def marks_are_moved_beside_the_text_and_back(client):
    draft, path = _opened(client, MARKED, MARKED)
    record = path.with_name("draft.md.critic")
    assert await client.command("marks", draft, marks="beside") is None
    await draft.becomes(CLEAN)
    assert (await client.command("status", draft))["marks"] == "beside"
    assert record.read_text() == MARKED
    _saved(client, draft, path)
    draft.type("fat ", before="hen")
    _saved(client, draft, path)
    expected = MARKED.replace("++}hen", "fat ++}hen")
    await client.until(lambda: record.read_text() == expected, "the record is written when the text is saved")
    assert await client.command("marks", draft, marks="inline") is None
    await draft.becomes(expected)
    _saved(client, draft, path)
    await client.until(lambda: not record.exists(), "the record goes when its marks are saved in the text")


async def a_file_is_written_with_the_marks_that_its_editor_does_not_show(client):
    draft, path = _opened(client, CLEAN, MARKED.replace("\n", "\r\n"))
    assert await client.command("marks", draft, marks="file") == {"marks": "file"}
    assert (await client.command("status", draft))["changes"] == 2
    draft.edit("A red", "One red")
    assert await client.command("write", draft) is None
    assert path.read_bytes().decode() == MARKED.replace("A ", "{~~A~>One~~} ").replace("\n", "\r\n")
    path.write_text("from elsewhere\n")
    draft.edit("ran", "flew")
    with pytest.raises(JsonRpcException) as refused:
        await client.command("write", draft)
    assert "another program has changed it" in str(refused.value)
    assert path.read_text() == "from elsewhere\n"


async def a_search_of_the_workspace_looks_into_records(client):
    if not client.server.workspace_symbol_provider:
        return
    (client.folder / "other.md").write_text(CLEAN)
    record = client.folder / "other.md.critic"
    record.write_text(MARKED)
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query=""))
    assert [symbol.name for symbol in found] == ["Added “red ”", "Deleted “slowly ”", "Comment “@jo: fine?”"]
    assert found[0].location.uri == (client.folder / "other.md").as_uri()
    assert found[0].location.range.start == types.Position(0, 2)


async def the_last_decision_is_taken_back(client):
    (client.folder / "draft.md.critic").write_text(MARKED)
    draft, _ = _opened(client, CLEAN, CLEAN)
    await client.command("accept", draft, range=client.plain(draft.range("red")))
    assert (await client.command("status", draft))["changes"] == 1
    await client.command("reopen", draft)
    assert (await client.command("status", draft))["changes"] == 2
    with pytest.raises(JsonRpcException):
        await client.command("reopen", draft)
