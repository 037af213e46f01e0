"""What another program wrote into a document that is open, and what becomes of it."""

from lsprotocol import types


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
