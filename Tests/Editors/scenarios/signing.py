"""Changes that say who made them, where others have signed theirs."""

from scenarios import scenario, sentence
from scenarios.undoing import back, forth

SIGNED = {"author": "anna", "attribution": "author"}
OTHERS = sentence("The {++quick ++}{>>@bo<<}brown fox jumps.")


@scenario(settings=SIGNED)
def what_is_typed_is_signed_and_typed_on_and_undone(editor):
    editor.insert_before("brown")
    editor.type("dark ")
    editor.lets_mark()
    marked = sentence("The quick {++dark ++}{>>@anna<<}brown fox jumps.")
    editor.becomes(marked)
    editor.escape()
    editor.delete("fox")
    signed = sentence("The quick {++dark ++}{>>@anna<<}brown {--fox --}{>>@anna<<}jumps.")
    editor.becomes(signed)
    back(editor, sentence("The quick brown fox jumps."))
    forth(editor, signed)
    editor.saves(signed)


@scenario(text=OTHERS, settings=SIGNED)
def in_somebody_elses_addition_it_is_a_change_of_its_own(editor):
    editor.insert_before("ick")
    editor.type("e")
    editor.lets_mark()
    parted = sentence("The {++qu++}{>>@bo<<}{++e++}{>>@anna<<}{++ick ++}{>>@bo<<}brown fox jumps.")
    editor.becomes(parted)
    editor.escape()
    back(editor, OTHERS)
    forth(editor, parted)
