"""An agent, which reads, proposes and comments over the Model Context Protocol; the client is the protocol's own."""

import contextlib
import json
import os

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client import stdio

from conftest import SERVER

DRAFT = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"


# An agent whose server has been given some folders.
@contextlib.asynccontextmanager
async def _agent(*paths):
    server = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], "mcp", *map(str, paths)])
    async with stdio.stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        session.greeting = await session.initialize()
        yield session


async def _call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    assert [part.type for part in result.content] == ["text"]
    return result.isError, result.content[0].text


async def the_server_says_who_it_is_and_what_it_can_do(tmp_path):
    async with _agent(tmp_path) as session:
        assert session.greeting.protocolVersion == "2025-06-18"
        assert session.greeting.serverInfo.name == "critic-lsp"
        assert "CriticMarkup" in session.greeting.instructions
        assert session.greeting.capabilities.tools is not None
        assert session.greeting.capabilities.resources is None
        await session.send_ping()
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert list(tools) == ["read", "changes", "propose", "comment"]
        assert [tool.annotations.readOnlyHint for tool in tools.values()] == [True, True, False, False]
        assert not any(tool.annotations.destructiveHint for tool in tools.values())
        assert tools["propose"].inputSchema["required"] == ["path", "edits"]
        assert tools["propose"].inputSchema["properties"]["edits"]["items"]["required"] == ["old", "new"]


async def a_document_is_read_in_its_three_variants(tmp_path):
    (tmp_path / "draft.md").write_text(DRAFT)
    async with _agent(tmp_path) as session:
        assert await _call(session, "read", path="draft.md") == (False, "The very unique hen.\n\nA blue hen.\n")
        original = await _call(session, "read", path=str(tmp_path / "draft.md"), variant="original")
        assert original == (False, "The very unique hen.\n\nA red hen.\n")
        assert await _call(session, "read", path="draft.md", variant="markup") == (False, DRAFT)


async def what_is_proposed_and_commented_is_in_the_file_and_in_the_list(tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_text(DRAFT)
    async with _agent(tmp_path) as session:
        edits = [{"old": "very unique", "new": "unique", "reason": "unique has no degrees"}]
        told = await _call(session, "propose", path="draft.md", edits=edits, author="agent")
        assert told == (False, "1 edit was proposed in draft.md.")
        told = await _call(session, "comment", path="draft.md", text="hen", before=".\n\nA", comment="Which?", author="agent")
        assert told == (False, "The comment was written in draft.md.")
        assert draft.read_text() == (
            "The {--very --}{>>@agent: unique has no degrees<<}unique {==hen==}{>>@agent: Which?<<}.\n\n"
            "A {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
        )
        failed, text = await _call(session, "changes", path="draft.md")
        assert not failed
        [file] = json.loads(text)["files"]
        assert [change["kind"] for change in file["changes"]] == ["deletion", "highlight", "substitution"]
        assert file["counts"] == {"changes": 2, "commented": 2, "uncommented": 0, "open": 3, "resolved": 0}


async def an_edit_that_cannot_be_made_is_told_and_nothing_is_written(tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_text(DRAFT)
    async with _agent(tmp_path) as session:
        edits = [{"old": "very", "new": "quite"}, {"old": "hen", "new": "fox"}]
        failed, text = await _call(session, "propose", path="draft.md", edits=edits)
        assert failed and 'edit 2 ("hen"): "old" is at 2 places, on lines 1 and 3' in text
        failed, text = await _call(session, "propose", path="draft.md", edits=[{"old": "very", "nwe": ""}])
        assert failed and 'edits[0].nwe: there is no such member. Did you mean "new"?' in text
        failed, text = await _call(session, "comment", path="draft.md", text="red", comment="no")
        assert failed and "not in the clean text" in text
        assert draft.read_text() == DRAFT


async def no_tool_reaches_what_is_outside_of_the_folders(tmp_path):
    (tmp_path / "book/part").mkdir(parents=True)
    for name in ["secret.md", "book/notes.txt", "book/draft.md"]:
        (tmp_path / name).write_text(DRAFT)
    os.symlink("../secret.md", tmp_path / "book/link.md")
    async with _agent(tmp_path / "book") as session:
        # What is there and what is not are told alike.
        for path in ["../secret.md", str(tmp_path / "secret.md"), "link.md", "/etc/hosts", "../nothing.md"]:
            failed, text = await _call(session, "read", path=path)
            assert failed and "no such file in what this server was given" in text
        for path, reason in [("notes.txt", "not a Markdown file"), ("none.md", "no such file"), ("part", "is a folder")]:
            failed, text = await _call(session, "read", path=path)
            assert failed and reason in text
        edits = [{"old": "very ", "new": ""}]
        assert (await _call(session, "propose", path="link.md", edits=edits))[0]
        assert (tmp_path / "secret.md").read_text() == DRAFT


async def a_tool_that_is_not_there_is_an_error_of_the_protocol(tmp_path):
    async with _agent(tmp_path) as session:
        for tool in ["accept", "reject"]:
            try:
                await session.call_tool(tool, {"path": "draft.md"})
            except McpError as error:
                assert error.error.code == -32602
            else:
                raise AssertionError(f"there is a tool {tool}")
