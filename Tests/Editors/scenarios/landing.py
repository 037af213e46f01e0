"""Accepting everything: the edit comes when it comes, is few edits, is one step of undo, and is never marked."""

from scenarios import BY_ITSELF, scenario

LINE = "Line {}: the {{++quick ++}}fox {{--lazily --}}jumps over the {{~~lazy~>sleepy~~}} dog.\n"
ACCEPTED = "Line {}: the quick fox jumps over the sleepy dog.\n"
OPTIONS = dict(plug_in=True, our_keys=True)
# Vim tells of an edit that comes between two keys only after the next key.
LATE = dict(only=BY_ITSELF, **OPTIONS)


def lines(count, line=LINE):
    return "".join(line.format(number) for number in range(1, count + 1))


def accept_all(editor):
    if editor.family == "helix":
        return editor.choose_action("accept all", "changes")
    if editor.family == "vim":
        return editor.execute("acceptAll")
    editor.command({"neovim": "CriticAcceptAll", "emacs": "critic-accept-all"}[editor.family])


def toggle(editor):
    if editor.family == "helix":
        return editor.choose_action("tracking changes")
    if editor.family == "vim":
        return editor.our_key("t")
    editor.command({"neovim": "CriticToggle", "emacs": "critic-toggle-tracking"}[editor.family])


def is_accepted(editor, count):
    """Waits for all of it, and for nothing that comes after it, though it could be taken for the user's."""
    accepted = lines(count, ACCEPTED)
    editor.wait("all to be accepted", lambda: editor.text == accepted)
    editor.pause(1)
    editor.stays()


def accept_all_late(editor, seconds):
    editor.find("3")
    if seconds:
        editor.hold()
    accept_all(editor)
    if seconds:
        editor.held()
        editor.pause(seconds)
        editor.let_go()
    is_accepted(editor, 5)
    editor.wait("the caret where it was", lambda: editor.caret_is_on("3: the quick"))
    editor.undo()
    editor.becomes(lines(5))
    editor.stays()
    editor.redo()
    is_accepted(editor, 5)
    editor.saves_plain(lines(5, ACCEPTED))


@scenario(text=lines(5), **OPTIONS)
def all_changes_are_accepted_at_once(editor):
    accept_all_late(editor, 0)


@scenario(text=lines(5), **LATE)
def all_changes_are_accepted_though_the_edit_comes_half_a_second_late(editor):
    accept_all_late(editor, 0.5)


@scenario(text=lines(5), **LATE)
def all_changes_are_accepted_though_the_edit_comes_two_seconds_late(editor):
    accept_all_late(editor, 2)


@scenario(text=lines(5), **LATE)
def all_changes_are_accepted_though_the_edit_comes_five_seconds_late(editor):
    accept_all_late(editor, 5)


@scenario(text=lines(300), **OPTIONS)
def all_changes_of_three_hundred_lines_are_accepted(editor):
    editor.find("3")
    accept_all(editor)
    is_accepted(editor, 300)
    editor.wait("the caret where it was", lambda: editor.caret_is_on("3: the quick"))
    editor.undo()
    editor.wait("the text before", lambda: editor.text == lines(300))
    editor.stays()


@scenario(text=lines(5), **OPTIONS)
def tracking_that_is_stopped_right_after_accepting_ends_when_all_is_accepted(editor):
    editor.find("3")
    accept_all(editor)
    toggle(editor)
    is_accepted(editor, 5)
    editor.insert_before("jumps")
    editor.type("cat ")
    editor.escape()
    editor.becomes(lines(5, ACCEPTED).replace("jumps", "cat jumps", 1))
    editor.stays()


@scenario(text=lines(5), **OPTIONS)
def what_is_typed_right_after_accepting_all_is_marked_and_nothing_else(editor):
    editor.find("3")
    accept_all(editor)
    editor.insert_before("jumps")
    editor.type("leaps and ")
    editor.escape()
    editor.becomes(lines(5, ACCEPTED).replace("jumps", "{++leaps and ++}jumps", 1))
    editor.stays()


@scenario(text=lines(5), **OPTIONS)
def undo_right_after_accepting_all_brings_all_changes_back(editor):
    editor.find("3")
    accept_all(editor)
    # Undo that is there before the edit has nothing to take back.
    editor.sees(ACCEPTED.format(5).strip())
    editor.undo()
    editor.becomes(lines(5))
    editor.pause(1)
    editor.stays()


@scenario(text=lines(5), **OPTIONS)
def saving_right_after_accepting_all_ends_in_the_accepted_text(editor):
    editor.find("3")
    accept_all(editor)
    editor.save()
    is_accepted(editor, 5)
    editor.saves_plain(lines(5, ACCEPTED))
