"""Our Emacs package: how the page looks, and that it disturbs nothing."""

from scenarios import scenario
from scenarios.undoing import back
from session import Failed

PAGE = """\
# Harbour

The ferry {++always ++}{>>@anna | 2026-11-20<<}leaves {~~over~>from~~}{>>@jonas | 2026-11-21<<} the pier.

The {==captain==}{>>@jonas | 2026-11-20 | [clarity] which captain of the many who sail from here in the evening?<<}{>>@anna: the old one<<} waves.
Nobody {--ever --}answers{>>@anna: [resolved] sure?<<}.

- one {~~two~>three~~}
- four{>>@bo | 2024-05-09: five?<<}

The end.
"""
CLEAN = PAGE.split("\n")[2]
WITH_PAGE = dict(only=("emacs",), text=PAGE, page=True)


def asks(editor, expression, answer):
    """What the expression is in the document; ElDoc can write over an answer when it comes late."""
    for _ in range(4):
        editor.press("M-:", f'(message "<%S>" {" ".join(expression.split())})', "Enter")
        try:
            return editor.wait(f"<{answer}>", lambda: editor.shows(f"<{answer}>"), at_most=5)
        except Failed:
            continue
    editor.sees(f"<{answer}>")


def row(editor, part):
    """Which row of the screen has it, or none at all."""
    return next((number for number, line in enumerate(editor.terminal.screen) if part in line), 1000)


@scenario(**WITH_PAGE)
def delimiters_are_hidden_but_in_the_line_of_point(editor):
    editor.sees("The ferry always leaves over→from the pier.")
    editor.press("M-<", "C-n", "C-n")
    editor.sees(CLEAN[:80])
    editor.press("C-n")
    editor.sees("The ferry always leaves over→from the pier.")
    asks(editor, "(list (buffer-modified-p) buffer-undo-list)", "(nil nil)")
    editor.press("C-c", "+", "H")
    editor.sees(CLEAN[:80])
    assert editor.text == PAGE


LINES = "# V\n\n- one\n- two\n- three\n\nOne line.\nAnd two.\n\nThe end.\n"


@scenario(only=("emacs",), text=LINES, page=True)
def both_delimiters_of_a_mark_over_several_lines_are_hidden(editor):
    editor.sees("Critic:0")
    editor.press("M-<", "C-n", "C-n", "C-n", "C-k", "C-k")
    editor.wait("the mark", lambda: editor.text == LINES.replace("\n- two", "{--\n- two--}"))
    editor.press("C-n", "C-n", "M-h", "C-w")
    editor.wait("the other mark", lambda: "And two.--}" in editor.text)
    editor.press("M->")
    for part in ("{--", "--}"):
        editor.wait(f"no {part}", lambda part=part: not editor.shows(part))


@scenario(size=(200, 36), **WITH_PAGE)
def point_goes_from_line_to_line_past_the_comments(editor):
    editor.press("M-<")
    for way, lines in (("C-n", PAGE.split("\n")[1:-1]), ("C-p", PAGE.split("\n")[-3::-1])):
        for line in lines:
            editor.press(way)
            editor.wait(f"the caret on {line!r}", lambda: caret_is_at(editor, line))


def caret_is_at(editor, line):
    column, at = editor.terminal.caret
    shown = editor.terminal.screen[at]
    return column == 2 and shown[2:].startswith(line[:190]) and (line or not shown.strip())


@scenario(**WITH_PAGE)
def what_is_hidden_is_found_and_is_no_gap_for_other_commands(editor):
    editor.press("M-<", "C-s", "which capt")
    editor.sees("{==captain==}{>>@jonas")
    editor.press("Enter", "M-d")
    editor.wait("the deletion", lambda: editor.text != PAGE)
    back(editor, PAGE)


FILLED = """\
One {++two ++}three four five six seven eight {~~nine~>ten~~} eleven twelve thirteen fourteen.
Fifteen {++sixteen ++}seventeen{>>why?<<} eighteen nineteen {--twenty --}twenty-one twenty-two twenty-three.
"""


@scenario(only=("emacs",), text=FILLED, page=True, settings={"tracking": "off"})
def lines_are_filled_as_if_nothing_were_hidden(editor):
    editor.sees("seventeen¹ eighteen")
    editor.press("M-<", "M-q")
    editor.wait("the lines", lambda: editor.text != FILLED)
    editor.comes_to_rest()
    filled = editor.text
    editor.undo()
    editor.wait("the old lines", lambda: editor.text == FILLED)
    editor.press("C-c", "+", "H", "C-c", "+", "b", "M-<", "M-q")
    editor.wait("the same lines", lambda: editor.text == filled)


