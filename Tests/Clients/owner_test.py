"""A document that is open is changed by its editor, whoever asks: command lines and agents find its server."""

import asyncio
import json
import os
import random
import socket
import stat
import subprocess

import pytest
from lsprotocol import types
from mcp import ClientSession, StdioServerParameters
from mcp.client import stdio

from conftest import ENVIRONMENT, SERVER, STATE

DRAFT = "One two three.\n\nFour five six.\n"
PROPOSED = "One {~~two~>2~~}{>>@ai: shorter<<} three.\n\nFour five six.\n"
SOCKETS = os.path.join(STATE.name, "critic-lsp/sockets")


def _opened(client, text=DRAFT):
    path = client.folder / "draft.md"
    path.write_text(text)
    return path, client.open(text, path.as_uri())


async def _run(*arguments, given="", state=STATE.name):
    process = await asyncio.create_subprocess_exec(
        *SERVER, *map(str, arguments), env={**ENVIRONMENT, "XDG_STATE_HOME": str(state)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, problems = await process.communicate(given.encode())
    return process.returncode, output.decode(), problems.decode()


def _propose(path, old="two", new="2", reason="shorter"):
    edits = json.dumps([{"old": old, "new": new, "reason": reason}])
    return _run("propose", "--author", "ai", "--in-place", path, given=edits)


def _connected(name=None):
    [name] = [name] if name else os.listdir(SOCKETS)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.path.join(SOCKETS, name))
    connection.settimeout(20)
    return connection


def _ask(connection, method, path, **params):
    status = os.stat(path)
    params |= {"device": status.st_dev, "inode": status.st_ino}
    connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode() + b"\n")
    return json.loads(connection.makefile().readline())


async def what_is_proposed_is_made_by_the_editor_and_not_in_the_file(client):
    path, draft = _opened(client)
    code, output, problems = await _propose(path)
    assert (code, output) == (0, "")
    assert problems == (
        f"critic-lsp: {path}: it is open in an editor, and was changed there; it is saved when you save it\n")
    assert draft.text == PROPOSED
    assert path.read_text() == DRAFT


async def what_is_typed_and_not_marked_stays_and_is_marked_as_ever(client):
    path, draft = _opened(client)
    draft.type("and a half ", before="three")
    assert (await _propose(path))[0] == 0
    await draft.becomes(PROPOSED.replace("three", "{++and a half ++}three"))


async def what_meets_what_is_being_typed_is_made_of_the_marked_text(client):
    path, draft = _opened(client)
    draft.edit("two", "twenty-two")
    code, _, problems = await _propose(path, "twenty-two", "22")
    assert code == 0, problems
    assert draft.text.startswith("One {~~two~>22~~}{>>@ai: shorter<<} three.")


async def an_editor_that_refuses_is_asked_again_until_it_takes_the_edit(client):
    path, draft = _opened(client)
    client.refusal = "A menu is open."
    proposing = asyncio.create_task(_propose(path))
    await asyncio.sleep(0.5)
    assert not proposing.done()
    client.refusal = None
    assert (await proposing)[0] == 0
    assert draft.text == PROPOSED


async def a_writer_who_types_on_is_no_reason_to_give_up(client):
    path, draft = _opened(client)
    apply, typed = client.apply, []

    def applies(edit):
        # More often than an editor is asked again that refuses an edit of a text that nobody changes.
        if len(typed) == 9 or "shorter" not in str(edit):
            return apply(edit)
        # Its editor tells of what was typed a little later.
        typed.append("so ")
        asyncio.get_running_loop().call_later(0.02, lambda: draft.type("so ", before="six"))
        return types.ApplyWorkspaceEditResult(applied=False, failure_reason="It is of another version.")

    client.apply = applies
    code, _, problems = await _propose(path)
    assert (code, len(typed)) == (0, 9), problems
    await draft.becomes(PROPOSED.replace("six", "{++" + "so " * 9 + "++}six"))


