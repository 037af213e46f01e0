"""The server's edits and the user's keys cross on their way; nothing is lost or misplaced."""

from scenarios import BY_ITSELF, scenario, sentence

# Shorter and longer than the pauses after which editors send and the server marks, so that marks come in
# between the keys.
UNEVEN = (0.04, 0.2, 0.09, 0.26, 0.03, 0.12)
LONG = "one two three four five, and all the rest of it "


@scenario(settings={"idleDelay": 20})
def nothing_is_lost_while_marks_arrive_between_the_keys(editor):
    editor.insert_before("brown")
    editor.type(LONG, UNEVEN)
    editor.becomes(sentence(f"The quick {{++{LONG}++}}brown fox jumps."))
    editor.escape()
    editor.stays()
    editor.saves(
        sentence(f"The quick {{++{LONG}++}}brown fox jumps."),
        clean=sentence(f"The quick {LONG}brown fox jumps."),
    )


@scenario(settings={"idleDelay": 20})
def nothing_is_lost_at_the_end_of_a_line_while_marks_arrive(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(f" {LONG}", UNEVEN)
    editor.becomes(sentence(f"The quick brown fox jumps.{{++ {LONG}++}}"))
    editor.escape()
    editor.stays()
    editor.saves(
        sentence(f"The quick brown fox jumps.{{++ {LONG}++}}"),
        clean=sentence(f"The quick brown fox jumps. {LONG}"),
    )


@scenario(settings={"idleDelay": 20})
def nothing_is_lost_while_deletions_are_marked_between_the_keys(editor):
    editor.insert_before("jumps")
    for gap in UNEVEN:
        editor.type("x", (gap,))
        editor.press("BSpace", "BSpace")
        editor.pause(gap)
    # Where the caret is between the marks decides how much a Backspace takes; the original is never lost.
    editor.type("so ")
    editor.escape()
    text = editor.settles()
    editor.saves(text)
    clean = editor.exported("--clean", text)
    if "x" in clean.replace("fox", "") or "so jumps." not in clean:
        raise AssertionError(f"not every x was taken back, or the end is missing: {text!r}")


@scenario(only=BY_ITSELF)
def an_edit_that_comes_late_is_not_misplaced(editor):
    """The user types at the start of the line while the edit for its middle is in flight."""
    editor.insert_before("brown")
    editor.hold()
    editor.type("very ")
    editor.held()
    editor.insert_at_start_of_line()
    editor.type("QWERTY ")
    editor.let_go()
    marked = sentence("{++QWERTY ++}The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.escape()
    editor.stays()
    editor.saves(marked, clean=sentence("QWERTY The quick very brown fox jumps."))


def type_while_an_edit_comes(editor):
    editor.insert_before("brown")
    editor.hold()
    editor.type("very ")
    editor.held()
    editor.insert_at_start_of_line()
    editor.type("QWE")
    editor.let_go()
    editor.type("RTY ")


@scenario(only=BY_ITSELF)
def an_edit_that_comes_in_the_middle_of_a_word_is_not_misplaced(editor):
    type_while_an_edit_comes(editor)
    marked = sentence("{++QWERTY ++}The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.type("UIOP ")
    marked = sentence("{++QWERTY UIOP ++}The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.escape()
    editor.saves(marked, clean=sentence("QWERTY UIOP The quick very brown fox jumps."))


@scenario(only=BY_ITSELF)
def an_edit_that_comes_late_while_typing_goes_on_is_not_misplaced(editor):
    editor.insert_before("brown")
    editor.hold()
    editor.type("very ")
    editor.held()
    editor.type("very ")
    editor.let_go()
    editor.type("dark ")
    marked = sentence("The quick {++very very dark ++}brown fox jumps.")
    editor.becomes(marked)
    editor.escape()
    editor.stays()
    editor.saves(marked)


@scenario(only=BY_ITSELF)
def an_edit_that_comes_very_late_is_not_applied_twice(editor):
    """Later than the second after which the server gives an edit up."""
    editor.insert_before("brown")
    editor.hold()
    editor.type("very ")
    editor.held()
    editor.pause(2)
    editor.let_go()
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.stays()
    editor.escape()
    editor.saves(marked)


@scenario(settings={"idleDelay": 20})
def the_server_ends_with_the_editor(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.quit()
    editor.wait("the server to end", lambda: not editor.server_lives)
