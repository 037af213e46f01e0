"""A day's habits in Emacs: marks come in the pauses, and the same keys go on as without them."""

from scenarios import TEXT, scenario, sentence
from scenarios.emacs import refused
from scenarios.habits import FIVE, habit
from scenarios.reviewing import CHANGED
from twin import play

EMACS = {"only": ("emacs",)}
BOX = "Take the big red box home.\n"
BERTH = "We paid for a cabin and a cabin.\n"


def in_emacs(name, text, keys, **options):
    habit(name + " in emacs", text, keys, file=__name__, **{**EMACS, **options})


# What is killed forward lies before point, or the same key would find it again.
in_emacs("six slow deletions", BOX, "M-< M-f C-f C-d | C-d | C-d | C-d | C-d | C-d |")
in_emacs("six slow presses of delete", BOX, "M-< M-f C-f DC | DC | DC | DC | DC | DC |")
in_emacs("four slow deletions at the beginning", BOX, "M-< C-d | C-d | C-d | C-d |")
in_emacs("slow deletions up to the end of a line", FIVE, "M-< C-e C-b C-b C-d | C-d | C-d | C-d | C-d |")
in_emacs("six slow presses of backspace", BOX, "M-< M-f M-f BSpace | BSpace | BSpace | BSpace | BSpace | BSpace |")
in_emacs("slow presses of backspace over the beginning of a line", FIVE, "M-< C-n C-f C-f BSpace | BSpace | BSpace | BSpace | BSpace |")
in_emacs("a word is killed and the next one", BOX, "M-< M-f M-d | M-d | M-d |")
in_emacs("the words before point are killed", BOX, "M-< C-e M-BSpace | M-BSpace | M-BSpace |")
in_emacs("a word is killed and two are swapped", BOX, "M-< M-f M-f M-d | M-t |")
in_emacs("a word is killed and the next one turned", BOX, "M-< M-f M-d | M-c |")
in_emacs("letters are swapped", BOX, "M-< M-f M-f C-b C-t |")
in_emacs("a word is killed and letters are swapped", "One of the old men.\n", "M-< M-f M-f M-d | C-t |")
in_emacs("a line is emptied and its end killed", FIVE, "M-< C-n C-k | C-k |")
in_emacs("a line is emptied and all is killed", FIVE, "M-< C-n C-k | C-k | C-k | C-k |")
in_emacs("a line is emptied and typed anew", FIVE, "M-< C-n C-k | New. |")
in_emacs("a word is killed and typed anew", BOX, "M-< M-f C-f M-d | a |")
in_emacs("deletions both ways around a line break that filling took", "One fox\ntwo dogs.\n", "M-< M-q | C-s two C-r Enter C-d | BSpace | BSpace | C-d | C-d |")
in_emacs("a word is killed forward and one backward", BOX, "M-< M-f M-f C-f M-d | M-BSpace |")
in_emacs("a word is killed and point goes on", BOX, "M-< M-f M-d | C-f C-f C-d |")
in_emacs("a word is killed and point goes back", BOX, "M-< M-f M-f M-d | C-b C-d |")
in_emacs("a word is killed backward and one forward", BOX, "M-< M-f M-f M-BSpace | M-d | M-d |")
in_emacs("the region is killed and the next word", BOX, "M-< M-f C-Space M-f C-w | M-d |")
in_emacs("up to a letter is zapped twice", BOX, "M-< M-f M-z e | M-z d |")
in_emacs("spaces are deleted and a word", "Take   the   box.\n", "M-< M-f M-\\ | M-d | M-d |")