@pytest.mark.parametrize("refusal", ("A menu is open.", "the editor is busy"))
async def an_editor_that_goes_on_refusing_is_let_alone_and_marks_as_before(client, refusal):
    path, draft = _opened(client, PROPOSED)
    before = await client.command("status", draft)
    client.refusal = refusal
    code, output, problems = await _run("accept", "--in-place", path)
    assert (code, output) == (2, "")
    assert problems == (
        f"critic-lsp: {path} is open in an editor: it was not changed: the editor refused it: {refusal}\n")
    assert client.refused == 7
    client.refusal = None
    assert await client.command("status", draft) == before
    assert not client.messages
    draft.edit("Four", "4")
    await draft.becomes(PROPOSED.replace("Four", "{~~Four~>4~~}"))
    assert path.read_text() == PROPOSED


async def changes_are_accepted_and_rejected_in_the_editor(client):
    path, draft = _opened(client, PROPOSED)
    assert (await _run("accept", "--in-place", path))[0] == 0
    assert draft.text == DRAFT.replace("two", "2")
    draft.edit("Four", "4")
    await draft.becomes("One 2 three.\n\n{~~Four~>4~~} five six.\n")
    assert (await _run("reject", "--in-place", path))[0] == 0
    assert draft.text == DRAFT.replace("two", "2")
    assert path.read_text() == PROPOSED


async def an_agent_reads_what_is_not_saved_and_writes_to_the_editor(client):
    path, draft = _opened(client)
    draft.edit("six", "seven")
    server = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], "mcp", str(client.folder)], env=ENVIRONMENT)
    async with stdio.stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()

        async def call(tool, **arguments):
            result = await session.call_tool(tool, {"path": "draft.md", **arguments})
            assert not result.isError, result
            return result.content[0].text

        assert await call("read") == DRAFT.replace("six", "seven")
        told = await call("propose", edits=[{"old": "two", "new": "2", "reason": "shorter"}], author="ai")
        assert told == (
            "1 edit was proposed in draft.md.\nThe file is open in an editor, which shows it now; the writer saves it.")
        await call("comment", text="five", comment="Why?")
        assert [change["kind"] for change in json.loads(await call("changes"))["changes"]] == [
            "substitution", "highlight", "substitution"]
    await draft.becomes(PROPOSED.replace("five six", "{==five==}{>>@mcp: Why?<<} {~~six~>seven~~}"))
    assert path.read_text() == DRAFT


async def what_an_agent_takes_back_is_gone_in_the_editor_and_is_no_decision_of_the_writer(client):
    path, draft = _opened(client)
    server = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], "mcp", str(client.folder)], env=ENVIRONMENT)
    async with stdio.stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()

        async def call(tool, **arguments):
            result = await session.call_tool(tool, {"path": "draft.md", **arguments})
            return result.isError, result.content[0].text, result.structuredContent

        async def proposed(tool="propose", **arguments):
            failed, told, said = await call(tool, author="ai", **arguments)
            assert not failed, told
            return said["changes"][0]["id"]

        first = await proposed(edits=[{"old": "two", "new": "2", "reason": "shorter"}])
        second = await proposed(edits=[{"old": "five", "new": "5", "reason": "shorter"}])
        second = await proposed("revise", change=second, new="V", reason="older")
        both = PROPOSED.replace("five", "{~~five~>V~~}{>>@ai: older<<}")
        assert draft.text == both
        assert not (await call("withdraw", change=second, author="ai"))[0]
        assert draft.text == PROPOSED
        report = (await call("wait_for_review", timeout=1))[2]
        assert (report["decisions"], report["counts"]["left"]) == ([], 1)
        # The writer undoes that.
        draft.edit(draft.text, both)
        await draft.becomes(both)
        failed, told, _ = await call("withdraw", change=second, author="ai")
        assert failed and "the writer has put it back" in told
        # The writer writes in the other one.
        draft.edit("~>2~", "~>2 or 3~")
        failed, told, _ = await call("withdraw", change=first, author="ai")
        assert failed and "is no longer there as it was proposed" in told
        assert draft.text == both.replace("~>2~", "~>2 or 3~")
    assert path.read_text() == DRAFT


