"""Our Emacs package, installed as a user does it: its files copied, the mode turned on."""

from scenarios import TEXT, scenario, sentence
from scenarios.reviewing import CHANGED
from scenarios.timing import type_while_an_edit_comes
from scenarios.undoing import back, forth, step
from session import TOP, Failed

EMACS = dict(only=("emacs",))
# Nothing is marked by the idle timer in these.
NEVER = {"idleDelay": 600_000}
ACCEPT, REJECT = ("C-c", "+", "a"), ("C-c", "+", "r")
MARK = ("C-c", "+", "m")


@scenario(text=CHANGED, **EMACS)
def accept_and_reject_act_on_point_or_the_region(editor):
    editor.find("very")
    editor.press(*ACCEPT)
    editor.becomes(CHANGED.replace("{++very ++}", "very "))
    editor.undo()
    editor.becomes(CHANGED)
    editor.find("brown")
    editor.press("C-Space", "C-e", *REJECT)
    editor.becomes("The {++very ++}quick brown fox jumps.\n\nThe {++real ++}end.\n")
    editor.press("C-x", "h", *ACCEPT)
    editor.becomes("The very quick brown fox jumps.\n\nThe real end.\n")
    editor.stays()


@scenario(text=CHANGED, **EMACS)
def every_change_is_rejected_or_accepted_in_one_undo_step(editor):
    editor.command("critic-reject-all")
    editor.becomes("The quick brown fox jumps.\n\nThe end.\n")
    editor.undo()
    editor.becomes(CHANGED)
    editor.command("critic-accept-all")
    editor.becomes("The very quick fox leaps.\n\nThe real end.\n")
    editor.stays()