STRUCK = """
(defun struck (word)
  (save-excursion
    (goto-char (point-min))
    (search-forward word)
    (let ((pos (match-beginning 0)))
      (eq t (seq-find (lambda (value) (not (eq value 'unspecified)))
                      (mapcar (lambda (face) (if (consp face) 'unspecified (face-attribute face :strike-through nil t)))
                              (append (mapcan (lambda (overlay) (ensure-list (overlay-get overlay 'face))) (overlays-at pos))
                                      (ensure-list (get-text-property pos 'face)))))))))
(defun our-faces (word)
  (save-excursion
    (goto-char (point-min))
    (search-forward word)
    (ensure-list (get-text-property (match-beginning 0) 'face))))
"""
ON = "(global-critic-mode)\n"


@scenario(**{**WITH_PAGE, "init": ON + STRUCK})
def what_is_deleted_is_struck_through_and_nothing_else(editor):
    editor.sees("over→from")
    editor.wait("the list of changes", lambda: editor.wire.sent("server", "textDocument/publishDiagnostics"))
    editor.pause(1)
    asks(
        editor,
        "(progn (font-lock-ensure) (mapcar #'intern (seq-filter #'struck '(\"over\" \"from\" \"ever\" \"{--\" \"--}\" \"~>\" \"three\" \"two\" \"always\"))))",
        "(over ever two)",
    )


@scenario(**{**WITH_PAGE, "init": ON + STRUCK})
def what_an_author_changed_has_a_colour_of_the_author(editor):
    editor.sees("over→from")
    asks(
        editor,
        "(progn (font-lock-ensure) (mapcar (lambda (word) (car (our-faces word))) '(\"always\" \"over\" \"from\")))",
        "(critic-author-1 critic-author-4 critic-author-4)",
    )
    asks(
        editor,
        "(mapcar (lambda (word) (car (our-faces word))) '(\"captain\" \"three\" \"@anna\"))",
        "(critic-author-4 critic-substitution-new critic-attribution)",
    )


SHOW_FLYMAKE = """
(list (length (flymake-diagnostics))
      (seq-count (lambda (overlay) (and (overlay-get overlay 'flymake-diagnostic)
                                        (or (overlay-get overlay 'face) (overlay-get overlay 'before-string))))
                 (overlays-in (point-min) (point-max))))
"""


@scenario(**WITH_PAGE)
def flymake_lists_changes_but_does_not_draw_over_them(editor):
    editor.sees("Critic:4")
    asks(editor, SHOW_FLYMAKE, "(7 0)")
    editor.command("critic-mode")
    asks(editor, "(list (memq 'critic-page--flymake flymake-diagnostic-functions) left-margin-width)", "(nil 0)")


@scenario(**{**WITH_PAGE, "init": "(setq critic-show-flymake t critic-signs nil)\n" + ON})
def flymake_draws_where_the_user_wants_it(editor):
    editor.sees("Critic:4")
    asks(editor, SHOW_FLYMAKE, "(7 7)")


@scenario(**WITH_PAGE)
def signs_beside_the_lines_say_what_was_changed(editor):
    for line in ("+ The ferry", "= The captain", "− Nobody", "~ - one", "¶ - four", "  The end."):
        editor.sees(line)


@scenario(**{**WITH_PAGE, "init": "(setq critic-signs nil)\n" + ON})
def there_are_no_signs_where_the_user_wants_none(editor):
    editor.sees("The captain¹ waves.")
    assert not any(line.startswith(("+ ", "= ")) for line in editor.terminal.screen)


# Comments below their paragraphs


@scenario(size=(80, 36), **WITH_PAGE)
def comments_are_below_their_paragraph(editor):
    for line in (
        "The captain¹ waves.",
        "Nobody ever answers².",
        "¹ jonas 20 Nov  [clarity] which captain of the many who sail from here in the",
        "evening?",
        "    anna  the old one",
        "² anna  [resolved] sure?",
        "- four¹",
        "¹ bo 9 May 2024  five?",
    ):
        editor.sees(line)
    assert row(editor, "² anna") < row(editor, "- one") < row(editor, "- four") < row(editor, "¹ bo")
    # In the line of point they are in the text, too.
    editor.find("four")
    editor.sees("- four{>>@bo | 2024-05-09: five?<<}")
    editor.sees("¹ bo 9 May 2024  five?")


@scenario(**WITH_PAGE)
def comments_are_put_back_into_the_text_by_a_key(editor):
    editor.sees("¹ bo 9 May 2024")
    editor.press("M-<", "C-c", "+", "b")
    editor.sees("- four{>>@bo | 2024-05-09: five?<<}")
    editor.wait("no comment below", lambda: not editor.shows("¹ bo"))
    editor.press("C-c", "+", "b")
    editor.sees("¹ bo 9 May 2024")
    assert editor.text == PAGE