async def a_document_that_is_closed_is_changed_as_a_file(client):
    path, draft = _opened(client)
    assert (await _propose(path))[0] == 0
    client.text_document_did_close(types.DidCloseTextDocumentParams(draft.identifier))
    # What is said first is done first.
    await client.workspace_symbol_async(types.WorkspaceSymbolParams(query=""))
    path.write_text(DRAFT)
    assert (await _propose(path))[2] == ""
    assert path.read_text() == PROPOSED


async def another_name_of_the_file_is_the_same_file(client):
    path, draft = _opened(client)
    link, other = client.folder / "link.md", client.folder / "other.md"
    link.symlink_to(path)
    other.hardlink_to(path)
    assert (await _propose(link))[0] == 0
    assert (await _propose(other, "five", "5"))[0] == 0
    assert draft.text == PROPOSED.replace("five", "{~~five~>5~~}{>>@ai: shorter<<}")


async def an_edit_of_an_older_text_is_not_made(client):
    path, draft = _opened(client)
    await draft.becomes(DRAFT)
    with _connected() as connection:
        shown = await asyncio.to_thread(_ask, connection, "text", path)
        assert shown["result"]["text"] == DRAFT
        draft.type("zero ", before="One")
        await draft.becomes("{++zero ++}One" + DRAFT[3:])
        edits = [{"start": 0, "end": 3, "new": "1"}]
        told = await asyncio.to_thread(_ask, connection, "edit", path, state=shown["result"]["state"], edits=edits)
        assert told["error"]["code"] == -32801
        for wrong in ([{"start": 5, "end": 2, "new": ""}], [{"start": 0, "end": 9999, "new": ""}], 3):
            shown = await asyncio.to_thread(_ask, connection, "text", path)
            told = await asyncio.to_thread(_ask, connection, "edit", path, state=shown["result"]["state"], edits=wrong)
            assert "error" in told
    assert draft.text == "{++zero ++}One" + DRAFT[3:]


async def who_sends_nonsense_or_too_much_or_nothing_holds_nobody_up(client):
    path, draft = _opened(client)
    await draft.becomes(DRAFT)
    with _connected() as silent, _connected() as noisy, _connected() as endless:
        noisy.sendall(b'nonsense\n{}\n[1]\n{"id":1}\n{"jsonrpc":"2.0","id":"x","method":"quit"}\n')
        assert b"There is no method quit" in noisy.recv(1 << 16)

        def too_much():
            for _ in range(40):
                endless.sendall(b"x" * (1 << 20))
            endless.sendall(b"\n")
            return endless.recv(1)

        assert await asyncio.to_thread(too_much) == b""
        silent.sendall(b'{"jsonrpc":')
        assert (await _propose(path))[0] == 0
    crowd = [_connected() for _ in range(63)]
    assert (await _propose(path, "five", "5"))[0] == 0
    for one in crowd:
        one.close()
    assert draft.text == PROPOSED.replace("five", "{~~five~>5~~}{>>@ai: shorter<<}")


