"""Our Emacs package where a file keeps its marks and its buffer has none: what is saved is the file with its marks, and nothing else ever is."""

import os
import signal
import subprocess

from scenarios import scenario, seeds
from scenarios.beside_emacs import CLEAN, RECORD
from scenarios.monkey_beside import BesideMonkey
from scenarios.monkey_twin import monkey
from scenarios.page_emacs import ON, asks
from twin import text_of, twin_of

HIDDEN = "(setq critic-hide-marks t eglot-autoreconnect nil lsp-restart 'ignore)\n"
# All of the mode line is on the screen.
HIDING = dict(only=("emacs",), text=RECORD, page=True, init=HIDDEN + ON, size=(140, 36))


def is_clean(editor, text=CLEAN):
    """Waits until the buffer has this text, and the server keeps the marks of the file."""
    editor.wait(f"the text {text!r}", lambda: editor.text == text)
    editor.sees(" in file")


def keeps(editor, clean, original=RECORD):
    """Waits until the file has `clean` and the marks that make what it was."""
    expected = editor.exported("--original", original)
    editor.wait(
        f"a file with the text {clean!r}",
        lambda: editor.saved
        and editor.exported("--clean", editor.saved) == clean
        and editor.exported("--original", editor.saved) == expected,
    )


def has_said(editor, part):
    """Other messages come over one at the start."""
    asks(editor, f"""(with-current-buffer "*Messages*" (goto-char 1) (and (search-forward "{part}" nil t) t))""", "t")


def replaces(editor, word, new):
    editor.find(word)
    editor.press("M-d")
    editor.type(new)


@scenario(**HIDING)
def a_file_that_keeps_its_marks_is_read_without_them(editor):
    is_clean(editor)
    for line in ("+ The ferry always leaves over→from the pier.", "  ¹ jonas 20 Nov", "− Nobody ever answers² him now"):
        editor.sees(line)
    asks(editor, "(list (buffer-modified-p) buffer-undo-list (verify-visited-file-modtime))", "(nil nil t)")
    assert editor.saved == RECORD


WITNESSES = """
(defvar told nil)
(add-hook 'before-save-hook (lambda () (push 'before told)))
(add-hook 'after-save-hook (lambda () (push 'after told)))
"""


@scenario(**{**HIDING, "init": WITNESSES + HIDDEN + ON})
def what_is_typed_is_saved_with_the_marks_and_is_undone_as_without_us(editor):
    is_clean(editor)
    editor.find("waves")
    editor.type("slowly ")
    editor.save()
    keeps(editor, CLEAN.replace("waves", "slowly waves"))
    assert "{>>@jonas | 2026-11-20 | [clarity] which captain?<<}" in editor.saved
    asks(editor, "(list (buffer-modified-p) told (verify-visited-file-modtime))", "(nil (after before) t)")
    editor.wait("didSave", lambda: editor.wire.sent("editor", "textDocument/didSave"))
    replaces(editor, "pier", "quay")
    editor.undo()
    editor.undo()
    editor.undo()
    editor.wait("the text as it was read", lambda: editor.text == CLEAN)
    editor.save()
    editor.wait("the file as it was read", lambda: editor.saved == RECORD)


@scenario(**HIDING)
def keys_make_the_text_that_they_make_without_us(editor):
    is_clean(editor)
    editor.original = CLEAN
    with twin_of(editor) as twin:
        for one in (twin, editor):
            one.find("Nobody")
            for key in ("M-d", "M-t", "C-k", "C-k", "C-_", "M->", "word", "Enter", "C-p", "C-w", "C-y", "M-<", "C-o", "C-t"):
                one.press(key)
        text = text_of(twin)
    editor.wait(f"the text {text!r}", lambda: editor.text == text)
    editor.save()
    keeps(editor, text)


@scenario(**HIDING)
def what_is_decided_is_in_the_file_at_once_and_asks_nothing(editor):
    is_clean(editor)
    editor.sees("over→from")
    editor.find("always")
    editor.press("C-c", "+", "a")
    editor.wait("the mark to go", lambda: "{++always" not in editor.saved)
    keeps(editor, CLEAN, RECORD.replace("{++always ++}{>>@anna | 2026-11-20<<}", "always "))
    editor.find("end")
    editor.press("C-c", "+", "c", "which end?", "Enter")
    editor.sees("  ¹ which end?")
    editor.wait("the comment", lambda: "which end?" in editor.saved)
    asks(editor, "(buffer-modified-p)", "nil")
    editor.find("end")
    editor.type("far ")
    text = CLEAN.replace("The end", "The far end")
    editor.wait("the text", lambda: editor.text == text)
    editor.find("from")
    editor.press("C-c", "+", "r")
    text = text.replace("from", "over")
    editor.wait("the old word", lambda: editor.text == text)
    editor.save()
    editor.wait("the file", lambda: editor.exported("--clean", editor.saved) == text)
    editor.undo()
    editor.wait("the new word", lambda: editor.text == text.replace("over", "from"))
    editor.save()
    editor.wait("the file", lambda: editor.exported("--clean", editor.saved) == editor.text)
    asks(editor, "(buffer-modified-p)", "nil")


