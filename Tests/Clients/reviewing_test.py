"""Accept, reject, comment: as code actions and as commands."""

import asyncio

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from text import NOVEL

COMMENTED = "{~~jumps~>leaps~~}{>>@ada: [tone] see https://example.org<<}{>>agreed<<}"


# The actions at words, and those with these words in their titles.
async def _actions(client, novel, words, only=None, diagnostics=(), titled=""):
    context = types.CodeActionContext(diagnostics, only, types.CodeActionTriggerKind.Invoked)
    params = types.CodeActionParams(novel.identifier, novel.range(words), context)
    return [action for action in await client.text_document_code_action_async(params) if titled in action.title]


# What the user chooses: resolved where it is not whole, then the edit, then the command.
async def _choose(client, action):
    if action.data is not None:
        assert client.server.code_action_provider.resolve_provider
        action = await client.code_action_resolve_async(action)
    assert action.edit or action.command
    if action.edit:
        assert client.apply(action.edit).applied
    if action.command:
        await client.workspace_execute_command_async(
            types.ExecuteCommandParams(action.command.command, action.command.arguments))


async def a_change_is_accepted_or_rejected_by_a_code_action(client):
    for verb, after in (("Accept", "jumps"), ("Reject", "leaps")):
        novel = client.open(NOVEL.replace(COMMENTED, "{~~leaps~>jumps~~}"), f"file:///{verb}.md")
        accept, reject = await _actions(client, novel, "leaps", [types.CodeActionKind.QuickFix])
        assert accept.title == "Accept “leaps” → “jumps”" and accept.is_preferred and not reject.is_preferred
        await _choose(client, accept if verb == "Accept" else reject)
        await novel.becomes(NOVEL.replace(COMMENTED, after))


async def all_is_accepted_by_a_code_action(client):
    novel = client.open(NOVEL)
    actions = await _actions(client, novel, "very", [types.CodeActionKind.Source], titled="Accept all 4 changes")
    assert [action.kind for action in actions] == ["source.critic.acceptAll"]
    await _choose(client, actions[0])
    clean = await client.command("export", novel, variant="clean")
    # What is no change stays.
    await novel.becomes(clean.replace("now.", "{==now==}{>>why?<<}."))
    assert "quick very brown fox leaps over" in novel.text


async def a_comment_with_a_category_is_written_by_a_code_action(client):
    novel = client.open(NOVEL)
    kind = "refactor.rewrite.critic.comment.clarity"
    action, = await _actions(client, novel, "very", [kind])
    assert action.kind == kind
    await _choose(client, action)
    await novel.becomes(NOVEL.replace("very ++}", "very ++}{>>[clarity] <<}"))


async def a_comment_is_begun_by_a_code_action_and_the_caret_put_into_it(client):
    novel = client.open(NOVEL)
    await _choose(client, (await _actions(client, novel, "very", titled="Comment on"))[0])
    await novel.becomes(NOVEL.replace("very ++}", "very ++}{>><<}"))
    if client.shows_documents:
        await client.until(lambda: client.shown_documents, "the caret is to be shown")
        shown = client.shown_documents[0]
        assert shown.uri == novel.uri and shown.take_focus
        assert shown.selection.start == shown.selection.end == novel.at("{>><<}", 3)


async def what_an_editor_asks_for_at_every_step_of_the_caret_is_worked_out_when_it_is_chosen(client):
    novel = client.open(NOVEL)
    context = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Automatic)
    params = types.CodeActionParams(novel.identifier, novel.range("jumps"), context)
    actions = await client.text_document_code_action_async(params)
    split, = [action for action in actions if action.title.startswith("Split")]
    assert (split.edit is None) == bool(client.server.code_action_provider.resolve_provider)
    await _choose(client, split)
    await novel.becomes(NOVEL.replace("{~~jumps~>leaps~~}", "{--jumps--}{++leaps++}"))


async def every_code_action_can_be_carried_out(client):
    """Each in a document of its own: an edit that fits, or a command that is done."""
    titles = [action.title for action in await _actions(client, client.open(NOVEL), COMMENTED)]
    assert len(titles) > 10
    for number, title in enumerate(titles):
        novel = client.open(NOVEL, f"file:///{number}.md")
        action, = [action for action in await _actions(client, novel, COMMENTED) if action.title == title]
        if action.disabled is None:
            await _choose(client, action)


async def what_cannot_be_done_says_why_where_the_client_shows_it(client):
    novel = client.open(NOVEL)
    actions = await _actions(client, novel, "brown", ["refactor.rewrite.critic.splitSubstitution"])
    if client.capabilities.text_document.code_action.disabled_support:
        assert [bool(action.disabled.reason) for action in actions] == [True]
    else:
        assert actions == []


