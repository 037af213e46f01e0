"""Our Emacs package where the marks are beside the text: the page shows them, and the buffer has none of it."""

import subprocess

from scenarios import scenario
from scenarios.page_emacs import ON, asks

RECORD = """\
# Harbour

The ferry {++always ++}{>>@anna | 2026-11-20<<}leaves {~~over~>from~~}{>>@jonas | 2026-11-21<<} the pier.

The {==captain==}{>>@jonas | 2026-11-20 | [clarity] which captain?<<}{>>@anna: the old one<<} waves.
Nobody {--ever --}answers{>>@anna: [resolved] sure?<<} him{-- now--}

The end.
"""
CLEAN = """\
# Harbour

The ferry always leaves from the pier.

The captain waves.
Nobody answers him

The end.
"""
FACES = """
(defun faces-of (word)
  (save-excursion
    (goto-char (point-min))
    (search-forward word)
    (flatten-tree (mapcar (lambda (overlay) (overlay-get overlay 'face)) (overlays-at (match-beginning 0))))))
(defun looks (word author face)
  (equal (faces-of word) (list (critic--face-of author) face)))
(defun before (word)
  (save-excursion
    (goto-char (point-min))
    (search-forward word)
    (let* ((pos (match-beginning 0))
           (overlay (seq-find (lambda (overlay) (overlay-get overlay 'critic-beside)) (overlays-in pos pos)))
           (string (overlay-get overlay 'before-string)))
      (car (ensure-list (get-text-property 0 'face string))))))
(defun drawn ()
  (length (seq-filter (lambda (overlay) (overlay-get overlay 'critic-page)) (overlays-in (point-min) (point-max)))))
"""
WITH_RECORD = dict(only=("emacs",), text=CLEAN, record=RECORD, page=True, init=ON + FACES)


@scenario(**WITH_RECORD)
def marks_beside_the_text_are_on_the_page_and_not_in_the_buffer(editor):
    for line in (
        "+ The ferry always leaves over→from the pier.",
        "= The captain¹ waves.",
        "− Nobody ever answers² him now",
        "  ¹ jonas 20 Nov",
        "[clarity] which captain?",
        "      anna  the old one",
        "  ² anna  [resolved] sure?",
    ):
        editor.sees(line)
    looks = (
        """(looks "always" "anna" 'critic-addition)""",
        """(looks "from" "jonas" 'critic-substitution-new)""",
        """(looks "captain" "jonas" 'critic-highlight)""",
    )
    asks(editor, f"""(list {" ".join(looks)} (faces-of "pier"))""", "(t t t nil)")
    asks(editor, '(before "answers")', "critic-deletion")
    asks(editor, "(list (buffer-modified-p) buffer-undo-list)", "(nil nil)")
    assert editor.text == CLEAN


@scenario(**WITH_RECORD)
def what_is_decided_beside_the_text_is_off_the_page(editor):
    editor.sees("over→from")
    editor.find("always")
    editor.press("C-c", "+", "a")
    editor.wait("the record", lambda: "{++always" not in editor.record)
    editor.sees("~ The ferry")
    asks(editor, '(faces-of "always")', "nil")
    editor.find("from")
    editor.press("C-c", "+", "r")
    editor.wait("the old word", lambda: editor.text == CLEAN.replace("from", "over"))
    editor.sees("leaves over the pier")
    editor.wait("no sign", lambda: not editor.shows("~ The ferry"))
    asks(editor, '(faces-of "over")', "nil")
    editor.undo()
    editor.wait("the new word", lambda: editor.text == CLEAN)
    editor.sees("over→from")
    editor.find("end")
    editor.press("C-c", "+", "c", "which end?", "Enter")
    editor.sees("The end¹.")
    editor.sees("  ¹ which end?")
    assert editor.text == CLEAN


@scenario(**WITH_RECORD)
def what_is_typed_beside_the_text_is_coloured_and_undone_as_without_us(editor):
    editor.sees("ever answers")
    editor.find("answers")
    editor.type("always ")
    editor.wait("the text", lambda: editor.text == CLEAN.replace("answers", "always answers"))
    editor.sees("Nobody ever →always answers")
    editor.undo()
    editor.wait("the text", lambda: editor.text == CLEAN)
    editor.sees("Nobody ever answers²")
    editor.press("C-e")
    editor.type("!")
    editor.wait("the text", lambda: editor.text == CLEAN.replace("him", "him!"))
    editor.sees("now→!")
    editor.find("waves")
    editor.press("C-n")
    asks(editor, "(list (line-number-at-pos) (current-column))", "(6 12)")
    editor.press("C-p")
    asks(editor, "(list (line-number-at-pos) (current-column))", "(5 12)")


@scenario(**WITH_RECORD)
def without_the_mode_or_with_its_marks_inline_nothing_beside_the_text_is_drawn(editor):
    editor.sees("ever answers")
    editor.command("critic-mode")
    editor.sees("Nobody answers him")
    asks(editor, "(list (drawn) critic-beside--on)", "(0 nil)")
    editor.command("critic-mode")
    editor.sees("ever answers")
    subprocess.run([*editor.server, "marks", "inline", editor.file], check=True, capture_output=True)
    editor.press("C-x", "C-v", "Enter")
    editor.sees("over→from")
    asks(editor, "critic-beside--on", "nil")


MOVES = """
(defun move-beside () (interactive) (critic-move-marks "beside"))
(defun move-inline () (interactive) (critic-move-marks "inline"))
"""


