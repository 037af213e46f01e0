"""Settings, the log, the trace, and the end."""

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from text import NOVEL


async def settings_are_asked_for_and_change_at_once(client):
    novel = client.open("One word\n")
    announced = client.capabilities.workspace
    if not announced.configuration:
        assert types.WORKSPACE_CONFIGURATION not in client.protocol.received
        return
    await client.until(lambda: types.WORKSPACE_CONFIGURATION in client.protocol.received, "settings are to be asked for")
    configuration = announced.did_change_configuration
    is_asked_for = bool(configuration and configuration.dynamic_registration)
    assert (types.WORKSPACE_DID_CHANGE_CONFIGURATION in client.registered) == is_asked_for
    client.set_configuration({"tracking": "off"}, section="critic")
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await client.until(lambda: any("settings have changed" in note.message for note in client.log_messages), "a note")
    assert (await client.command("status", novel))["tracking"] is False


async def settings_that_are_sent_are_taken(client):
    novel = client.open("One {++word++}\n")
    for is_shown in (False, True):
        settings = {"critic": {"tracking": "on", "codeLens": is_shown, "author": "Ada"}}
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        if client.can("code_lens"):
            params = types.CodeLensParams(novel.identifier)
            assert bool(await client.text_document_code_lens_async(params)) == is_shown
    await client.command("comment", novel, text="why", change=1)
    await novel.becomes("One {++word++}{>>@Ada: why<<}\n")
    announced = client.capabilities.workspace.code_lens
    if announced and announced.refresh_support:
        await client.until(lambda: types.WORKSPACE_CODE_LENS_REFRESH in client.refreshes, "lenses are to be asked for")


async def what_is_shown_is_asked_for_again_when_a_setting_hides_it(client):
    client.open(NOVEL)
    settings = {"critic": {"inlayHints": False, "semanticTokens": False}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    await client.command("status", client.documents["file:///novel.md"])
    announced = client.capabilities.workspace
    for capability, method in ((announced.inlay_hint, types.WORKSPACE_INLAY_HINT_REFRESH),
                               (announced.semantic_tokens, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH)):
        is_announced = bool(capability and capability.refresh_support)
        assert (method in client.refreshes) == is_announced


async def a_setting_that_is_none_is_told_to_the_user_once(client):
    for _ in range(2):
        settings = {"critic": {"tracking": "sometimes"}}
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    await client.command("status", client.open(NOVEL))
    assert len(client.messages) == 1 and "tracking" in client.messages[0].message
    assert client.messages[0].type == types.MessageType.Warning


async def the_log_begins_with_what_the_client_is_taken_for(client):
    await client.until(lambda: client.log_messages, "the log is to begin")
    assert client.log_messages[0].type in (types.MessageType.Info, types.MessageType.Log)
    assert f"positions in {client.encoding}" in client.log_messages[0].message


async def every_message_is_traced_on_demand(client):
    client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
    await client.command("status", client.open(NOVEL))
    await client.until(lambda: any("didOpen" in trace for trace in client.traces), "a trace")
    client.set_trace(types.SetTraceParams(types.TraceValue.Off))
    await client.command("status", client.documents["file:///novel.md"])
    count = len(client.traces)
    await client.command("status", client.documents["file:///novel.md"])
    assert len(client.traces) == count


async def a_method_that_there_is_not_is_refused(client):
    with pytest.raises(JsonRpcException) as refused:
        await client.text_document_rename_async(types.RenameParams(new_name="new", **client.open(NOVEL).place("fox")))
    assert refused.value.code == types.ErrorCodes.MethodNotFound.value


async def after_shutdown_nothing_is_answered(client):
    await client.shutdown_async(None)
    with pytest.raises(JsonRpcException) as refused:
        await client.workspace_symbol_async(types.WorkspaceSymbolParams(""))
    assert refused.value.code == types.ErrorCodes.InvalidRequest.value
    # The fixture takes leave of a server that is in the middle of its life.
    client.capabilities = None
    client.exit(None)
    await client._server.wait()
