"""One editor with one document and the server after it, driven by keys.

A scenario says what the user does (`type`, `press`, and the verbs of the editor's family) and what must come of
it (`becomes`, `stays`, `saves`). Nothing sleeps and hopes: each step waits for a state, generously, because the
machine may be slow. Only that nothing happens has to be waited for by the clock.
"""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from terminal import SIZE, Terminal
from timeline import Timeline
from wire import Wire

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "../.."))
DEADLINE = 30
# Neovim gathers changes this long before it sends them.
DEBOUNCE = 0.15
# How long the parts of a change may be apart.
REST = 0.2


class Failed(Exception):
    """What a scenario expected and did not get."""


class Session:
    """The editor families add: `program`, `environment`, `configure`, and their verbs."""

    name = ""
    file_name = "doc.md"
    size = SIZE
    # Whether the editor takes the line ends off that the file has, and tells of all as `\n`.
    hides_line_ends = False

    def __init__(self, server, folder, text, settings, options):
        self.server, self.folder = server, folder
        self.original, self.settings, self.options = text, settings, options
        self.timeline = Timeline()
        self.wire = Wire(os.path.join(folder, "wire.jsonl"))
        self.file_name = options.get("file_name", self.file_name)
        self.file = os.path.join(folder, self.file_name)
        self.terminal = None
        with open(self.file, "w", newline="") as file:
            file.write(text)
        if record := options.get("record"):
            self.write(self.file_name + ".critic", record)

    # What the user does

    def start(self):
        self.configure()
        self.open()

    def open(self):
        """Opens the document in an editor, which is configured."""
        self.run()
        if self.options.get("alone"):
            return self.wait("the editor", lambda: self.shows(self.file_name))
        self.wait("the editor to open the document", lambda: self.wire.text is not None)
        self.wait("the server to answer", lambda: self.wire.results("editor", "initialize"))

    def run(self, *options):
        """Runs the editor with the document, and with these options before it."""
        environment = {
            "HOME": self.folder,
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **self.environment,
            **self.options.get("environment", {}),
        }
        self.timeline.note("start", self.name)
        size = self.options.get("size", self.size)
        self.terminal = Terminal(self.folder, [*self.program, *options, self.file], environment, size)

    def press(self, *keys):
        self.timeline.note("keys", " ".join(keys))
        for key in keys:
            self.terminal.press(key)

    def type(self, text, gaps=(0.015,)):
        """Types one character after the other; `gaps` are the pauses between them, in turn."""
        self.timeline.note("type", repr(text))
        for number, character in enumerate(text):
            self.terminal.press("Enter" if character == "\n" else character)
            time.sleep(gaps[number % len(gaps)])

    def can_press(self, keys):
        """Whether a pause in these keys is one for the editor too."""
        return True

    def lets_mark(self):
        """Does what has the server mark what is pending: nothing, where it marks by itself."""

    def pause(self, seconds):
        self.timeline.note("pause", f"{seconds} s")
        time.sleep(seconds)

    def rename(self, name):
        """Gives the file another name in the folder, and goes on in it."""
        self.file_name, self.file = name, os.path.join(self.folder, name)
        self.gives_name(self.file)
        self.wait("the document under its new name", lambda: self.wire.opened_as.endswith(f"/{name}"))

    def close(self):
        if self.terminal:
            self.terminal.close()

    def clear(self):
        """Ends the editor and leaves nothing of its folder."""
        self.close()
        # An editor that ends may still write something.
        for _ in range(20):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                return
            time.sleep(0.1)

    # What comes of it

    def becomes(self, text):
        """Waits until the editor holds this text, on the screen and for the server."""
        self.wait(f"the text {text!r}", lambda: self.text == text)
        for line in text.split("\n"):
            # Neovim 0.7 shows the joiner of 👩‍🚀 as a code.
            if line and "\u200d" not in line:
                self.sees(line)
        self.look()

    def sees(self, part):
        self.wait(f"{part!r} on the screen", lambda: self.shows(part))

    def shows(self, part):
        return part in "\n".join(self.terminal.screen)

    def comes_to_rest(self):
        """Waits until the text has not changed for a moment: some editors tell a change in parts."""
        text = None
        while text != self.text:
            text = self.text
            time.sleep(REST)

    def stays(self, idle_delays=3):
        """Nothing may be marked for some idle delays; returns the text that stayed."""
        since, text = len(self.wire), self.text
        time.sleep(self.patience(idle_delays))
        for side in ("server", "held"):
            if edits := self.wire.sent(side, "workspace/applyEdit", since):
                raise Failed(f"the server edited {text!r}: {json.dumps(edits[0]['params'])}")
        if self.text != text:
            raise Failed(f"{text!r} became {self.text!r} by itself")
        return text

    def rests(self):
        """Waits until all is marked and nobody says anything any more."""
        self.pause(self.patience(3))
        self.wait("silence", lambda: time.time() - self.wire.last > self.patience(2), at_most=10)

    def settles(self, clean=None):
        """Waits until nobody says anything any more, and the marks make the original and `clean`; returns the text."""

        def settled():
            silence = time.time() - self.wire.last
            return (
                silence > self.patience(3)
                and self.exported("--original", self.text) == self.original
                and clean in (None, self.exported("--clean", self.text))
            )

        self.wait(f"marks that make {clean!r}", settled)
        self.look()
        return self.text

    def saves(self, text, clean=None):
        """Saves; the file must be this text, give the original back, and be `clean` when all is accepted."""
        self.save()
        self.wait(f"the file to be {text!r}", lambda: self.saved == text)
        # Not what is in the file now: where it was that text before, the editor may be writing it.
        self.promises(self.original, clean, text)

    def saves_plain(self, text):
        """Saves; the file must be this text, which counts as the original from now on."""
        self.save()
        self.wait(f"the file to be {text!r}", lambda: self.saved == text)
        self.original = text

    def promises(self, original, clean=None, text=None):
        """What the command line makes of the file, or of this text: promises 1 and 2."""
        text = self.saved if text is None else text
        for variant, expected in (("--original", original), ("--clean", clean)):
            found = self.exported(variant, text)
            if expected is not None and found != expected:
                raise Failed(f"export {variant} of {text!r} is {found!r}, not {expected!r}")

    def caret_is_on(self, part):
        column, row = self.terminal.caret
        screen = self.terminal.screen
        return row < len(screen) and screen[row][column:].startswith(part)

    @property
    def text(self):
        """The document as the server was told, with the line ends that it has in the file."""
        text = self.wire.text
        return text.replace("\n", "\r\n") if self.hides_line_ends and text and "\r\n" in self.original else text

    @property
    def server_lives(self):
        return os.path.exists(f"/proc/{self.wire.server_process}")

    def kill_server(self):
        """As if it had run out of memory; the editor does not know yet."""
        self.timeline.note("server", "is killed")
        process = self.wire.server_process
        os.kill(process, signal.SIGKILL)
        return process

    def kill_editor(self):
        """As if the power had gone."""
        self.timeline.note("editor", "is killed")
        os.kill(self.terminal.process, signal.SIGKILL)
        self.wait("the editor to end", lambda: self.terminal.ended)
        self.close()
        # Another terminal is not to meet this one, which may still be about to end.
        os.remove(self.terminal.socket)

    def has_another_server(self, process):
        """Waits until the document is open in another one than the one that was killed."""
        opened = len(self.wire.sent("editor", "textDocument/didOpen"))
        self.wait("another server", lambda: self.wire.server_process != process)
        self.wait("it to be told the text", lambda: len(self.wire.sent("editor", "textDocument/didOpen")) > opened)

    @property
    def saved(self):
        """The file, or None in the moment in which the editor puts a new one in its place."""
        return self.read(self.file)

    @property
    def record(self):
        """The marks that lie beside the document, or None if none do."""
        return self.read(self.file + ".critic")

    def read(self, name):
        """What is in a file of the folder, or None if there is none."""
        try:
            with open(os.path.join(self.folder, name), newline="") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def exported(self, variant, text):
        command = [*self.server, "export", variant, "-"]
        done = subprocess.run(command, input=text.encode(), capture_output=True)
        if done.returncode:
            raise Failed(f"export {variant} failed: {done.stderr.decode()}")
        return done.stdout.decode()

    # The late edit

    def hold(self):
        """From now on the server's edits wait in the tap."""
        self.timeline.note("tap", "holds the server's edits back")
        with open(os.path.join(self.folder, "hold"), "w"):
            pass

    def held(self):
        self.wait("an edit of the server", lambda: self.wire.held)

    def let_go(self):
        self.timeline.note("tap", "lets the edits go")
        os.remove(os.path.join(self.folder, "hold"))

    def stop_listening(self):
        """From now on what the editor says after a command is not read, until it can't write any more."""
        self.timeline.note("tap", "listens to one more command")
        with open(os.path.join(self.folder, "deaf"), "w"):
            pass

    def listen(self):
        self.timeline.note("tap", "listens again")
        os.remove(os.path.join(self.folder, "deaf"))

    # Waiting

    def wait(self, what, condition, at_most=DEADLINE):
        end = time.monotonic() + at_most
        for tries in itertools.count(1):
            if value := condition():
                break
            if time.monotonic() > end:
                raise Failed(f"waited {at_most} s for {what}; the text is {self.text!r}")
            # Each time tmux is asked costs as much as some keystrokes.
            if tries % 8 == 0 and self.terminal and self.terminal.ended and "to end" not in what:
                # It may have come about right before the end.
                if value := condition():
                    break
                raise Failed(f"the editor ended while waiting for {what}")
            time.sleep(0.03)
        return value

    def patience(self, idle_delays):
        """How long it takes to see that nothing happens, in seconds."""
        return DEBOUNCE + idle_delays * self.settings["idleDelay"] / 1000

    def look(self):
        self.timeline.screen(self.terminal.screen, self.terminal.caret)

    # What the editor is told to start

    @property
    def server_command(self):
        return [sys.executable, os.path.join(HERE, "tap.py"), self.folder, *self.server, "serve"]

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