async def a_mark_that_is_malformed_is_fixed_by_a_quick_fix(client):
    novel = client.open("Some {++text.\n")
    listed = await _list(client, novel)
    assert [(item.code, novel.words(item.range)) for item in listed] == [("unclosed-mark", "{++")]
    actions = await _actions(client, novel, "{++", [types.CodeActionKind.QuickFix], listed)
    assert [action.title for action in actions[:2]] == ["Write “\\{++”: it is text", "Close the addition"]
    assert actions[0].is_preferred and list(actions[0].diagnostics) == [listed[0]]
    await _choose(client, actions[1])
    await novel.becomes("Some {++text.++}\n")


# The list of changes as the client has it: asked for, or sent.
async def _list(client, novel):
    if client.server.diagnostic_provider:
        params = types.DocumentDiagnosticParams(novel.identifier)
        return (await client.text_document_diagnostic_async(params)).items
    await client.until(lambda: novel.uri in client.diagnostics, "the list of changes is to be sent")
    return client.diagnostics[novel.uri]


async def the_list_of_changes_is_in_the_order_of_the_document(client):
    novel = client.open(NOVEL)
    listed = await _list(client, novel)
    assert [item.code for item in listed] == ["addition", "substitution", "deletion", "highlight", "deletion"]
    assert {item.source for item in listed} == {"critic"}
    assert listed[0].severity == types.DiagnosticSeverity.Information
    assert listed[1].message.startswith("“jumps” → “leaps”") and "agreed" in listed[1].message
    announced = client.capabilities.text_document.publish_diagnostics
    related = [novel.words(related.location.range) for related in listed[1].related_information or []]
    assert related == ([
        "{>>@ada: [tone] see https://example.org<<}", "{>>agreed<<}"] if announced.related_information else [])
    tags = [types.DiagnosticTag.Unnecessary, types.DiagnosticTag.Deprecated][1:] if announced.tag_support else []
    assert list(listed[2].tags or []) == tags


async def the_list_is_not_told_again_when_nothing_changed(client):
    if not client.server.diagnostic_provider:
        assert client.capabilities.text_document.diagnostic is None
        return
    novel = client.open(NOVEL)

    async def pulled(known=None):
        params = types.DocumentDiagnosticParams(novel.identifier, previous_result_id=known)
        return await client.text_document_diagnostic_async(params)

    first = await pulled()
    assert (await pulled(first.result_id)).kind == "unchanged"
    novel.edit("dog", "hog")
    again = await pulled(first.result_id)
    assert again.kind == "full" and any("hog" in item.message for item in again.items)
    assert client.diagnostics == {}


async def a_long_list_holds_nothing_up(client):
    if not client.server.diagnostic_provider:
        return
    novel = client.open("".join(f"Line {number} has {{++one ++}}change.\n\n" for number in range(20_000)))
    params = types.DocumentDiagnosticParams(novel.identifier)
    asked = asyncio.ensure_future(client.text_document_diagnostic_async(params))
    await asyncio.sleep(0)
    # It is answered first though it was asked later.
    assert await client.text_document_hover_async(types.HoverParams(**novel.place("one", 1)))
    assert not asked.done()
    listed = (await asked).items
    assert len(listed) == 2001
    assert listed[0].message == "Added “one ” in “Line 0 has […]change.”"
    assert listed[-1].message == "18000 more changes are not listed."


# Each command with its arguments, and what becomes of a text; at `here`, if that is in it.
EDITING = {
    "accept": ("a {++b++} c", {}, "a b c"),
    "reject": ("a {++b++} c", {}, "a  c"),
    "comment": ("a {++b++} c", {"text": "why"}, "a {++b++}{>>why<<} c"),
    "editComment": ("a {++b++}{>>why<<} c", {"text": "so"}, "a {++b++}{>>so<<} c"),
    "removeComment": ("a {++b++}{>>why<<} c", {}, "a {++b++} c"),
    "resolveComment": ("a {++b++}{>>@ada: why<<} c", {}, "a {++b++}{>>@ada: [resolved] why<<} c"),
    "highlight": ("a b c", {}, "a {==b==} c"),
    "joinSubstitution": ("a {--b--}{++c++}", {}, "a {~~b~>c~~}"),
    "splitSubstitution": ("a {~~b~>c~~}", {}, "a {--b--}{++c++}"),
    "takeAlternative": (
        "a {++b++}{>>@ada: [conflict]<<}{++c++}{>>@bo: [conflict]<<}", {"author": "bo"}, "a c"
    ),
    "acceptAll": ("a {++b++} {--c--}", {}, "a b "),
    "removeAnnotations": ("a {==b==} {--c--}{>>d<<}", {}, "a b {--c--}"),
    "rejectAll": ("a {++b++} {--c--}", {"kind": "deletion"}, "a {++b++} c"),
}


