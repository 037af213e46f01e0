"""With the plug-in for Neovim each step of undo has its own marks, and none come while the user types."""

from scenarios import TEXT, scenario, sentence
from scenarios.undoing import step
from twin import play, text_of, twin_of

NEOVIM = dict(only=("neovim",), plug_in=True)
PARAGRAPHS = "One two three four.\n\nFive six seven eight.\n\nNine ten.\n"


@scenario(**NEOVIM)
def a_change_made_again_after_its_undo_is_marked(editor):
    marked = sentence("The quick {--brown --}fox jumps.")
    for _ in range(3):
        editor.delete("brown")
        editor.becomes(marked)
        editor.undo()
        editor.becomes(TEXT)


@scenario(more="join_undo = false", **NEOVIM)
def a_change_made_again_is_marked_where_its_mark_was_undone_by_itself_too(editor):
    editor.delete("brown")
    marked = sentence("The quick {--brown --}fox jumps.")
    editor.becomes(marked)
    assert step(editor, editor.undo) == sentence("The quick fox jumps.")
    assert step(editor, editor.undo) == TEXT
    # Redo is left alone.
    assert step(editor, editor.redo) == sentence("The quick fox jumps.")
    assert step(editor, editor.undo) == TEXT
    editor.delete("brown")
    editor.becomes(marked)


@scenario(**NEOVIM)
def the_same_words_typed_again_after_undo_are_marked(editor):
    for _ in range(2):
        editor.insert_before("brown")
        editor.type("very ")
        editor.escape()
        editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
        editor.undo()
        editor.becomes(TEXT)


@scenario(text=PARAGRAPHS, **NEOVIM)
def two_deletions_within_the_pause_are_undone_each_with_its_mark(editor):
    editor.find("two")
    editor.press("dw", "jj", "0", "dw")
    first = PARAGRAPHS.replace("two ", "{--two --}")
    both = first.replace("Five ", "{--Five --}")
    editor.becomes(both)
    assert step(editor, editor.undo) == first
    editor.saves(first)
    # Saving was no step: redo is still there.
    assert step(editor, editor.redo) == both
    assert step(editor, editor.undo) == first
    assert step(editor, editor.undo) == PARAGRAPHS
    assert step(editor, editor.redo) == first


@scenario(text=PARAGRAPHS, **NEOVIM)
def many_changes_without_a_pause_are_undone_one_by_one(editor):
    keys = ("gg", "x", "w", "dw", "A!", "Escape", "jj", "0", "~", "w", "cw6", "Escape", "jj", "0", "rX")
    for key in keys:
        editor.escape() if key == "Escape" else editor.press(key)
    editor.settles()
    steps = [editor.text]
    while steps[-1] != PARAGRAPHS:
        steps.append(step(editor, editor.undo))
        assert editor.exported("--original", editor.text) == PARAGRAPHS, editor.text
    assert len(steps) == 7, steps
    for text in reversed(steps[:-1]):
        assert step(editor, editor.redo) == text


@scenario(settings={"idleDelay": 1000}, **NEOVIM)
def a_macro_and_a_mapping_are_one_step_with_their_marks(editor):
    editor.press("gg", "jj", "qq", "x", "w", "x", "q")
    editor.rests()
    recorded = editor.text
    assert step(editor, editor.undo) != recorded
    assert step(editor, editor.undo) == TEXT
    editor.press("gg", "jj", "@q")
    editor.rests()
    assert editor.text == recorded, editor.text
    assert step(editor, editor.undo) == TEXT


@scenario(**NEOVIM)
def no_mark_comes_while_the_user_types(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.rests()
    assert editor.text == sentence("The quick very brown fox jumps."), editor.text
    editor.type("dark ")
    editor.rests()
    assert editor.text == sentence("The quick very dark brown fox jumps."), editor.text
    editor.escape()
    editor.becomes(sentence("The quick {++very dark ++}brown fox jumps."))


@scenario(**NEOVIM)
def what_is_marked_by_name_is_marked_while_the_user_types(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("C-o", ":CriticMark", "Enter")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


@scenario(settings={"markWhileTyping": True}, **NEOVIM)
def marks_come_while_the_user_types_if_that_is_wanted(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


WRAPPED = "vim.o.formatoptions = 'tcqa'\nvim.o.textwidth = 40\n"
LINES = "The quick brown fox jumps over the lazy\ndog and goes on to the end of the line\nwhere it stops.\n"


def as_in_the_twin(editor, *rounds):
    with twin_of(editor) as twin:
        for keys in rounds:
            play(editor, keys)
            play(twin, keys, pauses=False)
        editor.settles(clean=text_of(twin))


@scenario(text=LINES, lua="vim.api.nvim_create_autocmd('FileType', { callback = function() vim.bo.formatoptions, vim.bo.textwidth = 'tqa', 40 end })\n", **NEOVIM)
def with_automatic_formatting_the_text_is_what_it_is_without_marks(editor):
    as_in_the_twin(editor, "/lazy Enter i new␣words␣ | that␣are␣typed␣ | on␣and␣on␣ | Escape |")