@scenario(**WITH_PAGE)
def comments_are_wrapped_anew_where_there_is_less_room(editor):
    editor.sees("of the many who sail from here in the evening?")
    editor.press("C-x", "3")
    editor.wait("a line that ends earlier", lambda: not editor.shows("of the many who sail from here in the evening?"))
    editor.sees("    who sail from here in the evening?")
    editor.press("C-x", "1")
    editor.sees("of the many who sail from here in the evening?")


@scenario(**WITH_PAGE)
def comments_follow_what_is_typed_and_deleted(editor):
    editor.find("Nobody")
    # The paragraph becomes two.
    editor.press("Enter")
    editor.wait("the comments of the first one", lambda: row(editor, "anna  the old one") < row(editor, "Nobody"))
    editor.sees("¹ anna  [resolved] sure?")
    back(editor, PAGE)
    editor.press("M-<")
    editor.sees("² anna  [resolved] sure?")
    editor.find("{>>@bo")
    editor.press("C-k")
    editor.wait("no comment", lambda: not editor.shows("¹ bo"))
    back(editor, PAGE)
    editor.sees("¹ bo 9 May 2024  five?")


@scenario(**WITH_PAGE)
def typing_beside_comments_goes_where_point_is(editor):
    editor.insert_at_end_of_line("The end")
    editor.press("C-p", "C-p", "C-e")
    editor.type(" and six")
    editor.becomes(PAGE.replace("five?<<}", "five?<<}{++ and six++}"))
    editor.press("C-n")
    editor.type("Seven.")
    editor.wait("the word", lambda: "{++ and six" in editor.text and "Seven." in editor.text)
    editor.becomes(PAGE.replace("five?<<}\n", "five?<<}{++ and six++}\n{++Seven.++}"))
    back(editor, PAGE)


LONG = "Some {++new ++}words{>>why?<<} here.\n\n" * 4000


@scenario(only=("emacs",), text=LONG, page=True)
def only_what_is_shown_is_drawn(editor):
    editor.sees("Some new words¹ here.")
    count = "(seq-count (lambda (o) (overlay-get o 'critic-page)) (overlays-in (point-min) (point-max)))"
    asks(editor, f"(< 20 {count} 500)", "t")
    editor.press("M->")
    editor.sees("Some new words¹ here.")
    editor.press("M-<")
    editor.press("M-:", "(let ((n 0)) (font-lock-ensure) (critic-page--after-command) (setq n 0) n)", "Enter")
    asks(editor, f"(< {count} 8000)", "t")
    editor.sees("Some new words¹ here.")


LEFT = """
(progn (critic-mode -1)
       (list (seq-count (lambda (o) (overlay-get o 'critic-page)) (overlays-in (point-min) (point-max)))
             (memq 'critic-page--draw jit-lock-functions) left-margin-width (window-margins)
             (memq 'critic-page--after-command post-command-hook)))
"""


@scenario(**WITH_PAGE)
def turned_off_the_mode_leaves_nothing_on_the_page(editor):
    editor.sees("over→from")
    asks(editor, LEFT, "(0 nil 0 (nil) nil)")
    editor.sees(CLEAN[:60])


@scenario(**WITH_PAGE)
def other_views_of_the_text_have_nothing_of_the_page(editor):
    editor.sees("¹ bo")
    editor.press("M-<", "C-c", "+", "v")
    editor.sees("The ferry always leaves from the pier.")
    editor.wait("no comments", lambda: not editor.shows("¹ bo"))
    editor.press("C-c", "+", "v", "C-c", "+", "v")
    editor.sees("over→from")
    editor.sees("¹ bo")


# The list


@scenario(**WITH_PAGE)
def the_list_has_columns_for_numbers_authors_and_comments(editor):
    editor.press("C-c", "+", "l")
    editor.sees("Author Date        Text")
    for line in ("1 addition     anna   20 Nov      The ferry always leaves from", "2 substitution jonas  21 Nov", "leaves over → from the pier.", "jonas: [clarity] which"):
        editor.sees(line)
    editor.sees("Changes:4, 3 more")


@scenario(**WITH_PAGE)
def the_list_is_sorted_by_a_column_and_stays_so(editor):
    editor.press("C-c", "+", "l")
    editor.sees("1 addition")
    # By kind, then anew.
    editor.press("M-<", "C-f", "C-f", "C-f", "C-f", "C-f", "C-f", "C-f", "S")
    editor.wait("comment before highlight", lambda: row(editor, "5 comment") < row(editor, "4 deletion") < row(editor, "3 highlight") < 1000)
    editor.press("g")
    editor.pause(0.5)
    assert row(editor, "5 comment") < row(editor, "4 deletion") < row(editor, "3 highlight") < 1000


