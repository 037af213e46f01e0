"""The keys that editors/helix documents, with the configuration that stands there."""

from scenarios import TEXT, scenario, sentence
from scenarios.reviewing import CHANGED

HELIX = dict(only=("helix",), our_keys=True)


@scenario(text=CHANGED, **HELIX)
def enter_in_the_menu_accepts_the_change_at_the_caret(editor):
    editor.find("very")
    editor.press_in_menu("Enter")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))


@scenario(text=CHANGED, **HELIX)
def the_second_line_of_the_menu_rejects_the_change_at_the_caret(editor):
    editor.find("leaps")
    editor.press_in_menu("Down", "Enter")
    editor.becomes(CHANGED.replace("{~~jumps~>leaps~~}", "jumps"))


@scenario(**HELIX)
def the_last_line_of_the_menu_stops_tracking_and_starts_it_again(editor):
    editor.press_in_menu("Up", "Enter")
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.stays()
    editor.press_in_menu("Up", "Enter")
    editor.insert_before("fox")
    editor.type("red ")
    editor.becomes(sentence("The quick very brown {++red ++}fox jumps."))


@scenario(text=CHANGED, **HELIX)
def the_keys_for_the_next_and_the_previous_change_select_it(editor):
    go(editor, "n", "}quick")
    go(editor, "n", "}fox")
    # The first step back goes to the beginning of the same change.
    go(editor, "p", "{--brown")
    go(editor, "p", "{++very")
    editor.press_in_menu("Down", "Enter")
    editor.becomes(CHANGED.replace("{++very ++}", ""))


@scenario(text=CHANGED, **HELIX)
def the_key_for_a_comment_puts_it_after_the_change(editor):
    go(editor, "n", "}quick")
    go(editor, "n", "}fox")
    editor.our_key("c")
    editor.sees(editor.inserting)
    editor.type("too long")
    editor.becomes(CHANGED.replace("{--brown --}", "{--brown --}{>>too long<<}"))
    editor.escape()
    editor.stays()


@scenario(**HELIX)
def a_selection_is_commented_on_by_the_menu_and_the_key_that_goes_into_the_comment(editor):
    editor.find("brown")
    editor.choose_action("comment", "selection")
    editor.becomes(sentence("The quick {==brown==}{>><<} fox jumps."))
    editor.our_key("w")
    editor.sees(editor.inserting)
    editor.type("why?")
    editor.becomes(sentence("The quick {==brown==}{>>why?<<} fox jumps."))


@scenario(text=CHANGED, **HELIX)
def the_list_of_changes_leads_to_the_one_that_is_chosen(editor):
    editor.sees("●")
    editor.our_key("l")
    editor.sees("4/4")
    editor.press("Down", "Down", "Enter")
    editor.wait("the caret on the third", lambda: editor.caret_is_on("{~~jumps"))
    editor.press_in_menu("Enter")
    editor.becomes(CHANGED.replace("{~~jumps~>leaps~~}", "leaps"))


def go(editor, key, place):
    """Presses one of our keys once Helix has the list of changes, and waits for the caret to be there."""
    editor.sees("●")
    editor.our_key(key)
    editor.wait(f"the caret on {place!r}", lambda: editor.caret_is_on(place))
