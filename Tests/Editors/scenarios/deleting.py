"""What is deleted stays, in a deletion; what was one's own addition goes."""

from scenarios import TEXT, scenario, sentence


@scenario()
def a_backspace_after_the_mark_appeared_takes_the_last_character(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.press("BSpace")
    editor.becomes(sentence("The quick {++very++}brown fox jumps."))
    editor.press("BSpace", "BSpace")
    editor.becomes(sentence("The quick {++ve++}brown fox jumps."))
    editor.type("st ")
    editor.becomes(sentence("The quick {++vest ++}brown fox jumps."))
    editor.escape()
    editor.saves(sentence("The quick {++vest ++}brown fox jumps."))


@scenario()
def a_backspace_at_the_end_of_a_line_takes_the_last_character(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.")
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes.++}"))
    editor.press("BSpace")
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes++}"))
    editor.press("BSpace", "BSpace")
    editor.becomes(sentence("The quick brown fox jumps.{++ Y++}"))
    editor.escape()
    editor.saves(sentence("The quick brown fox jumps.{++ Y++}"))


@scenario()
def backspaces_before_the_mark_comes_leave_nothing(editor):
    editor.insert_before("brown")
    editor.type("very")
    editor.press(*["BSpace"] * 4)
    editor.type("so ")
    editor.becomes(sentence("The quick {++so ++}brown fox jumps."))
    editor.press(*["BSpace"] * 3)
    editor.becomes(sentence("The quick brown fox jumps."))
    editor.stays()


# When text around the caret goes, the caret of Neovim 0.7 keeps its column, unless our plug-in is there.
GOOD_CARET = dict(only=("neovim-0.11", "helix", "emacs"))


@scenario(**GOOD_CARET)
def a_word_typed_again_after_it_was_taken_back_is_marked_again(editor):
    """The text has been there before, and not marked; but this is no undo."""
    editor.insert_before("brown")
    for _ in range(3):
        editor.type("very ")
        editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
        editor.press(editor.word_back)
        editor.becomes(sentence("The quick brown fox jumps."))


@scenario(**GOOD_CARET)
def a_delimiter_eaten_twice_is_put_back_twice(editor):
    """The text with half a delimiter has been there before; but this is no undo."""
    editor.insert_before("brown")
    for word in ("x", "y"):
        editor.type(word)
        editor.becomes(sentence(f"The quick {{++{word}++}}brown fox jumps."))
        editor.press("BSpace", "BSpace")
        editor.becomes(sentence("The quick brown fox jumps."))


@scenario()
def a_deleted_word_stays_as_a_deletion(editor):
    editor.delete("brown")
    editor.becomes(sentence("The quick {--brown --}fox jumps."))
    editor.saves(
        sentence("The quick {--brown --}fox jumps."), clean=sentence("The quick fox jumps.")
    )


@scenario()
def a_word_replaced_in_one_go_is_one_substitution(editor):
    editor.replace("brown")
    editor.type("red")
    editor.becomes(sentence("The quick {~~brown~>red~~} fox jumps."))
    editor.type("dish")
    editor.becomes(sentence("The quick {~~brown~>reddish~~} fox jumps."))
    editor.escape()
    editor.saves(
        sentence("The quick {~~brown~>reddish~~} fox jumps."),
        clean=sentence("The quick reddish fox jumps."),
    )


@scenario()
def typing_on_after_a_deletion_was_marked_makes_a_substitution(editor):
    editor.replace("brown")
    editor.becomes(sentence("The quick {--brown--} fox jumps."))
    editor.type("red")
    editor.becomes(sentence("The quick {~~brown~>red~~} fox jumps."))
    editor.escape()
    editor.saves(sentence("The quick {~~brown~>red~~} fox jumps."))


@scenario()
def a_word_deleted_while_typing_stays_as_a_deletion(editor):
    editor.insert_before("fox")
    editor.press(editor.word_back)
    editor.becomes(sentence("The quick {--brown --}fox jumps."))
    editor.type("red ")
    editor.becomes(sentence("The quick {~~brown ~>red ~~}fox jumps."))
    editor.escape()
    editor.saves(sentence("The quick {~~brown ~>red ~~}fox jumps."))


@scenario()
def typing_where_a_word_was_deleted_makes_a_substitution(editor):
    editor.delete("brown")
    editor.becomes(sentence("The quick {--brown --}fox jumps."))
    editor.insert_before("fox")
    editor.type("red ")
    editor.becomes(sentence("The quick {~~brown ~>red ~~}fox jumps."))
    editor.escape()
    editor.saves(sentence("The quick {~~brown ~>red ~~}fox jumps."))


@scenario()
def a_deleted_line_stays_as_a_deletion(editor):
    editor.delete_line("brown")
    # The line break before it goes with it, so that what is after it begins its line still.
    marked = TEXT.replace("\nThe quick brown fox jumps.", "{--\nThe quick brown fox jumps.--}")
    editor.becomes(marked)
    editor.saves(marked, clean=TEXT.replace("\nThe quick brown fox jumps.", ""))