@scenario(**{**HIDING, "text": RECORD.replace("\n", "\r\n")})
def line_ends_of_two_characters_stay(editor):
    is_clean(editor, CLEAN.replace("\n", "\r\n"))
    replaces(editor, "pier", "quay")
    editor.save()
    keeps(editor, CLEAN.replace("\n", "\r\n").replace("pier", "quay"), RECORD.replace("\n", "\r\n"))


@scenario(**{**HIDING, "text": "\ufeff" + RECORD})
def a_byte_order_mark_stays(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.save()
    keeps(editor, "\ufeff" + CLEAN.replace("pier", "quay"), "\ufeff" + RECORD)


@scenario(**{**HIDING, "text": "One {++more ++}word"})
def a_file_without_a_final_line_end_gets_none(editor):
    is_clean(editor, "One more word")
    replaces(editor, "word", "wörd")
    editor.save()
    keeps(editor, "One more wörd", "One word")
    asks(editor, "buffer-file-coding-system", "utf-8-unix")


@scenario(**{**HIDING, "text": CLEAN})
def a_file_without_marks_gets_those_of_what_is_typed(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay"), CLEAN)
    assert "{~~pier~>quay~~}" in editor.saved


@scenario(**{**HIDING, "text": CLEAN, "settings": {"tracking": "off"}})
def a_file_that_is_not_tracked_is_saved_as_it_is(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.save()
    editor.wait("the file", lambda: editor.saved == CLEAN.replace("pier", "quay"))


@scenario(**HIDING)
def without_the_server_nothing_is_written_and_the_text_can_be_kept_beside(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.wait("the text to be told", lambda: "quay" in editor.text)
    editor.kill_server()
    editor.wait("the server to be gone", lambda: not editor.server_lives)
    editor.save()
    editor.sees("Not written: ")
    assert editor.saved == RECORD
    asks(editor, "(and (buffer-modified-p) t)", "t")
    for name in ("doc.clean.md", "doc.clean-2.md"):
        editor.command("critic-write-clean")
        editor.sees(name)
        with open(os.path.join(editor.folder, name)) as file:
            assert file.read() == CLEAN.replace("pier", "quay")
    assert editor.saved == RECORD


@scenario(**{**HIDING, "init": HIDDEN.replace("reconnect nil", "reconnect t").replace("'ignore", "'auto-restart") + ON})
def what_was_typed_while_the_server_died_is_saved_with_the_marks_by_the_next_one(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.wait("the text to be told", lambda: "quay" in editor.text)
    opened = len(editor.wire.sent("editor", "textDocument/didOpen"))
    editor.kill_server()
    editor.find("captain")
    editor.type("tall ")
    editor.wait("the next server", lambda: len(editor.wire.sent("editor", "textDocument/didOpen")) > opened)
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay").replace("captain", "tall captain"))


@scenario(**HIDING)
def a_server_that_does_not_answer_stops_no_one_and_what_it_writes_late_is_not_asked_about(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    text = CLEAN.replace("pier", "quay")
    editor.wait("the text to be told", lambda: editor.text == text)
    os.kill(editor.wire.server_process, signal.SIGSTOP)
    editor.save()
    editor.sees("Not written: ")
    assert editor.saved == RECORD
    asks(editor, "(and (buffer-modified-p) t)", "t")
    os.kill(editor.wire.server_process, signal.SIGCONT)
    keeps(editor, text)
    replaces(editor, "captain", "mate")
    editor.save()
    keeps(editor, text.replace("captain", "mate"))
    asks(editor, "(list (buffer-modified-p) (verify-visited-file-modtime))", "(nil t)")


RECOVERING = "(setq auto-save-default t auto-save-no-message t)\n"


@scenario(**{**HIDING, "init": RECOVERING + HIDDEN + ON})
def what_was_not_saved_is_recovered_and_the_marks_are_kept(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.command("do-auto-save")
    saved = os.path.join(editor.folder, "#doc.md#")
    editor.wait("the auto-save file", lambda: os.path.exists(saved) and open(saved).read() == CLEAN.replace("pier", "quay"))
    killed = editor.wire.server_process
    editor.kill_editor()
    assert editor.saved == RECORD
    editor.open()
    editor.has_another_server(killed)
    is_clean(editor)
    recovers(editor)
    editor.wait("the text", lambda: editor.text == CLEAN.replace("pier", "quay"))
    asks(editor, "(and (buffer-modified-p) t)", "t")
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay"))


def recovers(editor):
    editor.command("recover-this-file")
    editor.sees("Recover auto save file")
    editor.press("yes", "Enter")


OTHER = RECORD.replace("{++always ++}{>>@anna | 2026-11-20<<}", "{++never ++}{>>@anna | 2026-11-20<<}")


def writes(editor, text):
    with open(editor.file, "w") as file:
        file.write(text)


@scenario(**{**HIDING, "init": "(global-auto-revert-mode)\n(setq auto-revert-interval 1)\n" + HIDDEN + ON})
def what_another_program_wrote_is_read_without_its_marks(editor):
    is_clean(editor)
    editor.pause(1)
    writes(editor, OTHER)
    editor.wait("the other text", lambda: editor.text == CLEAN.replace("always", "never"))
    asks(editor, "(list (buffer-modified-p) (verify-visited-file-modtime))", "(nil t)")
    editor.sees("over→from")
    replaces(editor, "pier", "quay")
    editor.save()
    keeps(editor, CLEAN.replace("always", "never").replace("pier", "quay"), OTHER)


@scenario(**HIDING)
def a_checkout_is_asked_about_when_it_is_another_text_and_read_clean(editor):
    git = ["git", "-C", editor.folder, "-c", "user.name=a", "-c", "user.email=a@b"]
    os.rmdir(os.path.join(editor.folder, ".git"))
    for command in (["init", "-q"], ["add", "doc.md"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay"))
    editor.pause(1)
    subprocess.run([*git, "checkout", "-q", "doc.md"], check=True)
    editor.find("end")
    editor.press("x")
    editor.sees("changed on disk; really edit")
    opened = len(editor.wire.sent("editor", "textDocument/didOpen"))
    editor.press("r")
    editor.wait("the text to be read", lambda: len(editor.wire.sent("editor", "textDocument/didOpen")) > opened)
    # Emacs throws away what is typed until it has read it.
    editor.wait("the screen to rest", lambda: editor.terminal.rests)
    assert (editor.text, editor.saved) == (CLEAN, RECORD)
    asks(editor, "(verify-visited-file-modtime)", "t")
    editor.command("revert-buffer")
    editor.sees("Revert buffer from file")
    editor.press("yes", "Enter")
    is_clean(editor)
    replaces(editor, "pier", "dock")
    editor.save()
    keeps(editor, CLEAN.replace("pier", "dock"))


@scenario(**HIDING)
def what_another_program_wrote_is_never_written_over(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.wait("the text", lambda: "quay" in editor.text)
    writes(editor, OTHER)
    editor.save()
    editor.sees("Save anyway?")
    editor.press("yes", "Enter")
    editor.sees("Not written: ")
    assert editor.saved == OTHER
    asks(editor, "(and (buffer-modified-p) t)", "t")


@scenario(**HIDING)
def what_another_program_wrote_is_taken_for_the_file_when_the_mode_is_turned_on_anew(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    text = CLEAN.replace("pier", "quay")
    editor.wait("the text", lambda: editor.text == text)
    writes(editor, OTHER)
    editor.command("critic-mode")
    editor.sees("is not written without")
    editor.command("critic-mode")
    is_clean(editor, text)
    editor.save()
    editor.sees("Save anyway?")
    editor.press("yes", "Enter")
    keeps(editor, text, OTHER)


@scenario(**HIDING)
def a_file_that_is_renamed_keeps_its_marks(editor):
    is_clean(editor)
    editor.press("M-:", '(progn (rename-file "doc.md" "new.md") (set-visited-file-name "new.md" nil t))', "Enter")
    editor.sees("new.md")
    replaces(editor, "pier", "quay")
    editor.save()
    editor.sees("Wrote")
    asks(editor, "(list (buffer-modified-p) (and (critic-hiding-p) t))", "(nil t)")
    assert not os.path.exists(editor.file)
    editor.file = os.path.join(editor.folder, "new.md")
    keeps(editor, CLEAN.replace("pier", "quay"))


@scenario(**{**HIDING, "init": ON})
def commands_hide_the_marks_of_one_file_and_show_them_again(editor):
    editor.wait("the text", lambda: editor.text == RECORD)
    editor.command("critic-hide-marks")
    is_clean(editor)
    editor.sees("over→from")
    replaces(editor, "pier", "quay")
    editor.command("critic-show-marks")
    editor.sees("Save the buffer first")
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay"))
    editor.command("critic-show-marks")
    editor.wait("the marks", lambda: editor.text == editor.saved)
    editor.wait("the marks to be shown", lambda: not editor.shows(" in file"))
    editor.command("critic-hide-marks")
    is_clean(editor, CLEAN.replace("pier", "quay"))
    # Turned off, and on with the choice of before.
    editor.command("critic-mode")
    editor.sees("{++always ++}")
    editor.command("critic-mode")
    is_clean(editor, CLEAN.replace("pier", "quay"))
    editor.command("normal-mode")
    is_clean(editor, CLEAN.replace("pier", "quay"))
    asks(editor, "(buffer-modified-p)", "nil")


@scenario(**HIDING)
def another_file_gets_the_clean_text_and_the_same_one_its_marks(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.press("C-x", "C-w", "doc.md", "Enter", "y")
    keeps(editor, CLEAN.replace("pier", "quay"))
    kept = editor.saved
    editor.press("C-x", "C-w", "other.md", "Enter")
    other = os.path.join(editor.folder, "other.md")
    editor.wait("the other file", lambda: os.path.exists(other) and open(other).read() == CLEAN.replace("pier", "quay"))
    assert editor.saved == kept


@scenario(**HIDING)
def in_another_major_mode_nothing_is_written(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.command("text-mode")
    editor.save()
    editor.sees("Not written: ")
    assert editor.saved == RECORD
    editor.command("markdown-mode")
    is_clean(editor, CLEAN.replace("pier", "quay"))
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay"))


@scenario(**{**HIDING, "init": ON + "(setq make-backup-files t backup-enable-predicate (lambda (_) t))\n", "text": RECORD + "\n<!-- Local Variables: -->\n<!-- critic-hide-marks: t -->\n<!-- End: -->\n"})
def a_file_can_say_that_its_marks_are_hidden_and_its_backup_has_them(editor):
    text = CLEAN + editor.original[len(RECORD) :]
    is_clean(editor, text)
    replaces(editor, "pier", "quay")
    editor.command("save-some-buffers")
    editor.press("!")
    keeps(editor, text.replace("pier", "quay"), editor.original)
    with open(editor.file + "~") as file:
        assert file.read() == editor.original


@scenario(**{**HIDING, "init": HIDDEN + "(setq critic-program \"no-such-program\")\n" + ON})
def what_cannot_be_read_without_its_marks_is_shown_with_them(editor):
    editor.wait("the text", lambda: editor.text == RECORD)
    has_said(editor, "stay in the text")
    asks(editor, "(list (buffer-modified-p) (memq 'critic-hiding--write write-file-functions))", "(nil nil)")


@scenario(**{**HIDING, "init": "(setq auto-save-visited-interval 1)\n(auto-save-visited-mode)\n" + HIDDEN + ON})
def what_saves_by_itself_saves_the_marks(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    keeps(editor, CLEAN.replace("pier", "quay"))
    asks(editor, "(list (buffer-modified-p) (verify-visited-file-modtime))", "(nil t)")


@scenario(**{**HIDING, "init": RECOVERING + HIDDEN + ON})
def a_text_that_was_left_with_its_marks_is_recovered_with_them(editor):
    is_clean(editor)
    left = RECORD.replace("pier", "{~~pier~>quay~~}")
    editor.write("#doc.md#", left)
    recovers(editor)
    editor.wait("the text", lambda: editor.text == left)
    editor.save()
    editor.wait("the file", lambda: editor.saved == left)
    assert editor.text == left


@scenario(**HIDING)
def an_indirect_buffer_saves_the_marks(editor):
    is_clean(editor)
    editor.command("clone-indirect-buffer")
    editor.sees("doc.md<2>")
    replaces(editor, "pier", "quay")
    editor.press("C-x", "C-s")
    keeps(editor, CLEAN.replace("pier", "quay"))


@scenario(**HIDING)
def marks_that_the_server_is_told_to_put_into_the_text_are_saved_as_any(editor):
    is_clean(editor)
    replaces(editor, "pier", "quay")
    editor.press("M-:", '(critic--request "marks" :marks "inline")', "Enter")
    marked = RECORD.replace("pier", "{~~pier~>quay~~}")
    editor.wait("the marks", lambda: editor.text == marked)
    editor.wait("the marks to be shown", lambda: not editor.shows(" in file"))
    editor.save()
    editor.wait("the file", lambda: editor.saved == marked)


@scenario(**{**HIDING, "text": "<!-- -*- coding: latin-1 -*- -->\n" + RECORD})
def a_file_in_another_encoding_is_shown_with_its_marks(editor):
    editor.wait("the text", lambda: editor.text == editor.original)
    editor.command("critic-hide-marks")
    editor.sees("another encoding")
    asks(editor, "(list (buffer-modified-p) (critic-hiding-p))", "(nil nil)")


LOCALS = "((markdown-mode . ((critic-hide-marks . t))))\n"


def reads_a_second_file(editor):
    """Opens another file of the same project, with the text of the first."""
    editor.wait("the text", lambda: editor.text in (CLEAN, RECORD))
    editor.write("other.md", RECORD.replace("pier", "quay"))
    editor.press("C-x", "C-f", "other.md", "Enter")
    is_clean(editor, CLEAN.replace("pier", "quay"))
    replaces(editor, "quay", "dock")
    editor.save()
    other = os.path.join(editor.folder, "other.md")
    editor.wait("the file", lambda: editor.exported("--clean", open(other).read()) == CLEAN.replace("pier", "dock"))
    assert editor.saved == RECORD


@scenario(**{**HIDING, "init": ON})
def marks_that_the_server_is_told_to_hide_are_saved_with_the_text(editor):
    editor.wait("the text", lambda: editor.text == RECORD)
    editor.press("M-:", '(progn (critic--request "marks" :marks "file") (save-buffer))', "Enter")
    is_clean(editor)
    editor.wait("the file to be saved", lambda: editor.wire.sent("editor", "textDocument/didSave"))
    assert editor.saved == RECORD
    replaces(editor, "pier", "quay")
    editor.save()
    keeps(editor, CLEAN.replace("pier", "quay"))


@scenario(**HIDING)
def a_second_file_of_a_project_is_shown_without_its_marks(editor):
    reads_a_second_file(editor)


@scenario(**{**HIDING, "init": "(add-hook 'markdown-mode-hook #'critic-mode)\n"})
def a_folder_can_say_that_marks_are_hidden(editor):
    editor.wait("the text", lambda: editor.text == RECORD)
    editor.write(".dir-locals.el", LOCALS)
    reads_a_second_file(editor)


@scenario(**HIDING)
def what_looks_like_a_mark_in_the_text_is_text_and_takes_no_mark_of_the_file_with_it(editor):
    is_clean(editor)
    editor.find("pier")
    editor.type("{++x++} ")
    text = CLEAN.replace("pier", "{++x++} pier")
    editor.wait("the text", lambda: editor.text == text)
    editor.save()
    keeps(editor, text)
    kept = editor.saved
    editor.command("critic-mode")
    editor.wait("the marks", lambda: editor.shows("always ++}"))
    editor.command("critic-mode")
    has_said(editor, "stay in the text")
    editor.wait("the marks", lambda: editor.text == kept)
    asks(editor, "(list (buffer-modified-p) (critic-hiding-p))", "(nil nil)")


@scenario(**{**HIDING, "init": HIDDEN.replace("reconnect nil", "reconnect t").replace("'ignore", "'auto-restart") + ON})
def what_looks_like_a_mark_is_not_written_by_a_server_that_would_take_it_for_one(editor):
    is_clean(editor)
    editor.find("pier")
    editor.type("{++x++} ")
    editor.wait("the text", lambda: "{++x++} pier" in editor.text)
    editor.has_another_server(editor.kill_server())
    editor.save()
    editor.sees("Not written: the text has what looks like a mark")
    assert editor.saved == RECORD
    editor.undo()
    editor.wait("the text as it was read", lambda: editor.text == CLEAN)
    replaces(editor, "pier", "quay")
    editor.save()
    editor.sees("Not written: ")
    editor.rests()
    assert (editor.text, editor.saved) == (CLEAN.replace("pier", "quay"), RECORD)


class HidingMonkey(BesideMonkey):
    def saves(self):
        self.keys.append("save")
        self.editor.save()
        self.editor.wait("a file of both texts", self.keeps_both)

    def keeps_both(self):
        both = [self.editor.exported(variant, self.editor.saved or "") for variant in ("--original", "--clean")]
        return both == [self.editor.original, self.wanted]


for number in seeds("1:2"):
    monkey(HidingMonkey, number, "whose_marks_are_hidden_and_its_twin", only=("emacs",), init=HIDDEN + ON)