def _memory(client):
    with open(f"/proc/{client._server.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


async def who_asks_and_asks_and_reads_nothing_is_given_one_answer_at_a_time(client):
    path, draft = _opened(client, "".join(f"Line {number} of a long text.\n" for number in range(20_000)))
    status = os.stat(path)
    params = {"device": status.st_dev, "inode": status.st_ino}
    numbers = range(100)
    # It is open by then.
    await client.command("status", draft)
    with _connected() as connection:
        before = _memory(client)
        questions = [{"jsonrpc": "2.0", "id": number, "method": "text", "params": params} for number in numbers]
        # As one piece, which waits for nobody: who is read slowly would be hung up on while it still asks.
        connection.sendall("".join(json.dumps(question) + "\n" for question in questions).encode())
        for _ in range(50):
            await client.command("status", draft)
        assert _memory(client) - before < 30_000
        # Who reads gets all of them.
        stream = connection.makefile()

        def answers():
            return [json.loads(stream.readline()) for _ in numbers]

        told = await asyncio.to_thread(answers)
        assert [answer["id"] for answer in told] == list(numbers)
        assert {answer["result"]["text"] for answer in told} == {draft.text}


class _Owner:
    """A server that has a file open, and makes every edit that it is asked for."""

    def __init__(self, folder, text):
        self.text, self.longest = text, 0
        self.sockets = folder / "critic-lsp/sockets"
        self.sockets.mkdir(mode=0o700, parents=True)

    async def __aenter__(self):
        self.server = await asyncio.start_unix_server(self.talk, self.sockets / "1-0", limit=1 << 26)
        return self

    async def __aexit__(self, *_):
        self.server.close()
        await self.server.wait_closed()

    async def talk(self, reader, writer):
        while line := await reader.readline():
            self.longest = max(self.longest, len(line))
            call = json.loads(line)
            result = {}
            if call["method"] == "text":
                result = {"text": self.text, "state": 1, "isMarked": True}
            elif call["method"] == "edit":
                whole, parts, end = self.text.encode(), [], 0
                for edit in call["params"]["edits"]:
                    parts += [whole[end : edit["start"]], edit["new"].encode()]
                    end = edit["end"]
                self.text = b"".join([*parts, whole[end:]]).decode()
            writer.write(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}).encode() + b"\n")
        writer.close()
        await writer.wait_closed()


async def edits_that_are_too_long_for_a_server_are_refused_before_they_are_sent(tmp_path):
    path = tmp_path / "draft.md"
    path.write_text(DRAFT)
    async with _Owner(tmp_path, DRAFT) as owner:
        edits = json.dumps([{"old": "two", "new": "2" * (17 << 20), "reason": "longer"}])
        code, _, problems = await _run("propose", "--in-place", path, given=edits, state=tmp_path)
        assert code == 2
        assert "it was not changed: its edits are 17 MB long, and an editor is sent no more than 16 MB" in problems
        assert (owner.text, path.read_text()) == (DRAFT, DRAFT)
        assert owner.longest < 1 << 20
        # Edits of one word stay what they are.
        assert (await _run("accept", "--in-place", path, state=tmp_path))[0] == 0


async def many_small_edits_are_joined_where_that_is_shorter_to_send(tmp_path):
    text = "One {++a++} {++b++}.\n" * 110_000
    path = tmp_path / "draft.md"
    path.write_text(text)
    async with _Owner(tmp_path, text) as owner:
        code, _, problems = await _run("accept", "--in-place", path, state=tmp_path)
        assert code == 0, problems
        assert owner.text == "One a b.\n" * 110_000
        assert owner.longest <= 1 << 24
        assert path.read_text() == text


async def only_the_user_reaches_the_socket(client):
    path, draft = _opened(client)
    await draft.becomes(DRAFT)
    assert stat.S_IMODE(os.stat(SOCKETS).st_mode) == 0o700
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    [name] = os.listdir(SOCKETS)
    program = f"""
import os, socket, sys
os.setuid(65534)
there = socket.socket(socket.AF_UNIX)
there.settimeout(20)
try:
    there.connect({os.path.join(SOCKETS, name)!r})
    there.sendall(b'{{"jsonrpc":"2.0","id":1,"method":"find"}}\\n')
    print(there.recv(1000))
except OSError as error:
    print(type(error).__name__)
"""
    assert await _python(program) == "PermissionError"
    # Also where somebody has opened the folders to all.
    folders = [SOCKETS]
    while folders[-1] != STATE.name:
        folders.append(os.path.dirname(folders[-1]))
    modes = {folder: stat.S_IMODE(os.stat(folder).st_mode) for folder in [*folders, os.path.join(SOCKETS, name)]}
    try:
        for place in modes:
            os.chmod(place, 0o777)
        assert await _python(program) in ("b''", "ConnectionResetError", "BrokenPipeError")
        # Nor is a folder trusted that others can write to: the file is changed.
        assert (await _propose(path))[0] == 0
        assert path.read_text() == PROPOSED
        assert draft.text == DRAFT
    finally:
        for place, mode in modes.items():
            os.chmod(place, mode)


