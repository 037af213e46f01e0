"""What another program wrote into a document that is open, and what becomes of it."""

import subprocess

from lsprotocol import types

from conftest import SERVER


# A document with a file, which another program has written and the editor has read again.
async def _written_by_another(client, new):
    path = client.folder / "draft.md"
    path.write_text("One two three.\n")
    novel = client.open(path.read_text(), path.as_uri())
    # By the time that this is marked the server has looked at the file.
    novel.type("and ", before="two")
    await novel.becomes("One {++and ++}two three.\n")
    path.write_text(new)
    novel.apply([types.TextEdit(novel.whole, new)])
    if client.asks_questions:
        await client.until(lambda: client.questions, "the user is to be asked")
        question, = client.questions
        assert question.message == "draft.md was changed by another program."
        assert [action.title for action in question.actions] == ["Record what was changed meanwhile", "Take as original"]
    else:
        await client.until(lambda: client.messages, "the user is to be told")
        assert client.messages[0].message == "draft.md was changed by another program."
    assert novel.text == new
    return novel


async def what_another_program_wrote_is_recorded_if_the_user_wants_it(client):
    novel = await _written_by_another(client, "One two and three.\n")
    await client.command("recordMeanwhile", novel)
    await novel.becomes("One two {++and ++}three.\n")


async def what_another_program_wrote_is_the_original_if_the_user_wants_it(client):
    novel = await _written_by_another(client, "One two and three.\n")
    await client.command("takeAsOriginal", novel)
    novel.type("more ", before="three")
    await novel.becomes("One two and {++more ++}three.\n")


async def _fixed_by_another(client, text):
    """A spelling checker that knows no marks edits a text with some, and the editor reads it again; the text before."""
    path = client.folder / "draft.md"
    path.write_text(text)
    novel = client.open(path.read_text(), path.as_uri())
    # By the time that this is marked the server has looked at the file.
    novel.type("so ", before="three")
    text = text.replace("three", "{++so ++}three")
    await novel.becomes(text)
    new = text.replace("recieve", "receive")
    path.write_text(new)
    novel.apply([types.TextEdit(novel.whole, new)])
    await client.until(lambda: client.questions or client.messages, "the user is to be asked or told")
    return novel, text


async def deleted_text_that_a_spelling_checker_corrects_can_be_had_back(client):
    novel, text = await _fixed_by_another(client, "One {--recieve--} two three{>>why<<}.\n")
    asked, = client.questions or client.messages
    assert asked.message == "draft.md was changed by another program."
    await client.command("recordMeanwhile", novel)
    await client.until(lambda: "recieve" in novel.text, "the original is to be as it was")
    assert "{>>why<<}" in novel.text
    for command in ("accept", "reject"):
        readings = [
            subprocess.run([*SERVER, command, "-"], input=each.encode(), capture_output=True, check=True).stdout
            for each in (novel.text, text)
        ]
        assert readings[0] == readings[1]


async def added_text_that_a_spelling_checker_corrects_is_told_and_nothing_is_asked(client):
    novel, text = await _fixed_by_another(client, "One {++and recieve++} two three.\n")
    assert not client.questions
    assert [told.message for told in client.messages] == ["draft.md was changed by another program; its original is the same."]
    assert novel.text == text.replace("recieve", "receive")


# A document with twenty changes and comments.
HENS = "".join(
    f"In chapter {number} the {{~~red~>blue~~}} hen of house {number} walks over the hill{{>>@anna: which?<<}} to see the fox.\n"
    for number in range(10)
)
HENS_CLEAN = HENS.replace("{~~red~>blue~~}", "blue").replace("{>>@anna: which?<<}", "")


async def _without_marks(client, new):
    """An agent writes the document anew without its marks, and the editor closes and opens it."""
    path = client.folder / "draft.md"
    path.write_text(HENS)
    novel = client.open(path.read_text(), path.as_uri())
    await client.command("status", novel)
    path.write_text(new)
    client.text_document_did_close(types.DidCloseTextDocumentParams(novel.identifier))
    return client.open(path.read_text(), path.as_uri())


async def the_marks_that_another_program_left_out_are_put_back(client):
    changed = HENS_CLEAN.replace("house 4 walks", "house 4 runs")
    novel = await _without_marks(client, changed)
    await novel.becomes(HENS.replace("house 4 walks", "house 4 {~~walks~>runs~~}"))
    await client.until(lambda: client.messages, "the user is to be told")
    assert [message.message for message in client.messages] == ["draft.md: 20 marks put back."]
    assert not client.questions
    # The editor undoes it.
    novel.apply([types.TextEdit(novel.whole, changed)])
    assert await client.command("mark", novel) is None
    assert novel.text == changed


async def the_marks_of_a_text_that_was_accepted_elsewhere_are_put_back_if_the_user_wants_it(client):
    novel = await _without_marks(client, HENS_CLEAN)
    await client.until(lambda: client.questions or client.messages, "the user is to be asked or told")
    asked, = client.questions or client.messages
    assert asked.message == "draft.md came back without its marks."
    if client.asks_questions:
        assert [action.title for action in asked.actions] == ["Put the marks back", "Leave it"]
    assert novel.text == HENS_CLEAN
    await client.command("recordMeanwhile", novel)
    await novel.becomes(HENS)
