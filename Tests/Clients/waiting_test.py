"""A program waits until the writer has reviewed what it proposed."""

import asyncio
import json

from lsprotocol import types
from mcp import ClientSession, StdioServerParameters
from mcp.client import stdio

from conftest import ENVIRONMENT, SERVER
from owner_test import DRAFT, PROPOSED, _opened, _propose, _run


def _wait(path, *options):
    return asyncio.create_task(_run("wait", "--author", "ai", "--format", "json", *options, path))


async def _ids(client):
    """The ids of the changes in the draft, by the old text, as an agent is told."""
    server = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], "mcp", str(client.folder)], env=ENVIRONMENT)
    async with stdio.stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        result = await session.call_tool("changes", {"path": "draft.md"})
        return {change["old"]: change["id"] for change in json.loads(result.content[0].text)["changes"]}


async def _is_waited_for(client, draft, count=1):
    async def waits():
        return (await client.command("status", draft))["waiting"] == count
    for _ in range(400):
        if await waits():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("nobody waits")


async def what_was_decided_changed_and_said_is_told_when_the_writer_is_done(client):
    path, draft = _opened(client)
    await _propose(path)
    await _propose(path, "five", "5")
    proposed = await _ids(client)
    waiting = _wait(path)
    await _is_waited_for(client, draft)
    await client.command("accept", draft, change=1)
    await client.command("comment", draft, change=1, text="Why?")
    draft.type("really ", before="six")
    await client.command("done", draft)
    code, output, problems = await waiting
    assert code == 0
    assert "waiting for critic.done" in problems
    report = json.loads(output)
    assert report["done"] is True and report["version"] == 1 and report["file"] == str(path)
    assert [(one["old"], one["new"], one["decision"]) for one in report["decisions"]] == [("two", "2", "accepted")]
    told = [*report["decisions"], report["comments"][0]["change"]]
    assert [one["id"] for one in told] == [proposed["two"], proposed["five"]]
    assert [(one["kind"], one["new"]) for one in report["changes"]] == [("addition", "really ")]
    assert [(one["comment"], one["change"]["old"]) for one in report["comments"]] == [("Why?", "five")]
    assert report["counts"] == {"accepted": 1, "rejected": 0, "edited": 0, "left": 2}


async def after_the_time_it_tells_how_far_it_is_and_can_be_called_again(client):
    path, draft = _opened(client)
    await _propose(path)
    await client.command("reject", draft, change=1)
    code, output, _ = await _wait(path, "--timeout", "0.5")
    report = json.loads(output)
    assert (code, report["done"], report["counts"]["rejected"]) == (1, False, 1)
    # Who is gone is not waited for.
    await _is_waited_for(client, draft, 0)
    waiting = _wait(path)
    await _is_waited_for(client, draft)
    await client.command("done", draft)
    code, output, _ = await waiting
    assert (code, json.loads(output)["counts"]["rejected"]) == (0, 1)


async def who_waits_before_the_file_is_open_is_told_what_became_of_what_stood_in_it(client):
    path = client.folder / "draft.md"
    path.write_text(DRAFT)
    assert (await _propose(path))[0] == 0
    assert path.read_text() == PROPOSED
    waiting = _wait(path)
    await asyncio.sleep(0.5)
    draft = client.open(PROPOSED, path.as_uri())
    await _is_waited_for(client, draft)
    await client.command("accept", draft, change=1)
    # It is closed and opened again.
    path.write_text(draft.text)
    client.text_document_did_close(types.DidCloseTextDocumentParams(draft.identifier))
    await asyncio.sleep(0.5)
    draft = client.open(path.read_text(), path.as_uri())
    await _is_waited_for(client, draft)
    await client.command("done", draft)
    code, output, problems = await waiting
    assert code == 0
    assert problems.count("is open in no editor") == 2
    assert [one["decision"] for one in json.loads(output)["decisions"]] == ["accepted"]


async def all_who_wait_are_told_the_same(client):
    path, draft = _opened(client)
    await _propose(path)
    waiting = [_wait(path) for _ in range(3)]
    await _is_waited_for(client, draft, 3)
    await client.command("accept", draft, change=1)
    await client.command("done", draft)
    outputs = {(await one)[:2] for one in waiting}
    assert len(outputs) == 1
    [(code, output)] = outputs
    assert code == 0 and json.loads(output)["counts"]["accepted"] == 1


async def wrong_uses_are_said(client):
    path, _ = _opened(client)
    for arguments, said in (
        (["-"], 'a writer cannot open "-"'),
        ([client.folder], "is a folder; name a file"),
        ([client.folder / "none.md"], "none.md"),
        (["--timeout", "soon", path], "--timeout takes a number of seconds"),
        ([], "Name"),
    ):
        code, output, problems = await _run("wait", *arguments)
        assert (code, output) == (2, ""), arguments
        assert said in problems
