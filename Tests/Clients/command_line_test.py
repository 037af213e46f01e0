"""What the command line writes for other programs, read with their own schemas."""

import fcntl
import json
import os
import pty
import shlex
import struct
import subprocess
import termios

import jsonschema
import pytest
from sarif_pydantic import Sarif

from conftest import SERVER, TOP

_DRAFT = """# Hens

Thé {++red ++}hen {--sits--}{>>@ada: [tone] flat<<} on {~~the~>a~~} {==nest==}{>>@bob | 2026-11-22<<}. {>>alone<<}
{++ open
"""


def _run(folder, *arguments, code=0):
    (folder / "a b").mkdir(exist_ok=True)
    (folder / "a b/ü.md").write_text(_DRAFT)
    (folder / "bytes.md").write_bytes(b"{++\xff++} {--\xc3\x28--}\n")
    outcome = subprocess.run([*SERVER, *arguments, "."], cwd=folder, capture_output=True, timeout=60)
    assert outcome.stderr == b""
    assert outcome.returncode == code
    return outcome.stdout.decode()


def _schema():
    with open(os.path.join(TOP, "docs/changes.schema.json")) as file:
        return json.load(file)


def changes_as_json_keep_to_the_schema(tmp_path):
    schema = _schema()
    lines = _run(tmp_path, "changes", "--format", "jsonl").splitlines()
    assert len(lines) == 7
    for line in lines:
        jsonschema.validate(json.loads(line), schema)
    listed = {"$defs": schema["$defs"], "$ref": "#/$defs/list"}
    jsonschema.validate(json.loads(_run(tmp_path, "changes", "--format", "json")), listed)


def the_schema_tells_what_is_wrong(tmp_path):
    change = json.loads(_run(tmp_path, "changes", "--format", "jsonl").splitlines()[0])
    for member in change:
        rest = {name: value for name, value in change.items() if name != member}
        assert not jsonschema.Draft202012Validator(_schema()).is_valid(rest), member


def sarif_is_what_others_read(tmp_path):
    for arguments, code, count in [(("changes",), 0, 7), (("check",), 1, 8), (("check", "--malformed"), 1, 1)]:
        log = Sarif.model_validate_json(_run(tmp_path, *arguments, "--format", "sarif", code=code))
        results = log.runs[0].results
        assert len(results) == count
        rules = {rule.id for rule in log.runs[0].tool.driver.rules}
        assert all(result.rule_id in rules for result in results)
        uris = {result.locations[0].physical_location.artifact_location.uri for result in results}
        assert uris <= {"a%20b/%C3%BC.md", "bytes.md"}


# What a command does with a stream that is closed: its exit code and what it says, as far as it can say anything.
_SERVES = {
    "<&-": (2, "standard input is closed"),
    ">&-": (2, "standard output is closed"),
    "<&- >&- 2>&-": (2, ""),
}
_READS = {
    "- <&-": (2, "cannot read -"),
    "x.md >&-": (2, "cannot write to standard output"),
    "x.md <&- >&- 2>&-": (2, ""),
}
_CLOSED = [
    (command, streams, *expected)
    for command, table in {
        "": {**_SERVES, "2>&-": (1, "")},
        "serve": {**_SERVES, "2>&-": (1, "")},
        "mcp .": {**_SERVES, "2>&-": (0, "")},
        "check": {**_READS, "x.md <&-": (1, ""), "x.md 2>&-": (1, "")},
        "export": {**_READS, "x.md <&-": (0, ""), "x.md 2>&-": (0, "")},
    }.items()
    for streams, expected in table.items()
]


@pytest.mark.parametrize("command, streams, code, sentence", _CLOSED)
def a_closed_stream_is_told_and_not_waited_for(tmp_path, command, streams, code, sentence):
    (tmp_path / "x.md").write_text("{++x++}\n")
    line = " ".join([*map(shlex.quote, SERVER), command, streams])
    outcome = subprocess.run(
        line, shell=True, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)})
    assert outcome.returncode == code
    assert sentence in outcome.stderr.decode()
    assert bool(sentence) == bool(outcome.stderr)


@pytest.mark.parametrize("columns, width", ((48, 48), (132, 80), (20, 40), (0, 80)))
def help_is_as_wide_as_the_terminal(columns, width):
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    variables = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    with subprocess.Popen([*SERVER, "help", "accept"], stdout=its, env=variables) as program:
        os.close(its)
        text = b""
        try:
            while part := os.read(ours, 1 << 16):
                text += part
        except OSError:
            pass  # Linux's way to say that nobody writes any more.
    os.close(ours)
    assert program.returncode == 0
    lines = text.decode().split("Examples:")[0].splitlines()
    assert width - 8 < max(len(line) for line in lines if " " in line.strip()) <= width


@pytest.mark.parametrize("command", ([], ["serve"], ["--stdio"]))
def the_server_says_at_a_terminal_that_it_waits_for_an_editor(command):
    ours, its = pty.openpty()
    server = subprocess.Popen([*SERVER, *command], stdin=its, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(its)
    line = server.stderr.readline().decode()
    assert line.startswith("critic-lsp: waiting for an editor's messages on standard input")
    os.close(ours)
    assert server.communicate(timeout=20) == (b"", b"")
    assert server.returncode == 1
    piped = subprocess.run([*SERVER, *command], input=b"", capture_output=True)
    assert (piped.returncode, piped.stdout, piped.stderr) == (1, b"", b"")