@scenario(only=("emacs",), text=RECORD, page=True, init=ON + FACES + MOVES)
def marks_are_moved_beside_the_text_undone_and_moved_again(editor):
    editor.sees("jonas 20 Nov")
    editor.command("move-beside")
    editor.wait("the clean text", lambda: editor.text == CLEAN)
    editor.sees("− Nobody ever answers² him now")
    editor.press("C-/")
    editor.wait("the marks in the text", lambda: editor.text == RECORD)
    editor.command("move-beside")
    editor.wait("the clean text", lambda: editor.text == CLEAN)
    editor.press("C-x", "C-s")
    # It was written when the marks were moved.
    editor.wait("the saved text", lambda: editor.saved == CLEAN)
    editor.sees("Wrote")
    assert editor.record == RECORD
    editor.command("move-inline")
    editor.wait("the marks in the text", lambda: editor.text == RECORD)
    editor.press("C-x", "C-s")
    editor.wait("no record", lambda: editor.record is None)


@scenario(**WITH_RECORD)
def a_decision_that_undo_does_not_take_back_is_taken_back_by_a_command(editor):
    editor.sees("+ The ferry always leaves over→from the pier.")
    editor.find("always")
    editor.command("critic-accept")
    editor.wait("the decision", lambda: editor.record == RECORD.replace("{++always ++}{>>@anna | 2026-11-20<<}", "always "))
    editor.command("critic-reopen")
    editor.wait("no decision", lambda: editor.record == RECORD)


def walks(editor, *steps):
    """Goes from change to change, and presses the keys at each question."""
    editor.press("C-c", "+", "%")
    for question, *keys in steps:
        editor.sees(question)
        editor.press(*keys)


@scenario(**WITH_RECORD)
def the_walk_decides_deletions_beside_the_text_as_all_other_changes(editor):
    editor.sees("+ The ferry always leaves over→from the pier.")
    editor.press("M-<")
    walks(
        editor,
        ("Addition “always ” (4 to go)", "a"),
        ("Substitution “over” → “from” (3 to go)", "r"),
        ("Deletion “ever ” (2 to go)", "c", "always?", "Enter"),
        ("always?", "r"),
        ("Deletion “ now” (1 to go)", "a"),
    )
    editor.sees("4 changes decided; C-c + U takes the last one back")
    text = CLEAN.replace("from", "over").replace("answers", "ever answers")
    editor.wait("the text", lambda: editor.text == text)
    editor.save()
    editor.wait("no change", lambda: not any(mark in editor.record for mark in ("{++", "{--", "{~~")))
    editor.press("C-c", "+", "U")
    editor.wait("the deletion", lambda: "him{-- now--}" in editor.record)
    assert editor.text == text


TWO = "The {--old --}{>>@anna<<}{++new ++}{>>@jonas<<}pier.\n"


@scenario(**{**WITH_RECORD, "text": "The new pier.\n", "record": TWO})
def the_walk_decides_the_change_that_it_shows_where_two_are_at_one_place(editor):
    editor.sees("Critic:2")
    walks(editor, ("Deletion “old ”", "a"), ("Addition “new ”", "r"))
    editor.sees("2 changes decided")
    editor.wait("the text", lambda: editor.text == "The pier.\n")


EQUAL = "The {--a--}b{--a--}c.\n"


@scenario(**{**WITH_RECORD, "text": "The bc.\n", "record": EQUAL})
def the_walk_decides_the_second_of_two_equal_deletions_beside_each_other(editor):
    editor.sees("Critic:2")
    walks(editor, ("(2 to go)", "Space"), ("(1 to go)", "r"))
    editor.sees("1 change decided")
    editor.wait("the text", lambda: editor.text == "The bac.\n")


@scenario(**WITH_RECORD)
def an_acceptance_beside_the_text_says_how_it_is_taken_back(editor):
    editor.sees("+ The ferry always leaves over→from the pier.")
    editor.find("always")
    editor.press("C-c", "+", "a")
    editor.sees("Accepted; C-c + U takes it back")
    editor.press("C-c", "+", "U")
    editor.wait("no decision", lambda: editor.record == RECORD)
    editor.press("C-c", "+", "f")
    editor.sees("Accepted; C-c + U takes it back")
    editor.press("C-c", "+", "U")
    editor.wait("no decision", lambda: editor.record == RECORD)
    editor.press("C-c", "+", "l")
    editor.sees("Changes:4")
    editor.press("M-<", "a")
    editor.wait("the decision", lambda: "{++" not in editor.record)
    editor.sees("Accepted; C-c + U takes it back")
    editor.press("C-x", "o", "C-c", "+", "A")
    editor.sees("Accepted 3 changes; C-c + U takes it back")


@scenario(**{**WITH_RECORD, "text": "The c.\n", "record": "The {--a--}c.\n"})
def an_acceptance_of_the_last_change_beside_the_text_says_how_it_is_taken_back(editor):
    editor.sees("Critic:1")
    editor.find("c.")
    editor.press("C-c", "+", "f")
    editor.sees("No more changes; C-c + U takes it back")


@scenario(**WITH_RECORD)
def a_comment_beside_the_text_is_edited_and_answered(editor):
    editor.sees("the old one")
    editor.find("captain")
    editor.press("C-c", "+", "E")
    editor.sees("Comment: the old one")
    editor.press(", yes", "Enter")
    editor.sees("the old one, yes")
    editor.press("C-c", "+", ";")
    editor.sees("Answer:")
    editor.press("so it is", "Enter")
    editor.wait("the answer", lambda: "{>>@anna: the old one, yes<<}{>>so it is<<}" in editor.record)
    editor.find("pier")
    editor.press("C-c", "+", "E")
    editor.sees("There is no comment here")
    assert editor.text == CLEAN