# Delimiters are no letters.
LETTER = "One fox.\n\nTwo dogs, and\nthree.\n"
in_emacs("letters are swapped on an empty line after an addition", LETTER, "M-< C-e ␣Or␣was | C-n C-t |")
in_emacs("letters are swapped on an empty line after a deletion", LETTER, "M-< C-e M-BSpace M-BSpace | C-n C-t |")
in_emacs("letters are swapped at the end of a line with an addition", LETTER, "M-< C-e ␣Or␣was | C-a C-e C-t |")
in_emacs("letters are swapped before and after an addition", LETTER, "M-< M-f ␣red | C-a M-f C-t | M-< C-s red C-t |")
in_emacs("letters are swapped over a line end before an addition", LETTER, "M-> C-b C-a new␣ | C-a C-t |")
in_emacs("letters are swapped before a deletion that ends the line", LETTER, "M-< C-e M-BSpace | C-t |")
in_emacs("letters are swapped beside a replacement", LETTER, "M-< M-f C-f M-d wolf | C-a M-f C-f C-t | M-f C-t |")

# Who made a change is no word of the text.
SIGNED = {"settings": {"author": "anna", "attribution": "author"}}
in_emacs("a word is killed behind a signed addition", BOX, "M-< M-f ␣old␣ | M-d | M-d |", **SIGNED)
in_emacs("a word is killed before a signed addition", BOX, "M-< M-f ␣old | M-f M-BSpace | M-BSpace |", **SIGNED)
in_emacs("a signed word is killed and the next one", BOX, "M-< M-f M-d | M-d | M-d |", **SIGNED)
in_emacs("a signed word is killed and letters are swapped", "One of the old men.\n", "M-< M-f M-f M-d | C-t |", **SIGNED)
in_emacs("a signed word is killed and two are swapped", BOX, "M-< M-f M-f M-d | M-t |", **SIGNED)
in_emacs("a signed word is killed and the next one turned", BOX, "M-< M-f M-d | M-c |", **SIGNED)
in_emacs("a signed line is emptied and all is killed", FIVE, "M-< C-n C-k | C-k | C-k | C-k |", **SIGNED)

# What is killed or copied is the text as it is seen.
in_emacs("a killed word is put back after the next", BOX, "M-< M-f M-d | M-f C-y |")
in_emacs("a line with an addition is moved", FIVE, "M-< C-n C-e ␣new | C-a C-k C-k | C-n C-y |")
in_emacs("a line with a deletion is moved", FIVE, "M-< C-n M-d | C-a C-k C-k C-n C-y |")
in_emacs("half an addition is moved", BOX, "M-< M-f ␣not␣now | M-b C-Space M-f M-f C-w | C-e C-y |")
in_emacs("half an addition is copied", BOX, "M-< M-f ␣not␣now | M-b C-Space M-f M-f M-w | C-e C-y |")
in_emacs("words are killed one after the other and yanked", BOX, "M-< M-f M-d | M-d | C-e C-y |")
in_emacs("another text is yanked in place of the last", BOX, "M-< M-f M-d | M-f M-d | C-e C-y | M-y |")
in_emacs("a sentence with changes is copied", "One fox. Two foxes.\n\nThe end.\n", "M-< M-d Some | C-a C-Space C-e M-w M-> C-p C-y |")

in_emacs("a search leaves the mark where it began", LETTER, "M-< So␣ C-n C-n C-s three | Enter C-u C-Space x |")

# Deleted text is not replaced, and not found if one does not want that.
LIVE = {"init": "(global-critic-mode)\n(setq critic-search-deleted nil)\n"}
in_emacs("a word replaced where it was replaced before", BERTH, "M-< M-f M-f M-f M-f C-f M-d berth | M-< M-% cabin Enter berth Enter ! |")
in_emacs("a word replaced by asking where it was deleted before", BERTH, "M-< M-f M-f M-f M-f M-d | M-< M-% cabin Enter berth Enter y | y |")
in_emacs("a search passes deleted text", BERTH, "M-< M-f M-f M-f M-f M-d | M-< C-s cabin Enter s |", **LIVE)
in_emacs("a search goes backward past deleted text", "A cabin and a cabin.\n", "M-> C-b C-b M-b M-d | M-> C-r cabin Enter big␣ |", **LIVE)


