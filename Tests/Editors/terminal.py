"""A program in a terminal of its own, under tmux: keys go in, the screen comes out."""

import os
import re
import shlex
import shutil
import subprocess
import time

# Columns and rows.
SIZE = (110, 36)
NAMED = re.compile(r"(C|M|S)-.+|Escape|Enter|BSpace|DC|Up|Down|Left|Right|Home|End|Tab|Space|F\d+")
SETTINGS = """
set -g default-terminal "xterm-256color"
set -sg escape-time 10
set -g status off
set -g remain-on-exit on
"""


class Terminal:
    def __init__(self, folder, command, environment, size=SIZE):
        self.socket = os.path.join(folder, "tmux")
        settings = os.path.join(folder, "tmux.conf")
        with open(settings, "w") as file:
            file.write(SETTINGS)
        variables = [f"{name}={value}" for name, value in environment.items()]
        line = f"cd {shlex.quote(folder)} && exec {shlex.join(['env', '-i', *variables, *command])}"
        self.size = size
        size = ["-x", str(size[0]), "-y", str(size[1])]
        self._tmux("-f", settings, "new-session", "-d", *size, "--", "/bin/sh", "-c", line)

    def press(self, key):
        """Sends one key by its tmux name, or a text as it is."""
        if NAMED.fullmatch(key):
            self._tmux("send-keys", key)
        else:
            # A `;` at an argument's end would part two tmux commands.
            self._tmux("send-keys", "-l", "--", re.sub(r";$", r"\;", key))

    @property
    def screen(self):
        return self._tmux("capture-pane", "-p").rstrip("\n").split("\n")

    @property
    def coloured(self):
        """The screen's rows with their colours, as escape sequences, and the spaces at their ends."""
        rows = self._tmux("capture-pane", "-p", "-e", "-N").split("\n")
        return rows[: self.size[1]]

    def redraw(self):
        """Has the program draw its screen anew, as after a change of the size."""
        for width in (self.size[0] - 1, self.size[0]):
            self._tmux("resize-window", "-x", str(width), "-y", str(self.size[1]))
            time.sleep(0.5)

    @property
    def rests(self):
        """Whether the screen stays as it is for a second."""
        before = self.screen
        time.sleep(1)
        return self.screen == before

    @property
    def reversed(self):
        """The stretches of text that are shown in reverse video: a menu's chosen line, for one."""
        coloured = self._tmux("capture-pane", "-p", "-e")
        stretches = re.findall(r"\x1b\[(?:[0-9;]*;)?7(?:;[0-9;]*)?m(?:\x1b\[[0-9;]*m)*([^\x1b]+)", coloured)
        return [line for stretch in stretches for line in stretch.split("\n") if line.strip()]

    @property
    def caret(self):
        """Column and row, from 0."""
        column, row = self._tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").split()
        return int(column), int(row)

    @property
    def process(self):
        """The program's number."""
        return int(self._tmux("display-message", "-p", "#{pane_pid}"))

    @property
    def ended(self):
        return self._tmux("display-message", "-p", "#{pane_dead}").strip() != "0"

    def close(self):
        """Ends the program, and waits until tmux has ended too: another one may take its place then."""
        self._tmux("kill-server", check=False)
        for _ in range(100):
            if self._tmux("list-sessions", check=False) == "":
                break
            time.sleep(0.02)

    def _tmux(self, *arguments, check=True):
        done = subprocess.run(
            [*tmux(), "-u", "-S", self.socket, *arguments], capture_output=True, text=True
        )
        if check and done.returncode:
            raise RuntimeError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout


def tmux():
    own = os.path.join(os.path.dirname(__file__), "../../.editors/tmux/run")
    return [shutil.which("tmux") or own]
