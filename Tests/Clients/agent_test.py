"""An agent, which reads, proposes and comments over the Model Context Protocol; the client is the protocol's own."""

import asyncio
import contextlib
import json
import os
import subprocess

import pytest
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client import stdio

from conftest import SERVER

TOOLS = [
    "list_documents", "read", "changes", "propose", "comment", "revise", "withdraw", "wait_for_review", "decisions"]
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
        assert session.greeting.protocolVersion == "2025-11-25"
        assert session.greeting.serverInfo.name == "critic-lsp"
        assert "CriticMarkup" in session.greeting.instructions
        assert session.greeting.capabilities.tools is not None
        assert session.greeting.capabilities.resources is None
        await session.send_ping()
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert list(tools) == TOOLS
        assert [tool.annotations.readOnlyHint for tool in tools.values()] == [True, True, True, False, False, False, False, True, True]
        assert all(tool.outputSchema["type"] == "object" for tool in tools.values())
        assert not any(tool.annotations.destructiveHint for tool in tools.values())
        assert tools["propose"].inputSchema["required"] == ["path", "edits"]
        assert tools["propose"].inputSchema["properties"]["edits"]["items"]["required"] == ["new"]


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
        file = json.loads(text)
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


@pytest.mark.parametrize("mode, revision", [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")])
async def every_tool_is_called_in_the_revisions_without_a_session_too(tmp_path, mode, revision):
    """The answers are held against the schemas by the client."""
    (tmp_path / "draft.md").write_text(DRAFT)
    path = {"path": "draft.md"}
    calls = [
        ["list_documents", {}],
        ["read", path | {"from": 3}],
        ["propose", path | {"edits": [{"old": "very ", "new": "", "reason": "no degrees"}], "author": "ai"}],
        ["comment", path | {"change": 2, "comment": "Why?"}],
        ["comment", path | {"change": 3, "comment": "Why?"}],
        ["changes", path | {"author": "ai", "limit": 1}],
        ["wait_for_review", path | {"timeout": 1}],
        ["read", {"path": "../draft.md"}],
        ["propose", path | {"edits": [{"insert_after": "A blue hen", "new": " ran"}, {"old": "fox", "new": ""}],
                            "author": "ai", "partial": True}],
        ["changes", path | {"detail": "brief"}],
        ["decisions", path | {"proposed": "The {--very --}unique hen.\n\nA {~~red~>green~~} hen.\n"}],
    ]
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    process = await asyncio.create_subprocess_exec(
        f"{top}/.editors/mcp-2/bin/python", os.path.join(os.path.dirname(__file__), "modern_agent.py"), mode, *SERVER, "mcp",
        str(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    output, _ = await process.communicate(json.dumps(calls).encode())
    spoken, tools, results = json.loads(output)
    assert (spoken, tools) == (revision, TOOLS)
    assert [failed for failed, _, _ in results] == [False, False, False, False, True, False, False, True, False, False, False]
    assert results[0][2] == {"documents": [{"path": "draft.md", "changes": 1, "open": 1}]}
    assert results[1][1:] == ["A blue hen.\n", {"path": "draft.md", "text": "A blue hen.\n", "from": 3, "lines": 3}]
    assert results[2][2]["proposed"] == 1
    assert results[4][1] == "there is no change 3; they are 1 to 2"
    assert [change["old"] for change in results[5][2]["changes"]] == ["very "]
    assert results[6][2]["done"] is False and results[6][2]["counts"]["left"] == 2
    assert results[8][2]["changes"][0]["markup"] == "{++ ran++}{>>@ai<<}" and len(results[8][2]["left"]) == 1
    assert [change["old"] for change in results[9][2]["changes"]] == ["very ", "red", ""]
    assert [decision["decision"] for decision in results[10][2]["decisions"]] == ["pending", "pending"]
    # Who does not say who it is is the client.
    assert (tmp_path / "draft.md").read_text() == (
        "The {--very --}{>>@ai: no degrees<<}unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<}{>>@mcp: Why?<<} hen"
        "{++ ran++}{>>@ai<<}.\n")


async def ten_edits_of_a_long_text_cost_an_agent_a_part_of_reading_and_writing_it(tmp_path):
    text = "".join(f"# Part {n}\n\n" + f"The hen number {n} sat on the wall and looked at the sea. " * 50 + "\n\n" for n in range(10))
    (tmp_path / "draft.md").write_text(text)
    sent = received = 0
    async with _agent(tmp_path) as session:
        for number in range(10):
            calls = [
                ["read", {"path": "draft.md", "heading": f"Part {number}"}],
                ["propose", {"path": "draft.md", "author": "ai", "edits": [
                    {"insert_after": f"# Part {number}\n\n", "new": "Once. ", "reason": "a beginning"}]}],
            ]
            for tool, arguments in calls:
                failed, answer = await _call(session, tool, **arguments)
                assert not failed, answer
                sent += len(json.dumps(arguments))
                received += len(answer)
    whole = len(text.encode())
    print(f"of {whole} bytes: {sent} sent, {received} received")
    assert sent < whole / 10 and received < whole * 1.1
    assert (tmp_path / "draft.md").read_text().count("{++Once. ++}{>>@ai: a beginning<<}") == 10


async def a_wait_tells_how_it_goes_is_cancelled_and_holds_nothing_up(tmp_path):
    (tmp_path / "draft.md").write_text(DRAFT)
    process = await asyncio.create_subprocess_exec(
        *SERVER, "mcp", str(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(**message):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def receive():
        return json.loads(await asyncio.wait_for(process.stdout.readline(), 30))

    def call(number, tool, **arguments):
        params = {"name": tool, "arguments": {"path": "draft.md", **arguments}, "_meta": {"progressToken": f"t{number}"}}
        send(id=number, method="tools/call", params=params)

    call(1, "wait_for_review", timeout=600)
    call(2, "read")
    assert (await receive())["id"] == 2
    said = await receive()
    assert said["method"] == "notifications/progress"
    assert said["params"] == {"progressToken": "t1", "progress": 1, "message": "draft.md is open in no editor yet"}
    send(method="notifications/cancelled", params={"requestId": 1})
    call(3, "wait_for_review", timeout=1)
    answer = await receive()
    # Nothing is said of what was cancelled; on a slow machine it is told how the other wait goes.
    while "id" not in answer:
        assert answer["params"]["progressToken"] == "t3"
        answer = await receive()
    assert answer["id"] == 3 and answer["result"]["structuredContent"]["done"] is False
    send(id=4, method="ping")
    assert await receive() == {"jsonrpc": "2.0", "id": 4, "result": {}}
    # A batch.
    process.stdin.write(b'[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},'
                        b'{"jsonrpc":"2.0","id":6,"method":"nothing"}]\n')
    first, second = await receive()
    assert (first["id"], second["id"], second["error"]["code"]) == (5, 6, -32601)
    modern = {"_meta": {"io.modelcontextprotocol/protocolVersion": "1900-01-01"}}
    send(id=7, method="tools/list", params=modern)
    error = (await receive())["error"]
    assert error["code"] == -32022 and error["data"]["requested"] == "1900-01-01"
    assert error["data"]["supported"] == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 10) == 0


async def what_is_not_there_is_told_with_what_to_do(tmp_path):
    async with _agent(tmp_path) as session:
        failed, text = await _call(session, "list_documents")
        assert failed and text.startswith("There is no Markdown file (.md, ") and str(tmp_path) in text
        (tmp_path / "draft.md").write_text(DRAFT)
        for tool, arguments, said in (
            ("read", {"from": 4}, "from: the text has only 3 lines"),
            ("read", {"from": 0}, "from: expected a number from 1"),
            ("read", {"from": 3, "to": 2}, "to: 2 is before from, which is 3"),
            ("changes", {"kind": "edit"}, 'kind must be "addition", "deletion"'),
            ("comment", {"change": 1, "text": "hen", "comment": "x"}, "Either text or change, not both."),
            ("comment", {"comment": "x"}, "text: missing"),
            ("wait_for_review", {"timeout": -1}, "timeout: expected a number from 1"),
        ):
            failed, text = await _call(session, tool, path="draft.md", **arguments)
            assert failed and said in text, text