@scenario(text=CHANGED + "\n{==All==}{>>why?<<} of it.\n", settings={"tracking": "off"}, **EMACS)
def what_is_copied_is_the_text_as_it_is_seen(editor):
    editor.press("C-x", "h", "M-w", "C-x", "b", "*scratch*", "Enter", "C-x", "h", "C-y")
    for line in ("The very quick fox leaps.", "The real end.", "{==All==}{>>why?<<} of it."):
        editor.sees(line)
    # A half of a comment's mark goes, its text where the region is in it does not.
    editor.press("C-x", "b", "doc.md", "Enter")
    editor.find("All")
    editor.press("C-Space", "C-e", "M-w", "C-x", "b", "*scratch*", "Enter", "C-x", "h", "C-y")
    editor.sees("All{>>why?<<} of it.The very")
    editor.press("C-x", "b", "doc.md", "Enter")
    editor.find("why")
    editor.press("C-Space", "M-f", "M-w", "C-x", "b", "*scratch*", "Enter", "C-x", "h", "C-y")
    editor.sees("whyAll{>>")


@scenario(text="One.\n{==Two==}{>>why?<<}.\nThree.\n", **EMACS)
def a_comment_goes_along_with_its_text(editor):
    editor.press("M-<", "C-n", "C-k", "C-k")
    editor.rests()
    editor.press("C-n", "C-y")
    editor.becomes("One.{--\nTwo.--}\nThree.{++\nTwo++}{>>why?<<}{++.++}\n")


@scenario(text=CHANGED, **EMACS)
def a_comment_made_by_a_code_action_is_typed_into(editor):
    editor.find("very")
    editor.choose_action("comment on")
    editor.becomes(CHANGED.replace("{++very ++}", "{++very ++}{>><<}"))
    editor.type("why?")
    commented = CHANGED.replace("{++very ++}", "{++very ++}{>>why?<<}")
    editor.becomes(commented)
    editor.choose_action("answer")
    editor.becomes(commented.replace("<<}", "<<}{>><<}"))
    editor.type("so")
    editor.becomes(commented.replace("<<}", "<<}{>>so<<}"))


@scenario(**EMACS)
def what_is_typed_in_a_clone_of_the_buffer_is_recorded_and_no_key_is_lost(editor):
    editor.find("brown")
    editor.press("C-x", "4", "c")
    editor.sees("doc.md<2>")
    editor.type("very ")
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.wait("the mark", lambda: editor.text == marked)
    editor.press("C-x", "0")
    editor.find("fox")
    editor.type("red ")
    marked = marked.replace("fox", "{++red ++}fox")
    editor.becomes(marked)
    editor.press("C-x", "k", "doc.md<2>", "Enter")
    editor.type("hot ")
    editor.becomes(marked.replace("red ", "red hot "))


@scenario(**EMACS)
def a_prompt_that_stays_long_does_not_end_marking(editor):
    editor.insert_before("brown")
    editor.hold()
    editor.type("very ")
    editor.held()
    editor.press("M-%", "fox", "Enter", "wolf", "Enter")
    editor.sees("Query replacing")
    editor.let_go()
    refused(editor, 1)
    editor.pause(editor.patience(10))
    editor.press("q")
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.press("C-e")
    editor.type(" Yes.")
    editor.becomes(marked.replace("jumps.", "jumps.{++ Yes.++}"))
    assert "on save" not in "\n".join(editor.terminal.screen)


REFUSING = """
(global-critic-mode)
(advice-add 'critic--take-edit :override (lambda (&rest _) '(:applied :json-false)))
"""


