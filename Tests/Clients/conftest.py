"""The server and its clients; what they said to each other is kept for the last test."""

import os
import shlex
import signal
import tempfile
from collections import defaultdict

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig

import capabilities
from client import Client

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
SERVER = shlex.split(os.environ.get("CRITIC_LSP", os.path.join(TOP, ".build/release/critic-lsp")))
STATE = tempfile.TemporaryDirectory(prefix="critic-")
# Servers and command lines find each other there, and nobody else.
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": STATE.name, "XDG_RUNTIME_DIR": ""}
# Nothing waits longer than it must, and nothing is remembered from test to test.
SETTINGS = {"tracking": "on", "marking": "idle", "idleDelay": 30, "rememberTracking": False}

# No test takes longer, in seconds, on a slow machine either.
LIMIT = int(os.environ.get("TIME_LIMIT", "300"))

# By client: what was said in all tests, and what the server promised.
SENT = defaultdict(set)
RECEIVED = defaultdict(set)
COMMANDS = defaultdict(set)
PROMISED = {}


@pytest_lsp.fixture(
    config=ClientServerConfig(SERVER, Client, ENVIRONMENT),
    params=capabilities.NAMES,
)
async def client(client: Client, request, tmp_path):
    name = request.param
    info, announced = capabilities.of(name)
    client.folder = tmp_path
    client.set_configuration({**SETTINGS}, section="critic")
    client.result = await client.initialize_session(
        types.InitializeParams(
            announced,
            client_info=info,
            initialization_options=SETTINGS,
            workspace_folders=[types.WorkspaceFolder(tmp_path.as_uri(), "novel")],
        )
    )
    PROMISED[name] = client.server
    yield
    await client.shutdown_session()
    SENT[name] |= client.protocol.sent
    RECEIVED[name] |= client.protocol.received
    COMMANDS[name] |= client.protocol.commands
    assert client.error is None
    assert client._server.returncode == 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test that does not end is told, with where it waits, and ends the run."""

    def end(number, frame):
        raise KeyboardInterrupt(f"{item.nodeid} has not ended after {LIMIT} s")

    signal.signal(signal.SIGALRM, end)
    signal.alarm(LIMIT)
    try:
        return (yield)
    finally:
        signal.alarm(0)


@pytest.fixture(autouse=True)
def no_complaint(caplog):
    """pygls logs what it cannot make sense of, such as an answer to a question that nobody asked."""
    yield
    assert not [record for record in caplog.records if record.name.startswith("pygls") and record.levelname == "WARNING"]


def pytest_collection_modifyitems(items):
    """What looks back on all tests comes last."""
    items.sort(key=lambda item: "driven" in item.nodeid)


def pytest_terminal_summary(terminalreporter):
    counts = {outcome: len(terminalreporter.stats.get(outcome, [])) for outcome in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
