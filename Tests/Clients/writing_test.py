"""Typing, saving, tracking and not, and what comes of edits that are not applied."""

from lsprotocol import types

from text import NOVEL


async def what_is_typed_is_put_into_marks_after_a_pause(client):
    novel = client.open(NOVEL)
    novel.type("old ", before="quick")
    await novel.becomes(NOVEL.replace("quick", "{++old ++}quick"))
    assert (await client.command("status", novel))["pending"] == 0


async def what_is_typed_over_a_word_is_a_substitution(client):
    novel = client.open("One 🦊 word\n")
    novel.edit("word", "phrase")
    await novel.becomes("One 🦊 {~~word~>phrase~~}\n")


async def an_edit_that_is_refused_is_made_again_of_the_text_as_it_is_then(client):
    client.refusal = "The user is busy."
    novel = client.open(NOVEL)
    novel.type("old ", before="quick")
    await client.until(lambda: types.WORKSPACE_APPLY_EDIT in client.protocol.received, "an edit is to be sent")
    assert novel.text == NOVEL.replace("quick", "old quick")
    client.refusal = None
    novel.type("very ", before="old")
    await novel.becomes(NOVEL.replace("quick", "{++very old ++}quick"))


async def saving_puts_what_is_pending_into_marks(client):
    novel = client.open("One word\n")
    await client.command("toggleTracking", novel, on=True)
    novel.type("more ", before="word")
    params = types.WillSaveTextDocumentParams(novel.identifier, types.TextDocumentSaveReason.Manual)
    assert client.server.text_document_sync.will_save_wait_until
    novel.apply(await client.text_document_will_save_wait_until_async(params) or [])
    assert novel.text == "One {++more ++}word\n"
    client.text_document_did_save(types.DidSaveTextDocumentParams(novel.identifier))
    assert not await client.text_document_will_save_wait_until_async(params)
    assert (await client.command("status", novel))["pending"] == 0


async def formatting_puts_what_is_pending_into_marks(client):
    novel = client.open("One word\n")
    novel.type("more ", before="word")
    params = types.DocumentFormattingParams(novel.identifier, types.FormattingOptions(2, True))
    synchronization = client.capabilities.text_document.synchronization
    assert bool(client.server.document_formatting_provider) != bool(synchronization.will_save_wait_until)
    novel.apply(await client.text_document_formatting_async(params) or [])
    assert novel.text == "One {++more ++}word\n"


async def the_command_mark_does_not_wait_for_the_pause(client):
    client.set_configuration({"tracking": "on", "marking": "command"}, section="critic")
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    novel = client.open("One word\n")
    novel.type("more ", before="word")
    assert await client.command("mark", novel) is None
    await novel.becomes("One {++more ++}word\n")


async def what_is_undone_stays_undone(client):
    novel = client.open("One word\n")
    novel.type("more ", before="word")
    await novel.becomes("One {++more ++}word\n")
    novel.edit("{++more ++}", "more ")
    novel.edit("more ", "")
    await client.command("mark", novel)
    status = await client.command("status", novel)
    assert (novel.text, status["changes"], status["pending"]) == ("One word\n", 0, 0)


async def tracking_is_turned_off_and_on(client):
    novel = client.open("One word\n")
    assert await client.command("toggleTracking", novel) is False
    novel.type("plain ", before="word")
    assert (await client.command("status", novel))["pending"] == 0
    assert await client.command("toggleTracking", novel) is True
    novel.type("more ", before="word")
    await novel.becomes("One plain {++more ++}word\n")


async def a_document_that_was_closed_is_known_no_more(client):
    novel = client.open(NOVEL)
    client.text_document_did_close(types.DidCloseTextDocumentParams(novel.identifier))
    assert not await client.text_document_document_symbol_async(types.DocumentSymbolParams(novel.identifier))
