"""Looks back on all tests: nothing that is promised, and nothing that the server has a name for, was left out."""

import glob
import os
import re

import attrs
import pytest
from lsprotocol import types

import capabilities
from conftest import COMMANDS, PROMISED, RECEIVED, SENT, TOP

# What is asked for because a capability says so, beside the method that has its name.
MORE = {
    "code_action_provider": lambda it: ["codeAction/resolve"] if it.resolve_provider else [],
    "code_lens_provider": lambda it: ["codeLens/resolve"] if it.resolve_provider else [],
    "diagnostic_provider": lambda it: ["workspace/diagnostic"] if it.workspace_diagnostics else [],
    "document_link_provider": lambda it: ["documentLink/resolve"] if it.resolve_provider else [],
    "inlay_hint_provider": lambda it: ["inlayHint/resolve"] if it.resolve_provider else [],
}


# The methods that a capability of the server's promises.
def _methods(name, promise):
    if name == "text_document_sync":
        methods = ["didOpen", "didChange", "didClose", "didSave"]
        return [f"textDocument/{method}" for method in methods + ["willSaveWaitUntil"] * promise.will_save_wait_until]
    if name == "semantic_tokens_provider":
        full = ["full"] + ["full/delta"] * bool(getattr(promise.full, "delta", False))
        return [f"textDocument/semanticTokens/{part}" for part in full + ["range"] * bool(promise.range)]
    if name == "workspace":
        return ["workspace/didChangeWorkspaceFolders"] + [types.WORKSPACE_TEXT_DOCUMENT_CONTENT] * bool(
            promise.text_document_content)
    own = {"workspace_symbol_provider": "workspace/symbol", "execute_command_provider": "workspace/executeCommand",
           "document_formatting_provider": "textDocument/formatting"}
    words = name.removesuffix("_provider").split("_")
    method = own.get(name) or "textDocument/" + words[0] + "".join(word.capitalize() for word in words[1:])
    return [method, *MORE.get(name, lambda it: [])(promise)]


@pytest.fixture(autouse=True)
def all_tests_were_run(request):
    if set(PROMISED) != set(capabilities.NAMES) or len({item.path for item in request.session.items}) < 5:
        pytest.skip("only some of the tests were run")


@pytest.mark.parametrize("name", capabilities.NAMES)
def all_that_is_promised_was_asked_for(name):
    promised = {method for field in attrs.fields(types.ServerCapabilities)
                if field.name != "position_encoding" and (promise := getattr(PROMISED[name], field.name))
                for method in _methods(field.name, promise)}
    assert len(promised) > 15
    assert promised - SENT[name] == set()
    assert set(PROMISED[name].execute_command_provider.commands) == {
        command for command in COMMANDS[name] if command != "critic.nothing"}


def every_method_of_the_server_came_up():
    """With one of the clients or another; a method is what the sources have in quotes, where they speak LSP."""
    named = set()
    paths = glob.glob(os.path.join(TOP, "Sources/CriticLSP/**/*.swift"), recursive=True)
    for path in [path for path in paths if not re.search("/(MCP|Word|Export)/", path)]:
        with open(path) as source:
            named |= set(re.findall(r'"((?:\$|[a-z]\w+)/[a-zA-Z/]+)"', source.read()))
    assert len(named) > 35
    assert named - set().union(*SENT.values(), *RECEIVED.values()) == set()
