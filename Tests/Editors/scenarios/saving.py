"""Saving marks what is still pending, wherever the editor gives the server a chance to."""

from scenarios import TEXT, scenario, sentence
from scenarios.undoing import back, forth

# Neovim 0.11 and Emacs ask by willSaveWaitUntil, Helix and Vim by textDocument/formatting; Neovim 0.7 does neither by itself.
ON_SAVE = dict(auto_format=True, only=("neovim-0.11", "vim", "helix", "emacs"))
# Nothing is marked by the idle timer in these.
NEVER = {"idleDelay": 600_000}


@scenario(settings=NEVER, **ON_SAVE)
def saving_marks_what_is_pending(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.saves(
        sentence("The quick {++very ++}brown fox jumps."),
        clean=sentence("The quick very brown fox jumps."),
    )
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


@scenario(settings=NEVER, **ON_SAVE)
def saving_twice_marks_once_and_goes_on(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.")
    editor.escape()
    editor.saves(sentence("The quick brown fox jumps.{++ Yes.++}"))
    editor.delete("quick")
    # Helix can ask for the marks before it tells of the deletion.
    editor.comes_to_rest()
    editor.saves(sentence("The {--quick --}brown fox jumps.{++ Yes.++}"))
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.saves(sentence("The {--quick --}brown {++red ++}fox jumps.{++ Yes.++}"))


@scenario(**ON_SAVE)
def undo_of_what_saving_marked_is_not_fought(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.saves(marked)
    editor.becomes(marked)
    back(editor, TEXT)
    forth(editor, marked)


@scenario()
def what_was_saved_unmarked_is_marked_when_the_user_pauses(editor):
    """In every editor, also in one that tells the server nothing before it saves."""
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.save()
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.saves(marked)
