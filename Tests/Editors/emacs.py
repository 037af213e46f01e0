"""Emacs: its configuration and keys."""

import glob
import json
import os
import shutil
import subprocess

from manual import read_me
from session import TOP, Failed, Session

# Here is no C compiler for Lisp.
NO_COMPILER = """
(setq comp-enable-subr-trampolines nil native-comp-enable-subr-trampolines nil
      native-comp-deferred-compilation nil native-comp-jit-compilation nil)
"""

# As somebody has it who does not want files beside the document, nor hints between the words that a scenario looks for.
BASICS = NO_COMPILER + """
(setq inhibit-startup-screen t make-backup-files nil auto-save-default nil create-lockfiles nil
      ring-bell-function #'ignore completions-format 'one-column
      eglot-ignored-server-capabilities '(:inlayHintProvider))
(dolist (file (file-expand-wildcards "PACKAGES/*/*-autoloads.el"))
  (add-to-list 'load-path (file-name-directory file))
  (load file nil t))
(add-to-list 'auto-mode-alist '("\\\\.md\\\\'" . MODE))
"""

# All of the text is on the screen, for scenarios that are not about the page (`page`); with PAGE=1 in none of them.
SHOWN = "(setq critic-hide-delimiters nil critic-comments-below nil)\n"

SERVER = "(setq critic-server-command 'COMMAND critic-program \"PROGRAM\")\n"

PACKAGE = """
(add-to-list 'load-path (locate-user-emacs-file "lisp"))
(require 'critic)
(setq critic-settings 'OPTIONS)
"""

LSP_MODE = """
(setq lsp-client-packages nil lsp-auto-guess-root t lsp-enable-suggest-server-download nil
      lsp-modeline-code-actions-enable nil lsp-session-file (locate-user-emacs-file "lsp-session"))
(require 'lsp-mode)
"""