async def _python(program):
    process = await asyncio.create_subprocess_exec("python3", "-c", program, stdout=subprocess.PIPE)
    return (await process.communicate())[0].decode().strip()


async def what_a_killed_server_leaves_is_removed_by_the_next_one_and_nothing_else(tmp_path):
    sockets = tmp_path / "critic-lsp/sockets"
    sockets.mkdir(mode=0o700, parents=True)
    (sockets / "notes.txt").write_text("mine")

    def start(*options):
        server = subprocess.Popen(
            [*SERVER, "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**ENVIRONMENT, "XDG_STATE_HOME": str(tmp_path)})
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        server.stdin.flush()
        server.stdout.read(1)
        return server

    first = start()
    names = set(os.listdir(sockets))
    first.kill()
    first.communicate()
    assert len(names) == 2 and set(os.listdir(sockets)) == names
    second = start()
    assert set(os.listdir(sockets)) == {"notes.txt", f"{second.pid}-0"}
    third = start("--stateless")
    assert len(os.listdir(sockets)) == 2
    second.communicate()
    third.communicate()
    assert os.listdir(sockets) == ["notes.txt"]


@pytest.mark.parametrize("seed", range(2))
async def somebody_who_types_and_a_program_lose_nothing_of_each_other(client, seed):
    chance = random.Random(seed)
    names = [f"w{number}." for number in range(12)]
    original = "".join(f"The word {name}\n\n" for name in names) + "End: \n"
    path, draft = _opened(client, original)

    async def program():
        for name in names:
            assert (await _propose(path, name, name.upper()))[0] == 0

    proposing = asyncio.create_task(program())
    typed = ""
    while not proposing.done():
        letter = chance.choice("abcé ")
        end = draft.position(len(draft.text))
        draft.apply([types.TextEdit(types.Range(end, end), letter)])
        typed += letter
        client.refusal = "A menu is open." if chance.random() < 0.1 else None
        await asyncio.sleep(chance.choice((0.001, 0.02, 0.1)))
    client.refusal = None
    await proposing
    clean = "".join(f"The word {name.upper()}\n\n" for name in names) + "End: \n" + typed

    async def is_whole():
        return await client.command("export", draft, variant="clean") == clean

    assert await is_whole()
    await client.command("mark", draft)
    await client.until(lambda: typed.strip() == "" or "{++" in draft.text, "what was typed is marked")
    assert await is_whole()
    assert await client.command("export", draft, variant="original") == original
    assert draft.text.count("@ai") == len(names)


async def what_an_agent_would_write_with_its_own_tools_is_proposed_in_the_editor(client):
    path, draft = _opened(client)
    draft.type("and a half ", before="three")
    call = {"tool_name": "Edit", "tool_input": {"file_path": str(path), "old_string": "two", "new_string": "2"}}
    code, output, problems = await _run("guard", given=json.dumps(call))
    assert (code, problems) == (0, "")
    decision = json.loads(output)["hookSpecificOutput"]
    assert decision["permissionDecision"] == "deny" and "It is open in an editor" in decision["permissionDecisionReason"]
    await draft.becomes(PROPOSED.replace("@ai: shorter", "@ai").replace("three", "{++and a half ++}three"))
    assert path.read_text() == DRAFT


# A program that guards, around a shell.
async def _guard(path, event, *arguments):
    call = {
        "hook_event_name": event, "cwd": str(path.parent), "session_id": "s", "tool_use_id": str(path),
        "tool_name": "Bash", "tool_input": {"command": "make"}}
    code, output, problems = await _run("guard", "--author", "ai", *arguments, given=json.dumps(call))
    assert (code, problems) == (0, "")
    return json.loads(output)["hookSpecificOutput"]["additionalContext"] if output else None


def _save(client, path, draft):
    path.write_text(draft.text)
    client.text_document_did_save(types.DidSaveTextDocumentParams(draft.identifier, draft.text))


async def what_a_shell_writes_is_proposed_in_the_editor_and_the_file_is_as_it_was(client):
    path, draft = _opened(client)
    written = os.stat(path).st_mtime_ns
    draft.edit("six", "seven")
    await draft.becomes(DRAFT.replace("six", "{~~six~>seven~~}"))
    assert await _guard(path, "PreToolUse") is None
    path.write_text(DRAFT.replace("two", "2"))
    told = await _guard(path, "PostToolUse")
    assert "draft.md: what was written there was put in as tracked changes" in told and "open in an editor" in told
    await draft.becomes(PROPOSED.replace("@ai: shorter", "@ai").replace("six", "{~~six~>seven~~}"))
    assert path.read_text() == DRAFT
    # For the editor nothing has happened to it.
    assert os.stat(path).st_mtime_ns == written


async def what_the_writer_saves_while_a_shell_runs_is_the_writers(client):
    path, draft = _opened(client)
    await _guard(path, "PreToolUse")
    draft.edit("six", "seven")
    await draft.becomes(DRAFT.replace("six", "{~~six~>seven~~}"))
    _save(client, path, draft)
    assert await _guard(path, "PostToolUse") is None
    assert path.read_text() == draft.text == DRAFT.replace("six", "{~~six~>seven~~}")


async def what_a_shell_writes_over_what_was_saved_meanwhile_is_proposed_beside_it(client):
    path, draft = _opened(client)
    await _guard(path, "PreToolUse")
    draft.edit("six", "seven")
    saved = DRAFT.replace("six", "{~~six~>seven~~}")
    await draft.becomes(saved)
    _save(client, path, draft)
    draft.type("and a half ", before="three")
    path.write_text(saved.replace("two", "2"))
    assert "open in an editor" in await _guard(path, "PostToolUse")
    await draft.becomes(saved.replace("two three", "{~~two~>2~~}{>>@ai<<} {++and a half ++}three"))
    assert path.read_text() == saved


async def what_an_editor_has_read_of_a_shell_is_proposed_there_and_stays_in_the_file(client):
    path, draft = _opened(client)
    await _guard(path, "PreToolUse")
    new = DRAFT.replace("two", "2")
    path.write_text(new)
    draft.apply([types.TextEdit(draft.whole, new)])
    assert "open in an editor" in await _guard(path, "PostToolUse")
    await client.until(lambda: "{>>@ai<<}" in draft.text, "it is to be proposed")
    assert await client.command("export", draft, variant="clean") == new
    assert await client.command("export", draft, variant="original") == DRAFT
    assert path.read_text() == new


async def where_the_editor_takes_no_edit_what_a_shell_wrote_is_proposed_in_the_file(client):
    path, draft = _opened(client)
    await _guard(path, "PreToolUse")
    path.write_text(DRAFT.replace("two", "2"))
    client.refusal = "A menu is open."
    assert "put in as tracked changes" in await _guard(path, "PostToolUse")
    assert path.read_text() == PROPOSED.replace("@ai: shorter", "@ai")
    client.refusal = None
    assert draft.text == DRAFT


async def what_is_written_past_the_editor_is_proposed_while_it_is_watched(client):
    path, draft = _opened(client)
    other = client.folder / "other.md"
    other.write_text("One.\n")
    watching = await asyncio.create_subprocess_exec(
        *SERVER, "guard", "--watch", "--author", "ai", str(client.folder), env=ENVIRONMENT, stdout=subprocess.PIPE)
    try:
        assert await watching.stdout.readline() == b"watching 2 files\n"
        draft.edit("six", "seven")
        saved = DRAFT.replace("six", "{~~six~>seven~~}")
        await draft.becomes(saved)
        _save(client, path, draft)
        await asyncio.sleep(2.5)
        assert draft.text == path.read_text() == saved
        path.write_text(saved.replace("two", "2"))
        assert b"draft.md: what was written there" in await watching.stdout.readline()
        await draft.becomes(saved.replace("two", "{~~two~>2~~}{>>@ai<<}"))
        assert path.read_text() == saved
        other.write_text("Two.\n")
        assert b"other.md: what was written there" in await watching.stdout.readline()
        assert other.read_text() == "{~~One~>Two~~}{>>@ai<<}.\n"
    finally:
        watching.terminate()
        await watching.wait()
