"""Undo and redo are the user's: what they bring back is never marked again behind the user's back."""

from scenarios import TEXT, scenario, sentence

MOST_STEPS = 15


@scenario()
def undo_goes_back_to_the_original_and_redo_all_the_way_forward(editor):
    marked = change_three_places(editor)
    back(editor, TEXT)
    forth(editor, marked)
    editor.saves(marked)


@scenario()
def undo_of_what_was_marked_outside_insert_mode_is_not_fought(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.")
    editor.escape()
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes.++}"))
    back(editor, TEXT)
    forth(editor, sentence("The quick brown fox jumps.{++ Yes.++}"))


@scenario()
def undo_of_a_deletion_is_not_fought(editor):
    editor.delete("brown")
    editor.becomes(sentence("The quick {--brown --}fox jumps."))
    back(editor, TEXT)
    forth(editor, sentence("The quick {--brown --}fox jumps."))


@scenario()
def typing_after_undo_is_marked_as_ever(editor):
    change_three_places(editor)
    back(editor, TEXT)
    editor.insert_before("brown")
    editor.type("dark ")
    editor.becomes(sentence("The quick {++dark ++}brown fox jumps."))
    editor.escape()
    editor.saves(sentence("The quick {++dark ++}brown fox jumps."))


@scenario()
def typing_after_a_part_was_undone_keeps_what_is_left(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.delete("fox")
    editor.becomes(sentence("The quick {++very ++}brown {--fox --}jumps."))
    # One step back takes the deletion's mark away, or the deletion with its mark.
    step(editor, editor.undo)
    editor.insert_at_end_of_line("The end")
    editor.type(" Yes.")
    editor.lets_mark()
    # Emacs tells of each mark by itself.
    editor.wait("the new addition", lambda: "The end.{++ Yes.++}" in editor.text and "fox" in editor.text)
    editor.escape()
    text = editor.stays()
    editor.saves(text)
    if "{++very ++}" not in text:
        raise AssertionError(f"the first addition is gone: {text!r}")


def change_three_places(editor):
    """In insert mode with a pause, in normal mode, and in insert mode without a pause; returns what it comes to."""
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.type("dark ")
    editor.becomes(sentence("The quick {++very dark ++}brown fox jumps."))
    editor.escape()
    editor.delete("fox")
    editor.becomes(sentence("The quick {++very dark ++}brown {--fox --}jumps."))
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.")
    editor.escape()
    marked = sentence("The quick {++very dark ++}brown {--fox --}jumps.{++ Yes.++}")
    editor.becomes(marked)
    return marked


def back(editor, text):
    for _ in range(MOST_STEPS):
        if step(editor, editor.undo) == text:
            editor.becomes(text)
            return
    raise AssertionError(f"{MOST_STEPS} times undo did not lead back to {text!r}: {editor.text!r}")


def forth(editor, text):
    for _ in range(MOST_STEPS):
        if step(editor, editor.redo) == text:
            editor.becomes(text)
            return
    raise AssertionError(f"{MOST_STEPS} times redo did not lead to {text!r}: {editor.text!r}")


def step(editor, command):
    """Undoes or redoes once; what that leaves must stay. Returns it."""
    before = editor.text
    command()
    editor.wait("undo or redo to change the text", lambda: editor.text != before)
    editor.comes_to_rest()
    text = editor.stays()
    editor.becomes(text)
    return text


CODE = "Before it.\n\n```\ncode abc\n```\n\nAfter it.\n"


@scenario(text=CODE)
def undo_after_a_change_in_fenced_code_leaves_the_fences(editor):
    editor.find("abc")
    editor.press(*{"neovim": "x", "vim": "x", "helix": ";d", "emacs": ["C-d"]}[editor.family])
    editor.lets_mark()
    editor.insert_at_end_of_line("After")
    editor.type(" More.")
    editor.escape()
    editor.lets_mark()
    editor.wait("the marks", lambda: "{++ More.++}" in editor.text and "{~~" in editor.text)
    back(editor, CODE)


PLAIN = "one x two three.\n\nThe end.\n"


@scenario(text=PLAIN, only=("helix",))
def undo_and_redo_over_a_deletion_and_two_insertions_are_left_alone(editor):
    editor.find("x")
    editor.press("d")
    editor.insert_before("three")
    editor.type("abcd")
    editor.escape()
    editor.press("h", "h")
    editor.insert("i")
    editor.type("ZZ")
    marked = PLAIN.replace("x", "{--x--}").replace("three", "{++abZZcd++}three")
    editor.becomes(marked)
    editor.escape()
    steps = ("one  two abcdthree.", "one  two three.", "one x two three.")
    for line in steps:
        editor.undo()
        editor.becomes(PLAIN.replace(steps[-1], line))
        editor.stays()
    for line in reversed(steps[:-1]):
        editor.redo()
        editor.becomes(PLAIN.replace(steps[-1], line))
        editor.stays()
    editor.redo()
    editor.becomes(marked)
    editor.stays()


@scenario(text=PLAIN, only=("helix",))
def undo_and_redo_over_a_deleted_word_and_a_typed_one_are_left_alone(editor):
    editor.press("g", "g", "w", "d")
    editor.insert("A")
    editor.type(" well")
    marked = PLAIN.replace("one ", "{--one --}").replace("three.", "three.{++ well++}")
    editor.becomes(marked)
    editor.escape()
    for text in (PLAIN.replace("one ", ""), PLAIN):
        editor.undo()
        editor.becomes(text)
        editor.stays()
    for text in (PLAIN.replace("one ", ""), marked):
        editor.redo()
        editor.becomes(text)
        editor.stays()