class Emacs(Session):
    family = "emacs"
    client = "eglot"
    variables = {}
    environment = {}
    folder_of_editor = ""
    hides_line_ends = True

    # For wandering about at random.
    moves = ("M-f", "M-b", "C-n", "C-p", "C-f", "C-b", "C-a", "C-e", "M-<", "M->")
    ways_to_insert = ("C-f", "C-e", "C-a", "M-f", "M-b", "C-o")
    ways_to_delete = (["C-d"], ["M-d"], ["C-k"], ["M-BSpace"], ["C-k", "C-k"], ["C-t"], ["M-u"], ["C-w"], ["C-y"])

    @property
    def program(self):
        return [f"{TOP}/.editors/{self.folder_of_editor}/run", "-nw"]

    def configure(self):
        init = BASICS.replace("MODE", self.options.get("mode", "markdown-mode"))
        init = init.replace("PACKAGES", self.packages) + self.options.get("lisp", "")
        if self.options.get("alone"):
            return self.write(".emacs.d/init.el", init)
        if self.client == "lsp-mode":
            init += LSP_MODE
        if not self.shows_page:
            init += SHOWN
        os.makedirs(self.lisp)
        for source in glob.glob(f"{TOP}/editors/emacs/*.el"):
            shutil.copy(source, self.lisp)
        if self.options.get("compiled"):
            for file in self.package:
                self.quietly(f'(byte-compile-file "{file}")')
        if heading := self.options.get("readme"):
            init += SERVER + read_me("emacs", heading, "elisp").replace('"critic-lsp"', " ".join(map(lisp, self.server_command)))
        else:
            init += SERVER + PACKAGE + self.options.get("init", "(global-critic-mode)\n")
        init = init.replace("COMMAND", lisp(self.server_command)).replace("PROGRAM", self.server[0]).replace("OPTIONS", lisp(self.settings))
        self.write(".emacs.d/init.el", init)
        os.makedirs(os.path.join(self.folder, ".git"))

    def start(self):
        super().start()
        # Keys that come before Emacs has drawn its window for the first time can spoil that.
        self.sees(f" {self.file_name} ")

    @property
    def shows_page(self):
        """Whether delimiters are hidden, and comments are below their paragraphs, as they are for users."""
        return self.options.get("page") or bool(os.environ.get("PAGE"))

    def becomes(self, text):
        if not self.shows_page:
            return super().becomes(text)
        self.wait(f"the text {text!r}", lambda: self.text == text)
        self.look()

    def sees(self, part):
        """Waits for it; Emacs 28 now and then draws a message over the text, which is there when it draws anew."""
        try:
            self.wait(f"{part!r} on the screen", lambda: self.shows(part), at_most=10)
        except Failed:
            self.terminal.redraw()
            super().sees(part)

    @property
    def lisp(self):
        """The folder that ours is in."""
        return os.path.join(self.folder, ".emacs.d/lisp")

    @property
    def package(self):
        """The files that ours consists of."""
        return sorted(glob.glob(f"{self.lisp}/*.el"))

    @property
    def packages(self):
        """Where the Lisp packages are."""
        return f"{TOP}/.editors/{self.folder_of_editor}/usr/share/emacs/site-lisp/elpa-src"

    # There are no modes, and nothing to leave before text can be typed.
    is_normal = False
    word_back = "M-BSpace"

    def find(self, word):
        """Goes before the first such word."""
        self.press("M-<", "C-s", word, "C-r", "Enter")

    def insert_before(self, word):
        self.find(word)

    def insert_at_end_of_line(self, word):
        self.find(word)
        self.press("C-e")

    def insert_at_start_of_line(self):
        self.press("C-a")

    def insert(self, command):
        """Goes to where text is to be inserted."""
        self.press(command)

    def insert_here(self):
        """There is no mode to enter."""

    def escape(self):
        """There is no mode to leave."""

    def replace(self, word):
        """Deletes the word, and is left in its place."""
        self.find(word)
        self.press("M-d")

    def delete(self, word):
        """Deletes the word and the space after it."""
        self.find(word)
        self.press("M-d", "C-d")

    def delete_line(self, word):
        self.find(word)
        self.press("C-a", "C-k", "C-k")

    def change_everywhere(self, old, new):
        self.press("M-<", "M-%", old, "Enter", new, "Enter", "!")

    def copy_line_below(self):
        self.press("C-a", "C-k", "C-k", "C-y", "C-y")

    def select_line(self, word):
        self.find(word)
        self.press("C-a", "C-Space", "C-e")

    def undo(self):
        self.press("C-_")

    def redo(self):
        self.press("C-M-_")

    def save(self):
        self.press("C-x", "C-s")

    def write_to(self, name):
        """Writes the text into another file."""
        # Emacs writes what is before point and what is after it one after the other; the name is there at last.
        write = f'(write-region nil nil "{name}.part" nil 0)'
        self.evaluate(f'(progn {write} (rename-file "{name}.part" "{name}"))')

    def gives_name(self, file):
        # As `rename-visited-file` does, which Emacs 28 does not have.
        self.evaluate(f'(progn (rename-file buffer-file-name "{file}") (set-visited-file-name "{file}" t t))')

    def evaluate(self, expression):
        # Emacs drops keys while it tells an error, and Emacs 30 while the hint of a command before is due.
        self.press("M-:")
        try:
            self.wait("a question", lambda: self.shows("Eval:"), at_most=5)
        except Failed:
            self.press("M-:")
            self.sees("Eval:")
        self.press(expression, "Enter")

    def quit(self):
        self.command("kill-emacs")
        self.wait("the editor to end", lambda: self.terminal.ended, at_most=5)

    def command(self, command):
        self.press("M-x", command, "Enter")

    def choose_action(self, *words):
        """Opens the editor's own menu of code actions, and takes the first one with all these words."""
        self.command({"eglot": "eglot-code-actions", "lsp-mode": "lsp-execute-code-action"}[self.client])
        self.sees("ction")
        self.press("Tab")
        title = self.wait(f"an action {words}", lambda: titled(self.terminal.screen, words))
        self.look()
        self.press("M-v", "M-<", "C-s", title, "Enter", "Enter")

    def hover(self):
        if self.client == "lsp-mode":
            return self.command("lsp-describe-thing-at-point")
        self.command("eldoc")
        self.wait("the answer", lambda: self.wire.results("editor", "textDocument/hover"))
        # What is said in the echo area meanwhile would meet the name of the command there.
        self.wait("the echo area to rest", lambda: self.terminal.rests)
        self.command("eldoc-doc-buffer")

    def outline(self):
        """What the menu of places is made of: in the menu itself they are levels down, and eglot 1.9 sorts by kind."""
        self.command("pp-eval-expression")
        self.press("(imenu--make-index-alist)", "Enter")

    def go_to_definition(self):
        self.press("M-.")

    def quietly(self, expression):
        """An Emacs of its own evaluates the expression, and must not have anything to say."""
        command = [*self.program[:1], "-Q", "--batch", "-L", self.lisp, "--eval", NO_COMPILER, "--eval", expression]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        if said := done.stdout + done.stderr:
            raise Failed(f"{expression} said: {said}")


class Emacs28(Emacs):
    """With eglot 1.9."""

    name = "emacs-28"
    folder_of_editor = "emacs-28"


class Emacs30(Emacs):
    """With the eglot that is in it."""

    name = "emacs-30"
    folder_of_editor = "emacs-30"


class Emacs28LSP(Emacs28):
    name = "emacs-28-lsp-mode"
    client = "lsp-mode"


class Emacs30LSP(Emacs30):
    name = "emacs-30-lsp-mode"
    client = "lsp-mode"


def titled(screen, words):
    """The first line of a menu that holds all the words."""
    lines = iter(screen)
    for line in lines:
        if "possible completions" in line.lower():
            break
    for line in lines:
        if all(word.lower() in line.lower() for word in words):
            return line.strip()
    return None


def lisp(value):
    """The value as Lisp; an object is a property list."""
    if isinstance(value, dict):
        return "(" + " ".join(f":{key} {lisp(item)}" for key, item in value.items()) + ")"
    if isinstance(value, list):
        return "(" + " ".join(map(lisp, value)) + ")"
    if isinstance(value, bool):
        return "t" if value else ":json-false"
    return json.dumps(value, ensure_ascii=False)