@scenario(settings=NEVER, **EMACS)
def what_was_typed_last_is_accepted_before_it_was_marked(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("C-b", *ACCEPT)
    # Saving would mark it.
    editor.saves_plain(sentence("The quick very brown fox jumps."))


@scenario(settings=NEVER, **EMACS)
def one_undo_takes_back_what_was_typed_and_its_marks_in_emacs(editor):
    editor.insert_before("brown")
    editor.type("very ")
    # Emacs makes a step of what was typed before such a command.
    editor.press("C-a", *MARK)
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.undo()
    editor.becomes(TEXT)
    editor.redo()
    editor.becomes(marked)


@scenario(**EMACS)
def one_undo_takes_back_a_deletion_and_its_mark_in_emacs(editor):
    editor.find("brown")
    editor.press("M-d", "C-a")
    marked = sentence("The quick {--brown--} fox jumps.")
    editor.becomes(marked)
    assert step(editor, editor.undo) == TEXT
    assert step(editor, editor.redo) == marked


@scenario(settings=NEVER, **EMACS)
def accepting_is_an_undo_step_of_its_own(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press(*MARK)
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.press(*ACCEPT)
    editor.becomes(sentence("The quick very brown fox jumps."))
    editor.undo()
    editor.becomes(marked)
    editor.undo()
    editor.becomes(TEXT)


@scenario(**EMACS)
def undo_and_redo_are_not_fought_in_emacs(editor):
    for word in ("quick", "fox"):
        editor.insert_before(word)
        editor.type("very ")
        editor.press("M-d", "C-d", "C-a")
    marked = sentence("The {~~quick ~>very ~~}brown {~~fox ~>very ~~}jumps.")
    editor.becomes(marked)
    back(editor, TEXT)
    editor.press("C-n", "C-p")
    editor.stays()
    back(editor, marked)


# Edits that come while something else goes on


@scenario(**EMACS)
def the_region_stays_active_while_marks_come(editor):
    editor.insert_at_end_of_line("brown")
    editor.type(" Yes.")
    editor.press("C-a", "C-Space", "M-f", "M-f")
    editor.becomes(sentence("The quick brown fox jumps.{++ Yes.++}"))
    editor.press("M-f")
    editor.press("C-c", "+", "h")
    editor.becomes(sentence("{==The quick brown==} fox jumps.{++ Yes.++}"))


LAZY = """
(global-critic-mode)
(add-hook 'critic-mode-hook (lambda () (setq-local eglot-send-changes-idle-time 1)))
"""


@scenario(only=("emacs-28", "emacs-30"), init=LAZY)
def an_edit_is_not_misplaced_by_what_was_typed_but_not_sent(editor):
    type_while_an_edit_comes(editor)
    marked = sentence("{++QWERTY ++}The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.saves(marked, clean=sentence("QWERTY The quick very brown fox jumps."))


HINTS = """
(global-critic-mode)
(setq eglot-ignored-server-capabilities nil)
"""


# Eglot asks for hints half a second after a key.
@scenario(only=("emacs-30",), settings={"idleDelay": 1500, "inlayHints": True}, init=HINTS)
def what_was_deleted_is_shown_until_it_has_its_mark(editor):
    editor.find("brown")
    editor.press("M-d")
    editor.sees("deleted “brown”")
    editor.becomes(sentence("The quick {--brown--} fox jumps."))
    editor.wait("no hint", lambda: "deleted" not in editor.terminal.screen, at_most=5)
    editor.stays()


LINES = "one fox\ntwo fox\nthree fox\nfour fox\n"
# Long enough for the user to go on before the server tries three times and gives up.
SLOW = {"idleDelay": 1000}


@scenario(text=LINES, settings=SLOW, **EMACS)
def query_replace_is_not_misled_by_marks_that_come_while_it_asks(editor):
    editor.press("M-<", "M-%", "fox", "Enter", "red wolf", "Enter")
    editor.sees("Query replacing")
    editor.press("y")
    refused(editor, 1)
    editor.press("n", "y")
    refused(editor, 2)
    editor.press("y")
    editor.sees("Replaced 3")
    marked = "one {~~fox~>red wolf~~}\ntwo fox\nthree {~~fox~>red wolf~~}\nfour {~~fox~>red wolf~~}\n"
    editor.saves(marked, clean="one red wolf\ntwo fox\nthree red wolf\nfour red wolf\n")


def refused(editor, count):
    """Waits until so many edits of the server were put off."""

    def answers():
        return [answer for answer in editor.wire.results("server", "workspace/applyEdit") if not answer["applied"]]

    editor.wait(f"{count} edits to be put off", lambda: len(answers()) >= count)


@scenario(settings=SLOW, **EMACS)
def an_input_method_is_not_disturbed(editor):
    editor.insert_before("brown")
    editor.press("C-u", "C-\\", "latin-1-postfix", "Enter")
    editor.hold()
    editor.type("x ")
    editor.held()
    # Until the next key decides, this may become an é.
    editor.type("e")
    editor.let_go()
    refused(editor, 1)
    editor.type("'t ")
    editor.becomes(sentence("The quick {++x ét ++}brown fox jumps."))
    back(editor, TEXT)


@scenario(text="alpha beta\n\nThe end.\n", **EMACS)
def another_text_can_be_yanked_in_place_of_one_that_is_marked(editor):
    for word in ("alpha", "beta"):
        editor.find(word)
        editor.press("C-Space", "M-f", "M-w")
    editor.press("M->", "C-y")
    editor.becomes("alpha beta\n\nThe end.\n{++beta++}")
    editor.press("M-y")
    editor.becomes("alpha beta\n\nThe end.\n{++alpha++}")
    editor.type("bet")
    editor.becomes("alpha beta\n\nThe end.\n{++alphabet++}")


@scenario(**EMACS)
def marks_come_while_a_command_is_being_asked_for(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("M-x")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.press("forward-word", "Enter")
    editor.type(" dark")
    editor.becomes(sentence("The quick {++very ++}brown{++ dark++} fox jumps."))


@scenario(**EMACS)
def marks_come_while_one_searches(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("C-s", "jum")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.press("ps", "Enter")
    editor.type(" on")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps{++ on++}."))


@scenario(**EMACS)
def marks_come_into_a_narrowed_buffer(editor):
    editor.insert_before("brown")
    editor.type("very ")
    # What was typed is outside now.
    editor.press("M->", "C-p", "C-a", "C-f")
    editor.press("M-:", "(narrow-to-region (line-beginning-position) (point-max))", "Enter")
    editor.wait("the mark", lambda: editor.text == sentence("The quick {++very ++}brown fox jumps."))
    editor.type(" really")
    editor.wait("the second mark", lambda: "{++ really++}" in editor.text)
    editor.press("C-x", "n", "w", "M-<")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps.").replace("The end.", "T{++ really++}he end."))


@scenario(text="No line end", **EMACS)
def a_last_line_without_an_end_stays_without_it(editor):
    editor.insert_before("line")
    editor.type("new ")
    editor.saves("No {++new ++}line end", clean="No new line end")
    editor.press("M->")
    editor.type(" yet")
    editor.saves("No {++new ++}line end{++ yet++}", clean="No new line end yet")
    editor.press("BSpace")
    editor.saves("No {++new ++}line end{++ ye++}", clean="No new line end ye")


@scenario(**EMACS)
def what_a_revert_brings_is_no_change(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.saves(sentence("The quick {++very ++}brown fox jumps."))
    other = sentence("Another {++new ++}text altogether.")
    with open(editor.file, "w") as file:
        file.write(other)
    editor.command("revert-buffer-quick")
    editor.becomes(other)
    editor.stays()
    editor.insert_before("altogether")
    editor.type("and so on ")
    editor.becomes(sentence("Another {++new ++}text {++and so on ++}altogether."))


@scenario(init="(global-critic-mode)\n(global-auto-revert-mode)\n", **EMACS)
def what_another_program_writes_is_no_change(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.saves(sentence("The quick {++very ++}brown fox jumps."))
    # Emacs looks at the time of the file after writing it: what comes between counts as its own.
    editor.sees("Wrote")
    editor.rests()
    other = sentence("Another {++new ++}text altogether.")
    with open(editor.file, "w") as file:
        file.write(other)
    editor.becomes(other)
    editor.stays()
    editor.insert_before("altogether")
    editor.type("and so on ")
    editor.becomes(sentence("Another {++new ++}text {++and so on ++}altogether."))


@scenario(init="(global-critic-mode)\n(setq auto-save-visited-interval 1)\n(auto-save-visited-mode 1)\n", **EMACS)
def what_is_saved_by_itself_has_its_marks(editor):
    editor.insert_before("brown")
    editor.type("dark and ", gaps=(0.4,))
    editor.becomes(sentence("The quick {++dark and ++}brown fox jumps."))
    editor.wait("the file to have it", lambda: editor.saved == editor.text)
    editor.type("deep ", gaps=(0.4,))
    editor.becomes(sentence("The quick {++dark and deep ++}brown fox jumps."))
    editor.wait("the file to have that", lambda: editor.saved == editor.text)
    back(editor, TEXT)


@scenario(**EMACS)
def marks_come_without_a_question_when_the_file_has_changed(editor):
    with open(editor.file, "a") as file:
        file.write("More.\n")
    editor.insert_before("brown")
    editor.type("v")
    editor.sees("really edit the buffer?")
    editor.type("yery ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.type("dark ")
    editor.becomes(sentence("The quick {++very dark ++}brown fox jumps."))


@scenario(text="The fox {++very ++}often is a fox.\n", **EMACS)
def marks_between_words_that_are_replaced_stay_as_they_are(editor):
    editor.change_everywhere("fox", "wolf")
    marked = "The {~~fox~>wolf~~} {++very ++}often is a {~~fox~>wolf~~}.\n"
    editor.becomes(marked)
    editor.stays()


@scenario(text="The fox {++very ++}often\nis a fox {--indeed --}these days.\n", **EMACS)
def marks_in_a_paragraph_that_is_filled_stay_as_they_are(editor):
    editor.press("M-<", "M-q")
    editor.becomes("The fox {++very ++}often{~~\n~> ~~}is a fox {--indeed --}these days.\n")


# The commands


@scenario(text="Zoë 👍 likes 日本語 too.\n", **EMACS)
def a_comment_on_the_region_highlights_it(editor):
    editor.find("日")
    editor.press("C-Space", "C-f", "C-f", "C-f", "C-c", "+", "c")
    editor.sees("Comment:")
    editor.press("why this?", "Enter")
    editor.becomes("Zoë 👍 likes {==日本語==}{>>why this?<<} too.\n")
    editor.find("too")
    editor.press("C-Space", "M-f", "C-c", "+", "h")
    editor.becomes("Zoë 👍 likes {==日本語==}{>>why this?<<} {==too==}.\n")
    editor.find("why")
    editor.press("C-c", "+", "x")
    editor.becomes("Zoë 👍 likes {==日本語==}{>>[resolved] why this?<<} {==too==}.\n")
    editor.press("C-c", "+", "x")
    editor.becomes("Zoë 👍 likes {==日本語==}{>>why this?<<} {==too==}.\n")
    editor.command("critic-remove-comment")
    editor.becomes("Zoë 👍 likes {==日本語==} {==too==}.\n")


@scenario(**EMACS)
def a_comment_lands_where_it_was_meant_though_marks_come_while_it_is_written(editor):
    editor.insert_before("quick")
    editor.type("so ")
    editor.find("brown")
    editor.press("C-Space", "M-f", "C-c", "+", "c")
    editor.sees("Comment:")
    editor.becomes(sentence("The {++so ++}quick brown fox jumps."))
    editor.press("why?", "Enter")
    editor.becomes(sentence("The {++so ++}quick {==brown==}{>>why?<<} fox jumps."))


@scenario(text=CHANGED, **EMACS)
def a_comment_on_the_change_at_point_is_after_it(editor):
    editor.find("leaps")
    editor.press("C-c", "+", "c")
    editor.sees("Comment:")
    editor.press("livelier", "Enter")
    editor.becomes(CHANGED.replace("~~}", "~~}{>>livelier<<}"))


@scenario(text="Zoë likes all {++the ++}fine 日本語 too.\n", **EMACS)
def a_comment_without_a_region_is_on_the_word_at_point_or_on_the_change_there(editor):
    def comment(place, text, prompt="Comment:"):
        editor.find(place)
        editor.press("C-c", "+", "c")
        editor.sees(prompt)
        editor.press(text, "Enter")

    comment("oë", "who?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}fine 日本語 too.\n")
    comment("he ", "why?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}{>>why?<<}fine 日本語 too.\n")
    comment("{++the", "how?", "Answer:")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}{>>why?<<}{>>how?<<}fine 日本語 too.\n")
    comment(" too", "where?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}{>>why?<<}{>>how?<<}fine 日本語{>>where?<<} too.\n")


@scenario(**EMACS)
def with_tracking_turned_off_edits_are_plain(editor):
    editor.sees("Critic:0")
    editor.press("C-c", "+", "t")
    editor.sees("Tracking off")
    editor.sees("Critic:off")
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick very brown fox jumps."))
    editor.stays()
    editor.saves_plain(sentence("The quick very brown fox jumps."))
    editor.press("C-c", "+", "t")
    editor.sees("Tracking on")
    editor.insert_before("fox")
    editor.type("red ")
    editor.becomes(sentence("The quick very brown {++red ++}fox jumps."))
    editor.sees("Critic:1")
    editor.press("C-c", "+", "s")
    editor.sees("Tracking on, 1 change")


@scenario(text=CHANGED, **EMACS)
def the_list_leads_to_each_change_and_reviews_it(editor):
    editor.press("C-c", "+", "l")
    for part in ("very", "brown", "jumps → leaps", "real"):
        editor.sees(part)
    editor.press("n", "n", "c")
    editor.sees("Comment:")
    editor.press("livelier", "Enter")
    commented = CHANGED.replace("~~}", "~~}{>>livelier<<}")
    editor.becomes(commented)
    # The second one.
    editor.press("p", "r")
    rejected = commented.replace("{--brown --}", "brown ")
    editor.becomes(rejected)
    editor.press("M-<", "a")
    accepted = rejected.replace("{++very ++}", "very ")
    editor.becomes(accepted)
    editor.press("M-<", "Enter")
    editor.wait("the caret on the change", lambda: editor.caret_is_on("{~~jumps"))
    editor.type("x")
    editor.becomes(accepted.replace("~>leaps", "~>xleaps"))


@scenario(text=CHANGED, **EMACS)
def the_list_stays_on_its_change_while_the_document_is_edited(editor):
    editor.press("C-c", "+", "l")
    editor.sees("jumps → leaps")
    editor.press("n", "n", "C-x", "o", "M-<")
    editor.type("Yes. ")
    marked = "{++Yes. ++}" + CHANGED
    editor.becomes(marked)
    editor.sees("addition     Yes.")
    editor.press("C-x", "o", "c")
    editor.sees("Comment:")
    editor.press("livelier", "Enter")
    editor.becomes(marked.replace("~~}", "~~}{>>livelier<<}"))


@scenario(settings=NEVER, **EMACS)
def leaving_the_buffer_marks_what_was_typed(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("C-x", "b", "*scratch*", "Enter")
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.wait("the mark", lambda: editor.text == marked)
    editor.press("C-x", "b", "doc.md", "Enter")
    editor.becomes(marked)


@scenario(**EMACS)
def leaving_the_buffer_does_not_mark_what_was_undone(editor):
    editor.insert_before("brown")
    editor.type("very ")
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    back(editor, TEXT)
    editor.press("C-x", "b", "*scratch*", "Enter", "C-x", "b", "doc.md", "Enter")
    editor.stays()
    editor.becomes(TEXT)


@scenario(settings={"marking": "command"}, **EMACS)
def with_marking_by_command_leaving_the_buffer_marks_nothing(editor):
    editor.sees("Critic:0")
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("C-x", "b", "*scratch*", "Enter", "C-x", "b", "doc.md", "Enter")
    editor.wait("the whole word", lambda: editor.text == sentence("The quick very brown fox jumps."))
    editor.stays()
    editor.press(*MARK)
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


# Setting it up


COLOURS = """{++added `a` \u007b--both--}++} {--gone--} {~~old~>new~~}
{==lit
up==}{>>why<<} `{++code++}`

```
{++block++}
```

{++open
"""


@scenario(text=COLOURS, settings={"tracking": "off"}, **EMACS)
def marks_are_shown_in_colours_but_not_in_code(editor):
    faces = (
        ("added", "critic-addition"),
        ("both", "critic-deletion critic-addition"),
        ("gone", "critic-deletion"),
        ("old", "critic-substitution-old"),
        ("new", "critic-substitution-new"),
        ("lit", "critic-highlight"),
        ("up", "critic-highlight"),
        ("why", "critic-comment"),
        ("code", ""),
        ("open", ""),
        ("block", ""),
    )
    for word, face in faces:
        sees_faces(editor, word, face)
    # After a change in it, a mark over two lines is still one; without its closer it is none.
    editor.find("lit")
    editor.type("very ")
    sees_faces(editor, "up", "critic-highlight")
    editor.press("M-f", "C-d")
    sees_faces(editor, "very", "")


SHOW_FACES = """
(progn (font-lock-ensure)
       (message "<%s: %s>" (thing-at-point 'word)
                (mapconcat #'symbol-name
                           (seq-filter (lambda (face) (string-prefix-p "critic" (symbol-name face)))
                                       (ensure-list (get-text-property (point) 'face)))
                           " ")))
"""


def sees_faces(editor, word, faces):
    """Our faces at the word, the innermost first."""
    editor.find(word)
    wanted = f"<{word}: {faces}>"
    # ElDoc can write over the answer when it comes late; then it is asked for again.
    for _ in range(3):
        editor.press("M-:", " ".join(SHOW_FACES.split()), "Enter")
        try:
            return editor.wait(wanted, lambda: editor.shows(wanted), at_most=5)
        except Failed:
            continue
    editor.sees(wanted)


@scenario(mode="text-mode", init="(push 'text-mode critic-modes)\n(global-critic-mode)\n", **EMACS)
def plain_text_is_tracked_where_the_user_wants_it(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.saves(sentence("The quick {++very ++}brown fox jumps."))


@scenario(init="(add-hook 'markdown-mode-hook #'critic-mode)\n", **EMACS)
def the_mode_can_be_turned_on_by_a_hook(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


@scenario(only=("emacs-28", "emacs-30"), readme="Eglot")
def what_we_tell_users_of_eglot_sets_it_up(editor):
    turns_tracking_on(editor)
    marks_what_is_typed(editor)


@scenario(only=("emacs-28-lsp-mode", "emacs-30-lsp-mode"), readme="lsp-mode")
def what_we_tell_users_of_lsp_mode_sets_it_up(editor):
    turns_tracking_on(editor)
    marks_what_is_typed(editor)


@scenario(only=("emacs-30",), readme="use-package")
def what_we_tell_users_of_use_package_sets_it_up(editor):
    turns_tracking_on(editor)
    marks_what_is_typed(editor)


def turns_tracking_on(editor):
    editor.sees("Critic:off")
    editor.press("C-c", "+", "t")
    editor.sees("Critic:0")


def marks_what_is_typed(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.sees("Critic:1")
    editor.press(*ACCEPT)
    editor.becomes(sentence("The quick very brown fox jumps."))
    editor.undo()
    editor.undo()
    editor.becomes(TEXT)


PREFIX = """
(global-critic-mode)
(customize-set-variable 'critic-keymap-prefix "C-c :")
"""


@scenario(settings={"tracking": "off"}, **EMACS)
def settings_that_are_customized_take_effect_at_once(editor):
    editor.sees("Critic:off")
    editor.press("M-:", "(customize-set-variable 'critic-settings '(:tracking \"on\" :idleDelay 300 :author \"ann\"))", "Enter")
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.sees("Critic:1")
    editor.press("C-b", "C-c", "+", "c")
    editor.sees("Comment:")
    editor.press("so", "Enter")
    editor.becomes(sentence("The quick {++very ++}{>>@ann: so<<}brown fox jumps."))


@scenario(text=CHANGED, init=PREFIX, **EMACS)
def the_keys_can_be_put_after_others(editor):
    editor.find("very")
    editor.press("C-c", ":", "a")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))


@scenario(only=("emacs-28", "emacs-30"), readme="Without the package")
def with_eglot_alone_changes_are_marked_on_save(editor):
    editor.insert_before("brown")
    editor.type("very ")
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.saves(marked, clean=sentence("The quick very brown fox jumps."))
    editor.becomes(marked)
    editor.type("dark ")
    editor.delete("fox")
    marked = sentence("The quick {++very dark ++}brown {--fox --}jumps.")
    editor.saves(marked)
    editor.becomes(marked)
    back(editor, TEXT)
    forth(editor, marked)


@scenario(**EMACS)
def turned_off_and_on_again_the_mode_goes_on(editor):
    editor.command("critic-mode")
    editor.command("critic-mode")
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.sees("Critic:1")


@scenario(compiled=True, **EMACS)
def compiled_without_a_warning_the_package_works(editor):
    marks_what_is_typed(editor)


@scenario(only=("emacs-28", "emacs-30"))
def what_the_package_says_of_itself_is_in_good_style(editor):
    for file in editor.package:
        editor.quietly(f'(checkdoc-file "{file}")')


LINT = """
(progn
  (add-to-list 'load-path (car (file-expand-wildcards "PLACE/usr/share/emacs/site-lisp/elpa-src/package-lint-*")))
  (require 'package-lint)
  (setq package-lint-main-file "MAIN")
  (with-current-buffer (find-file-noselect "FILE")
    (pcase-dolist (`(,line ,_ ,_ ,told) (package-lint-buffer))
      (message "%s:%d: %s" buffer-file-name line told))))
"""


@scenario(only=("emacs-30",))
def what_package_archives_ask_of_a_package_is_done(editor):
    lint = LINT.replace("PLACE", f"{TOP}/.editors/package-lint").replace("MAIN", f"{editor.lisp}/critic.el")
    for file in editor.package:
        editor.quietly(lint.replace("FILE", file))


SHOW_LEFT = """
(progn (critic-mode -1)
       (message "<left: %s>"
                (list require-final-newline
                      (local-variable-p 'eglot-send-changes-idle-time)
                      (memq 'critic--notice-leaving window-buffer-change-functions)
                      (seq-filter (lambda (name)
                                    (let (ours)
                                      (advice-mapc (lambda (advice _)
                                                     (when (and (symbolp advice)
                                                                (string-prefix-p "critic" (symbol-name advice)))
                                                       (setq ours t)))
                                                   name)
                                      ours))
                                  '(eglot--track-changes-signal eglot--apply-text-edits jsonrpc-connection-receive
                                    lsp--client-capabilities lsp--apply-text-edits lsp--parser-on-message))
                      (seq-filter (lambda (hook) (and (symbolp hook) (string-prefix-p "critic" (symbol-name hook))))
                                  (append after-change-functions before-save-hook)))))
"""


@scenario(text=CHANGED, init="(global-critic-mode)\n(add-hook 'markdown-mode-hook #'critic-mode)\n", **EMACS)
def turned_off_the_mode_leaves_nothing_behind(editor):
    editor.press("M-:", " ".join(SHOW_LEFT.split()), "Enter")
    editor.sees("<left: (t nil nil nil nil)>")
    sees_faces(editor, "very", "")


# Going from change to change


@scenario(text=CHANGED, **EMACS)
def the_next_and_previous_commands_go_around(editor):
    editor.find("quick")
    ways = ("n {--brown", "n {~~jumps", "p {--brown", "p {++very", "p {++real", "n {++very")
    for key, part in (way.split() for way in ways):
        editor.press("C-c", "+", key)
        editor.wait(f"the caret on {part}", lambda: editor.caret_is_on(part))
    editor.sees("Added “very ”")
    # Back to where one came from.
    editor.press("C-u", "C-Space")
    editor.wait("the caret where it was", lambda: editor.caret_is_on("quick"))


@scenario(text=CHANGED.replace("--}", "--}{>>too dark<<}"), **EMACS)
def the_next_change_without_a_comment_is_gone_to(editor):
    editor.press("M-<")
    for part in ("{++very", "{~~jumps", "{++real", "{++very"):
        editor.press("C-c", "+", "u")
        editor.wait(f"the caret on {part}", lambda: editor.caret_is_on(part))


@scenario(text="The end.\n", settings={"tracking": "off"}, **EMACS)
def without_a_change_there_is_none_to_go_to(editor):
    editor.press("C-c", "+", "n")
    editor.sees("No change to go to")


@scenario(text=CHANGED, **EMACS)
def each_change_is_given_its_reason(editor):
    editor.find("quick")
    editor.press("C-c", "+", "w")
    # From the caret on, and around; the last one is passed over.
    for question, reason in (
        ("Why “brown ”? (4 to go", "too dark"),
        ("Why “jumps” → “leaps”? (3 to go", "livelier"),
        ("Why “real ”? (2 to go", "no fake"),
        ("Why “very ”? (1 to go", ""),
    ):
        editor.sees(question)
        editor.look()
        editor.press(*([reason] if reason else []), "Enter")
    editor.sees("1 change is left without a comment")
    editor.becomes(
        "The {++very ++}quick {--brown --}{>>too dark<<}fox {~~jumps~>leaps~~}{>>livelier<<}.\n"
        "\nThe {++real ++}{>>no fake<<}end.\n"
    )


@scenario(text=CHANGED, **EMACS)
def changes_that_are_passed_over_are_not_asked_for_again(editor):
    editor.press("C-c", "+", "w")
    for question in ("Why “very ”? (4", "Why “brown ”? (3", "Why “jumps” → “leaps”? (2", "Why “real ”? (1"):
        editor.sees(question)
        editor.press("Enter")
    editor.sees("4 changes are left without a comment")
    editor.becomes(CHANGED)


@scenario(text=CHANGED, **EMACS)
def what_was_given_so_far_stays_when_one_quits(editor):
    editor.press("M-<", "C-c", "+", "w")
    editor.sees("Why “very ”?")
    editor.press("so it is", "Enter")
    commented = CHANGED.replace("{++very ++}", "{++very ++}{>>so it is<<}")
    editor.sees("Why “brown ”?")
    editor.becomes(commented)
    editor.press("C-g")
    editor.wait("the caret on the change", lambda: editor.caret_is_on("{--brown"))
    editor.press(*REJECT)
    editor.becomes(commented.replace("{--brown --}", "brown "))


@scenario(text=CHANGED, **EMACS)
def a_variant_is_shown_in_another_window(editor):
    for variant, line in (("original", "The quick brown fox jumps."), ("", "The very quick fox leaps.")):
        editor.press("C-c", "+", "e")
        editor.sees("Variant:")
        editor.press(*([variant] if variant else []), "Enter")
        editor.sees(line)
        editor.press("C-x", "0")
    editor.becomes(CHANGED)


REFUSING = """(global-critic-mode)
(defvar refusals '("accept" "comment"))
(advice-add 'critic--request :before
  (lambda (command &rest _)
    (when (member command refusals)
      (setq refusals (delete command refusals))
      (user-error "Not possible"))))
"""


@scenario(text=CHANGED, init=REFUSING, **EMACS)
def a_review_goes_on_where_something_cannot_be_done(editor):
    editor.press("M-<", "C-c", "+", "%")
    editor.sees("“very ” (4 to go)")
    editor.press("a")
    editor.sees("[Not possible]")
    editor.press("c")
    editor.sees("Comment:")
    editor.press("why?", "Enter")
    editor.sees("[Not possible]")
    editor.press("a")
    editor.sees("“brown ” (3 to go)")
    editor.press("q")
    editor.sees("1 change decided")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))


@scenario(text=CHANGED, init=REFUSING, **EMACS)
def comments_are_asked_for_on_where_one_cannot_be_made(editor):
    editor.press("M-<", "C-c", "+", "w")
    editor.sees("Why “very ”? (4 to go")
    editor.press("why?", "Enter")
    editor.sees("[Not possible] Why “brown ”?")
    editor.press("dark", "Enter")
    editor.sees("Why “jumps”")
    editor.press("C-g")
    editor.becomes(CHANGED.replace("{--brown --}", "{--brown --}{>>dark<<}"))


STRUCK = """(global-critic-mode)
(defun struck (word)
  (goto-char (point-min))
  (search-forward word)
  (let ((faces (get-text-property (match-beginning 0) 'face)))
    (eq t (seq-find (lambda (value) (not (eq value 'unspecified)))
                    (mapcar (lambda (face) (face-attribute face :strike-through nil t))
                            (if (listp faces) faces (list faces)))))))
(defun tell-struck () (interactive)
  (font-lock-ensure)
  (message "Struck: %s" (seq-filter #'struck '("blue" "dog" "between" "own" "after"))))
"""
TILDES = "One {~~red~>blue~~} and {~~cat ~>dog ~~}or between {~~a~>b~~} ~~own~~ words after.\n"


@scenario(text=TILDES, init=STRUCK, **EMACS)
def tildes_of_a_mark_strike_nothing_through(editor):
    editor.command("tell-struck")
    editor.sees("Struck: (own)")
    # Without our mode they are tildes.
    editor.command("critic-mode")
    editor.command("tell-struck")
    editor.sees("Struck: (blue")