@scenario(**WITH_PAGE)
def the_list_is_filtered_by_kind_author_and_open_comments(editor):
    editor.press("C-c", "+", "l")
    editor.sees("1 addition")
    editor.press("/", "k", "subst", "Tab", "Enter")
    editor.sees("Changes:2 [substitution]")
    editor.press("/", "a", "jonas", "Enter")
    editor.sees("Changes:1 [jonas] [substitution]")
    editor.press("/", "/")
    editor.sees("Changes:4, 3 more")
    editor.press("/", "o")
    editor.sees("Changes:0, 2 more [open comments]")
    # What is decided from it is what is on the line.
    editor.press("/", "/", "/", "a", "anna", "Enter")
    editor.sees("[anna]")
    editor.press("M-<", "a")
    editor.becomes(PAGE.replace("{++always ++}{>>@anna | 2026-11-20<<}", "always "))


# The walk


@scenario(**WITH_PAGE)
def the_walk_tells_of_each_change_what_it_would_become(editor):
    editor.press("M-<", "C-c", "+", "%")
    for part in ("Addition “always ” (4 to go) by anna 20 Nov", "Becomes: The ferry always leaves", "a accept, r reject, c comment"):
        editor.sees(part)
    # Its line is shown as it is.
    editor.sees(CLEAN[:60])
    editor.press("Space")
    editor.sees("Substitution “over” → “from” (3 to go) by jonas 21 Nov")
    editor.press("r")
    rejected = PAGE.replace("{~~over~>from~~}{>>@jonas | 2026-11-21<<}", "over")
    editor.becomes(rejected)
    editor.sees("Deletion “ever ” (2 to go)")
    editor.sees("anna: [resolved] sure?")
    editor.press("b")
    editor.sees("Addition “always ” (3 to go)")
    editor.press("b")
    editor.sees("[Nothing before this]")
    editor.press("a")
    editor.becomes(rejected.replace("{++always ++}{>>@anna | 2026-11-20<<}", "always "))
    editor.sees("Deletion “ever ” (2 to go)")
    editor.press("q")
    editor.sees("2 changes decided")


@scenario(**WITH_PAGE)
def no_key_of_the_walk_gets_into_the_text(editor):
    editor.press("M-<", "C-c", "+", "%")
    editor.sees("Addition “always ” (4 to go)")
    for key in ("z", "C-k", "M-d", "M-a", "F5", "Up", "y", "DC", "C-x"):
        editor.press(key)
        editor.sees("means nothing here]")
    editor.press("c")
    editor.sees("Comment:")
    editor.press("C-g")
    editor.sees("decided")
    assert editor.text == PAGE
    editor.press("C-c", "+", "%")
    editor.sees("(4 to go)")
    editor.press("Space", "e")
    editor.sees("0 changes decided; point is at the next one")
    editor.wait("the caret on the change", lambda: editor.caret_is_on("{~~over"))
    editor.type("x")
    editor.wait("the letter", lambda: "x" in editor.text.split("\n")[2])


@scenario(**WITH_PAGE)
def what_the_walk_decides_is_one_step_of_undo_each(editor):
    editor.press("M-<", "C-c", "+", "%")
    editor.sees("(4 to go)")
    editor.press("a")
    editor.sees("(3 to go)")
    editor.press("a")
    editor.sees("(2 to go)")
    editor.press("q")
    second = PAGE.replace("{++always ++}{>>@anna | 2026-11-20<<}", "always ")
    editor.becomes(second.replace("{~~over~>from~~}{>>@jonas | 2026-11-21<<}", "from"))
    editor.undo()
    editor.becomes(second)
    editor.undo()
    editor.becomes(PAGE)


# The mode line


@scenario(**WITH_PAGE)
def the_mode_line_counts_changes_and_threads(editor):
    editor.sees("Critic:")
    editor.sees("2 comments")
    editor.press("C-c", "+", "t")
    editor.sees("Critic:off ")
    editor.sees("2 comments")


@scenario(size=(120, 30), **WITH_PAGE)
def the_mode_line_tells_the_change_at_point_and_the_authors(editor):
    for word, number in (("leaves", 1), ("pier", 2), ("Nobody", 2), ("three", 4)):
        editor.find(word)
        editor.sees(f"Critic:{number} of 4 · 2 comments · anna 1 · jonas 1")
    editor.press("M-<")
    editor.sees("Critic:4 · 2 comments")