@pytest.mark.parametrize("name", EDITING)
async def a_command_edits(client, name):
    before, arguments, after = EDITING[name]
    novel = client.open(f"{before} 🦊\n")
    here = client.plain(novel.range("b"))
    assert await client.command(name, novel, range=here, **arguments) is None
    await novel.becomes(f"{after} 🦊\n")


async def a_command_mends(client):
    novel = client.open("a {++b")
    await client.command("fix", novel, fix="escape", range=client.plain(novel.range("{++")))
    await novel.becomes("a \\{++b")


async def commands_lead_from_change_to_change(client):
    novel = client.open(NOVEL)
    goes = [("next", "{++very", "{~~jumps~>leaps~~}"), ("previous", "{~~jumps", "{++very ++}"),
            ("nextUncommented", "{++very", "{--lazy --}"), ("next", "{--A long", "{++very ++}")]
    for name, start, end in goes:
        found = await client.command(name, novel, position=client.plain(novel.at(start)))
        assert found["uri"] == novel.uri and novel.words(found["range"]) == end
    if client.shows_documents:
        await client.until(lambda: len(client.shown_documents) == len(goes), "each is to be shown")
        assert client.shown_documents[0].selection.start == novel.at("{~~jumps")
    else:
        assert client.shown_documents == []


async def a_change_is_accepted_or_rejected_and_the_next_one_gone_to(client):
    novel = client.open(NOVEL)
    for name, start, new, end in [("acceptAndNext", "{++very", NOVEL.replace("{++very ++}", "very "), "{~~jumps~>leaps~~}"),
                                  ("rejectAndNext", "{--lazy", NOVEL.replace("{++very ++}", "very ").replace(
                                      "{--lazy --}", "lazy "), "{==now==}")]:
        found = await client.command(name, novel, position=client.plain(novel.at(start)))
        await novel.becomes(new)
        assert novel.words(found["range"]) == end


async def a_reason_is_given_for_one_change_after_another(client):
    novel = client.open(NOVEL)
    first = await client.command("annotate", novel)
    assert (first["new"], first["left"]) == ("very ", 3)
    then = await client.command("annotate", novel, range=first["range"], text="stronger")
    await novel.becomes(NOVEL.replace("very ++}", "very ++}{>>stronger<<}"))
    assert novel.words(then["range"]) == "{--lazy --}" and then["left"] == 2


async def commands_answer_questions(client):
    novel = client.open(NOVEL)
    status = await client.command("status", novel)
    assert status == {"tracking": True, "marking": "idle", "marks": "inline", "changes": 4, "commented": 1, "uncommented": 3, "open": 2, "resolved": 0, "pending": 0,
                      "at": None, "authors": [{"author": "ada", "changes": 1}], "waiting": 0,
                      "summary": "4 changes, 3 uncommented, 2 threads"}
    changes = await client.command("changes", novel)
    assert [(change["number"], change["kind"], change["old"], change["new"]) for change in changes[:2]] == [
        (1, "addition", "", "very "), (2, "substitution", "jumps", "leaps")]
    assert changes[1]["comments"] == ["@ada: [tone] see https://example.org", "agreed"]
    assert [novel.words(change["range"]) for change in changes][3:4] == ["{==now==}"]
    texts = {variant: await client.command("export", novel, variant=variant) for variant in ("clean", "original", "markup")}
    assert texts["markup"] == NOVEL
    assert "The quick brown fox jumps over 🦊 the\nlazy dog now." in texts["original"]
    assert "The quick very brown fox leaps over 🦊 the\ndog now." in texts["clean"]


async def a_wrong_argument_is_named(client):
    novel = client.open(NOVEL)
    wrong = [("accept", {}, "range"), ("export", {"variant": "dirty"}, "variant"), ("comment", {"text": 1}, "text"),
             ("accept", {"change": 99}, "change"), ("nothing", {}, "critic.nothing")]
    for name, arguments, word in wrong:
        with pytest.raises(JsonRpcException) as refused:
            await client.command(name, novel, **arguments)
        assert refused.value.code == types.ErrorCodes.InvalidParams.value
        assert word in refused.value.message


async def what_there_is_nothing_to_do_with_is_an_error_that_says_so(client):
    novel = client.open(NOVEL)
    with pytest.raises(JsonRpcException) as refused:
        await client.command("accept", novel, range=client.plain(novel.range("brown")))
    assert refused.value.code == types.LSPErrorCodes.RequestFailed.value
    assert refused.value.message.endswith(".") and "\n" not in refused.value.message
    assert novel.text == NOVEL
