"""Accept and reject through the editor's own menu of code actions."""

from scenarios import scenario

CHANGED = "The {++very ++}quick {--brown --}fox {~~jumps~>leaps~~}.\n\nThe {++real ++}end.\n"


@scenario(text=CHANGED)
def the_change_at_the_caret_is_accepted(editor):
    editor.find("very")
    editor.choose_action("accept", "very")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))


@scenario(text=CHANGED)
def the_change_at_the_caret_is_rejected(editor):
    editor.find("leaps")
    editor.choose_action("reject", "leaps")
    editor.becomes(CHANGED.replace("{~~jumps~>leaps~~}", "jumps"))


@scenario(text=CHANGED)
def the_changes_in_the_selection_are_accepted(editor):
    editor.select_line("quick")
    editor.choose_action("accept", "selection")
    editor.becomes("The very quick fox leaps.\n\nThe {++real ++}end.\n")


@scenario(text=CHANGED)
def the_changes_in_the_selection_are_rejected(editor):
    editor.select_line("quick")
    editor.choose_action("reject", "selection")
    editor.becomes("The quick brown fox jumps.\n\nThe {++real ++}end.\n")


@scenario(text=CHANGED)
def all_changes_are_accepted(editor):
    editor.find("fox")
    editor.choose_action("accept all", "changes")
    editor.becomes("The very quick fox leaps.\n\nThe real end.\n")
    editor.stays()


@scenario(text="The quick brown fox jumps.\n\nThe end.\n")
def what_was_typed_is_rejected_and_then_back_by_undo(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes("The quick {++very ++}brown fox jumps.\n\nThe end.\n")
    editor.escape()
    editor.find("very")
    editor.choose_action("reject", "very")
    editor.becomes("The quick brown fox jumps.\n\nThe end.\n")
    editor.stays()
    editor.undo()
    editor.becomes("The quick {++very ++}brown fox jumps.\n\nThe end.\n")
    editor.stays()
