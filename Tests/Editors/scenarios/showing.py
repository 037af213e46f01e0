"""What the editor shows of the marks: hover, outline, going from comment to change, completion."""

from scenarios import scenario

CHANGED = "# Dogs\n\nThe {++very ++}{>>why so<<}quick fox.\n\n# Cats\n\nNo {--lazy --}cat.\n"


@scenario(text=CHANGED)
def what_happened_is_said_at_the_caret(editor):
    editor.find("very")
    editor.hover()
    editor.sees("Added “very ”")
    editor.sees("Comment “why so”")


@scenario(text=CHANGED)
def the_changes_are_listed_in_an_outline(editor):
    editor.outline()
    editor.sees("Added “very ”")
    editor.sees("Deleted “lazy ”")


@scenario(text=CHANGED)
def from_a_comment_the_caret_goes_to_its_change(editor):
    editor.find("so<")
    editor.go_to_definition()
    editor.wait("the caret on the change", lambda: editor.caret_is_on("{++very"))


# What Emacs completes begins with a letter, unless packages for it are added.
COMPLETES = dict(only=("neovim", "helix"))


@scenario(text="The quick fox.\n", **COMPLETES)
def a_mark_is_completed_after_a_brace(editor):
    editor.insert_before("quick")
    editor.complete("{", "{++++}")
    editor.type("very ")
    editor.escape()
    editor.becomes("The {++very ++}quick fox.\n")


@scenario(text="The quick fox.{>>@Ada: which?<<}\n", **COMPLETES)
def a_category_is_completed_in_a_comment(editor):
    editor.insert_before("which")
    editor.complete("[ac", "[accuracy]")
    editor.becomes("The quick fox.{>>@Ada: [accuracy] which?<<}\n")
