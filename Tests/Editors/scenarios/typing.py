"""What is typed becomes an addition, and the caret stays where typing goes on."""

from scenarios import BY_ITSELF, TEXT, scenario, sentence


@scenario()
def text_typed_inside_a_sentence_is_one_addition(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.escape()
    editor.saves(
        sentence("The quick {++very ++}brown fox jumps."),
        clean=sentence("The quick very brown fox jumps."),
    )


@scenario()
def text_typed_at_the_end_of_a_line_is_one_addition(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Really.")
    editor.becomes(sentence("The quick brown fox jumps.{++ Really.++}"))
    editor.escape()
    editor.saves(sentence("The quick brown fox jumps.{++ Really.++}"))


@scenario()
def text_typed_on_after_the_mark_appeared_joins_it(editor):
    editor.insert_before("brown")
    editor.type("very")
    editor.becomes(sentence("The quick {++very++}brown fox jumps."))
    editor.type(", very")
    editor.becomes(sentence("The quick {++very, very++}brown fox jumps."))
    editor.type(" dark ")
    editor.becomes(sentence("The quick {++very, very dark ++}brown fox jumps."))
    editor.escape()
    editor.saves(sentence("The quick {++very, very dark ++}brown fox jumps."))


@scenario()
def text_typed_on_at_the_end_of_a_line_joins_the_mark(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.")
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes.++}"))
    editor.type(" Yes!")
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes. Yes!++}"))
    editor.type(" No?")
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes. Yes! No?++}"))
    editor.escape()
    editor.saves(sentence("The quick brown fox jumps.{++ Yes. Yes! No?++}"))


@scenario(text="")
def a_first_text_in_an_empty_document_is_an_addition(editor):
    editor.insert_here()
    editor.type("Hello")
    editor.lets_mark()
    editor.wait("the addition", lambda: editor.text.rstrip("\n") == "{++Hello++}")
    editor.type(" world")
    editor.lets_mark()
    editor.wait("the addition", lambda: editor.text.rstrip("\n") == "{++Hello world++}")
    editor.escape()
    # The editor adds the line end that the empty file did not have.
    editor.save()
    editor.wait("the file", lambda: (editor.saved or "").rstrip("\n") == "{++Hello world++}")


@scenario()
def a_new_paragraph_is_an_addition(editor):
    editor.insert_at_end_of_line("brown")
    editor.type("\n\nIt lands.")
    editor.becomes(sentence("The quick brown fox jumps.{++\n\nIt lands.++}"))
    editor.type(" Well.")
    editor.becomes(sentence("The quick brown fox jumps.{++\n\nIt lands. Well.++}"))
    editor.escape()
    editor.saves(
        sentence("The quick brown fox jumps.{++\n\nIt lands. Well.++}"),
        clean=sentence("The quick brown fox jumps.\n\nIt lands. Well."),
    )


@scenario()
def a_line_pasted_below_itself_is_an_addition(editor):
    editor.find("brown")
    editor.copy_line_below()
    # Either of the two equal lines may be the new one.
    clean = sentence("The quick brown fox jumps.\nThe quick brown fox jumps.")
    editor.saves(editor.settles(clean), clean)


@scenario(only=BY_ITSELF)
def a_comment_typed_by_hand_is_a_comment_once_it_is_closed(editor):
    editor.insert_at_end_of_line("brown")
    editor.type("{>>wh")
    # Helix has put the last brace there already.
    editor.wait("the half comment", lambda: "{>>wh" in editor.text)
    editor.stays()
    editor.type("y?<<}")
    editor.becomes(sentence("The quick brown fox jumps.{>>why?<<}"))
    editor.stays()
    editor.escape()
    editor.saves(sentence("The quick brown fox jumps.{>>why?<<}"), clean=TEXT)


CODE = """Before.

```
let a = 1
```

After.
"""


@scenario(text=CODE)
def a_change_in_fenced_code_marks_the_whole_block(editor):
    editor.insert_at_end_of_line("let")
    editor.type("2")
    editor.becomes(block("let a = 1", "let a = 12"))
    # The caret is in the new block, and what is typed there needs no further marks.
    editor.type("3")
    editor.becomes(block("let a = 1", "let a = 123"))
    editor.escape()
    editor.saves(block("let a = 1", "let a = 123"), clean=CODE.replace("1", "123"))


def block(old, new):
    return f"Before.\n{{~~\n```\n{old}\n```\n~>\n```\n{new}\n```\n~~}}\nAfter.\n"


@scenario(text="Zoë 👍 likes tea.\n\n日本語 and 👩‍🚀 too.\n")
def positions_are_right_among_all_kinds_of_characters(editor):
    editor.insert_before("likes")
    editor.type("é😀")
    editor.becomes("Zoë 👍 {++é😀++}likes tea.\n\n日本語 and 👩‍🚀 too.\n")
    editor.type("ü ")
    editor.becomes("Zoë 👍 {++é😀ü ++}likes tea.\n\n日本語 and 👩‍🚀 too.\n")
    editor.escape()
    editor.insert_at_end_of_line("and")
    editor.type(" 語!")
    editor.becomes("Zoë 👍 {++é😀ü ++}likes tea.\n\n日本語 and 👩‍🚀 too.{++ 語!++}\n")
    editor.escape()
    editor.saves(
        "Zoë 👍 {++é😀ü ++}likes tea.\n\n日本語 and 👩‍🚀 too.{++ 語!++}\n",
        clean="Zoë 👍 é😀ü likes tea.\n\n日本語 and 👩‍🚀 too. 語!\n",
    )


@scenario(text=TEXT.replace("\n", "\r\n"))
def a_document_with_crlf_keeps_its_line_ends(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.\nNo.")
    marked = sentence("The quick brown fox jumps.{++ Yes.\nNo.++}").replace("\n", "\r\n")
    editor.lets_mark()
    editor.wait("the addition", lambda: editor.text == marked)
    editor.escape()
    editor.saves(marked)


@scenario()
def several_places_changed_at_once_are_marked_each_for_itself(editor):
    editor.change_everywhere("The", "This")
    clean = TEXT.replace("The", "This")
    text = editor.settles(clean)
    if text.count("~>") + text.count("{++") != 2:
        raise AssertionError(f"not two marks: {text!r}")
    editor.saves(text, clean)


LATEX = TEXT.replace("The end.", "C\\texttt{++} is fast and C\\texttt{++} is old, 1990{--}2000 or 2001{--}2010.")


@scenario(text=LATEX)
def groups_of_latex_are_text_and_what_is_typed_between_them_is_an_addition(editor):
    editor.insert_before("is old")
    editor.type("which ")
    editor.becomes(LATEX.replace("is old", "{++which ++}is old"))
    editor.escape()
    editor.insert_at_end_of_line("quick")
    editor.type(" C\\texttt{++} and C\\texttt{++}, 1990{--}2000 or 2001{--}2010.")
    editor.escape()
    editor.settles(
        clean=LATEX.replace("is old", "which is old").replace(
            "jumps.", "jumps. C\\texttt{++} and C\\texttt{++}, 1990{--}2000 or 2001{--}2010."
        )
    )