@scenario(init=REFUSING, **EMACS)
def the_mode_line_tells_when_marks_come_only_on_saving(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.sees("Critic:0+ on save")


@scenario(text=CHANGED, **EMACS)
def a_server_that_is_gone_does_not_look_as_if_it_were_there(editor):
    editor.sees("Critic:4")
    if editor.client == "eglot":
        editor.press("M-x", "eglot-shutdown", "Enter")
    else:
        editor.press("M-:", "(lsp-workspace-shutdown (car (lsp-workspaces)))", "Enter")
    editor.sees("Critic:no server")
    editor.press("C-c", "+", "a")
    editor.sees("does not run in this buffer")


@scenario(text=CHANGED, **EMACS)
def one_undo_takes_back_one_comment_of_many(editor):
    editor.press("M-<", "C-c", "+", "w")
    for question, reason in (("Why “very ”?", "so it is"), ("Why “brown ”?", "too dark")):
        editor.sees(question)
        editor.press(reason, "Enter")
    editor.sees("Why “jumps”")
    editor.press("C-g")
    one = CHANGED.replace("{++very ++}", "{++very ++}{>>so it is<<}")
    editor.becomes(one.replace("--}", "--}{>>too dark<<}"))
    editor.undo()
    editor.becomes(one)
    editor.undo()
    editor.becomes(CHANGED)


HEADINGS = "# One\n\nText.\n\n# Two\n\nThe {++real ++}end.\n"


@scenario(text=HEADINGS, **EMACS)
def the_outline_keeps_the_headings_without_changes(editor):
    editor.sees("Critic:1")
    editor.outline()
    for part in ("*Changes*", '"One"', '"Two"'):
        editor.sees(part)


@scenario(text="The {++real ++}end.\n", settings={"idleDelay": 1000}, **EMACS)
def what_is_pending_no_more_is_not_shown_as_pending(editor):
    editor.find("real")
    editor.type("very ")
    editor.sees("Critic:1 of 1+")
    editor.wait("nothing pending", lambda: not editor.shows("Critic:1 of 1+"), at_most=10)


@scenario(**EMACS)
def a_second_file_shows_its_number_at_once(editor):
    editor.sees("Critic:0")
    editor.write("other.md", CHANGED)
    editor.press("C-x", "C-f")
    editor.sees("Find file")
    editor.press("other.md", "Enter")
    editor.sees("Critic:4")


@scenario(**EMACS)
def with_the_mode_turned_off_nothing_is_marked_any_more(editor):
    editor.insert_before("fox")
    editor.type("red ")
    editor.command("critic-mode")
    marked = sentence("The quick brown {++red ++}fox jumps.")
    editor.wait("the mark on the screen", lambda: editor.shows("brown {++red ++}fox"))
    editor.insert_before("brown")
    editor.type("very ")
    editor.pause(editor.patience(4))
    editor.save()
    plain = marked.replace("brown", "very brown")
    editor.wait("the file as it was typed", lambda: editor.saved == plain)
    editor.command("critic-mode")
    editor.sees("Critic:1")
    editor.insert_before("jumps")
    editor.type("soon ")
    editor.becomes(plain.replace("jumps", "{++soon ++}jumps"))


@scenario(text=CHANGED + "\n{==All==} of it.\n", **EMACS)
def what_was_accepted_or_rejected_is_told_and_the_counts_agree(editor):
    editor.sees("Critic:4")
    editor.press("C-c", "+", "l")
    editor.sees("Changes:4, 1 more")
    editor.press("C-x", "o")
    editor.command("critic-accept-all")
    editor.sees("Accepted 4 changes")
    editor.undo()
    editor.becomes(CHANGED + "\n{==All==} of it.\n")
    editor.command("critic-reject-all")
    editor.sees("Rejected 4 changes")


@scenario(**EMACS)
def it_is_said_why_there_is_no_tracking_without_a_mode_for_markdown(editor):
    editor.write("other.md", CHANGED)
    editor.press("M-:", "(setq critic-modes '(no-such-mode))", "Enter")
    editor.press("C-x", "C-f")
    editor.sees("Find file")
    editor.press("other.md", "Enter")
    editor.sees("Nothing is tracked without")


# A walk, views, and the commands that were code actions only


@scenario(text=CHANGED, **EMACS)
def one_walks_from_change_to_change_and_decides(editor):
    editor.find("quick")
    editor.press("C-c", "+", "%")
    for question, *keys in (
        ("Deletion “brown ” (4 to go)", "r"),
        ("Substitution “jumps” → “leaps” (3 to go)", "c", "livelier", "Enter"),
        ("Substitution “jumps” → “leaps” (3 to go)", "s"),
        ("Addition “real ” (2 to go)", "a"),
        ("Addition “very ” (1 to go)", "q"),
    ):
        editor.sees(question)
        editor.look()
        editor.press(*keys)
    editor.sees("2 changes decided")
    rejected = CHANGED.replace("{--brown --}", "brown ")
    commented = rejected.replace("~~}", "~~}{>>livelier<<}")
    editor.becomes(commented.replace("{++real ++}", "real "))
    # Each is a step.
    for text in (commented, rejected, CHANGED):
        editor.undo()
        editor.becomes(text)


@scenario(text=CHANGED + "\n{==All==}{>>why?<<} of it.\n", **EMACS)
def the_text_can_be_read_clean_or_as_it_was(editor):
    text = editor.original
    editor.press("C-c", "+", "v")
    for line in ("The very quick fox leaps.", "The real end.", "All of it."):
        sees_line(editor, line)
    editor.sees("clean")
    editor.press("M-<", "x")
    editor.sees("read-only")
    # An error throws away the keys that Emacs has not read yet.
    editor.pause(editor.patience(1))
    editor.press("C-c", "+", "v")
    for line in ("The quick brown fox jumps.", "The end.", "All of it."):
        sees_line(editor, line)
    editor.press("C-c", "+", "v")
    editor.becomes(text)
    editor.press("M-<")
    editor.type("Yes. ")
    editor.becomes("{++Yes. ++}" + text)


def sees_line(editor, line):
    """Waits for a line that holds nothing else, but for Flymake's signs."""
    editor.wait(f"the line {line!r}", lambda: line in (row.lstrip(" !") for row in editor.terminal.screen))


@scenario(text=CHANGED, **EMACS)
def comments_are_edited_answered_and_about_something(editor):
    editor.find("leaps")
    editor.press("C-c", "+", "C")
    editor.sees("About:")
    editor.press("clarity", "Enter")
    editor.sees("Comment:")
    editor.press("livelier", "Enter")
    commented = CHANGED.replace("~~}", "~~}{>>[clarity] livelier<<}")
    editor.becomes(commented)
    editor.find("livelier")
    editor.press("C-c", "+", ";")
    editor.sees("Answer:")
    editor.press("too lively", "Enter")
    editor.becomes(commented.replace("<<}", "<<}{>>too lively<<}"))
    editor.find("lively<<")
    editor.press("C-c", "+", "E")
    editor.sees("Comment: too lively")
    editor.press(" by far", "Enter")
    editor.becomes(commented.replace("<<}", "<<}{>>too lively by far<<}"))


@scenario(text="# One\n\nThe {++real ++}end of {--the --}{~~day~>night~~}.\n\n# Two\n\nA {++good ++}one.\n", **EMACS)
def changes_are_accepted_by_kind_and_under_a_heading(editor):
    text = editor.original
    editor.command("critic-reject-kind")
    editor.press("addition", "Enter")
    editor.sees("Rejected 2 changes")
    editor.becomes(text.replace("{++real ++}", "").replace("{++good ++}", ""))
    editor.undo()
    editor.becomes(text)
    editor.find("end")
    editor.command("critic-accept-section")
    editor.sees("Accepted 3 changes under this heading")
    editor.becomes("# One\n\nThe real end of night.\n\n# Two\n\nA {++good ++}one.\n")


@scenario(init="(add-to-list 'critic-modes 'org-mode)\n(global-critic-mode)\n", mode="org-mode", **EMACS)
def org_is_tracked_where_its_mode_is_named(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.press("C-c", "+", "a")
    editor.becomes(sentence("The quick very brown fox jumps."))


@scenario(text=FIVE, **EMACS)
def what_a_filter_leaves_is_not_marked_in_emacs(editor):
    play(editor, "C-x h C-u M-| sed␣'s/Two/Second/;s/Five/Fifth/' Enter")
    editor.becomes(FIVE.replace("Two", "{~~Two~>Second~~}").replace("Five", "{~~Five~>Fifth~~}"))


@scenario(text=FIVE, **EMACS)
def what_sorting_leaves_is_not_marked_in_emacs(editor):
    play(editor, "M-< C-n C-n C-Space C-n C-n M-x sort-lines Enter")
    editor.becomes("One.\nTwo.{++\nFour.++}\nThree.{--\nFour.--}\nFive.\n")
