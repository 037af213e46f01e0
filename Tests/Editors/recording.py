"""Recordings: an editor that is driven with real keys, as a picture that moves.

Each frame is what the screen shows once it has come to rest, with a line below it for the keys. How long it is shown is said
beforehand, so that a slow machine records the same as a fast one.
"""

import json
import os
import subprocess
import time

from session import TOP

RENDERER = f"{TOP}/.editors/termtosvg/bin/termtosvg"
TEMPLATE = "window_frame"

COLUMNS, ROWS = 76, 15
# Below the editor's screen: an empty line, and the keys.
HEIGHT = ROWS + 2
# How long nothing may change on the screen before it is taken, in seconds: longer than the status line waits.
REST = 1
# How long a typed letter is shown, and the last frame, in seconds.
LETTER = 0.07
LAST = 3.2


def recorded(editor, play):
    """The recording, as an asciicast (version 2), of what `play` does with an editor that has just been started."""
    film = Film(editor)
    play(film)
    return film.cast


class Film:
    def __init__(self, editor):
        self.editor = editor
        self.frames = []
        self.time = 0

    def shows(self, part, seconds, say):
        """A frame in which this is on the screen."""
        self.editor.sees(part)
        self.take(seconds, "", say)

    def presses(self, *keys, sees, seconds, say=""):
        """Presses keys; then this is on the screen."""
        self.editor.press(*keys)
        self.editor.sees(sees)
        self.take(seconds, " ".join(map(NAMES.get, keys, keys)), say)

    def types(self, *parts):
        """Types these, with a frame for each letter of what is a text."""
        for part in parts:
            if part in NAMES:
                self.editor.press(part)
                self.take(LETTER, NAMES[part])
                continue
            for number, letter in enumerate(part, 1):
                self.editor.press(letter)
                self.take(LETTER, part[:number])

    def take(self, seconds, keys, say=""):
        screen, caret = self.at_rest()
        caption = (f"\x1b[1;7m {keys} \x1b[0m  " if keys else "") + say
        rows = [*screen, "", " " + caption]
        lines = "".join(f"\x1b[{number};1H\x1b[0m{row}" for number, row in enumerate(rows, 1))
        column, row = caret
        self.frames.append((round(self.time, 2), f"\x1b[0m\x1b[2J{lines}\x1b[0m\x1b[{row + 1};{column + 1}H"))
        self.time += seconds

    def at_rest(self):
        """The coloured screen and the caret, once they have not changed for a moment."""
        seen, since = None, time.monotonic()
        while time.monotonic() - since < REST:
            now = self.editor.terminal.coloured, self.editor.terminal.caret
            if now != seen:
                seen, since = now, time.monotonic()
            time.sleep(0.05)
        return seen

    @property
    def cast(self):
        header = {"version": 2, "width": COLUMNS, "height": HEIGHT}
        events = [[at, "o", text] for at, text in self.frames]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [header, *events])


NAMES = {"Escape": "Esc", "Enter": "⏎"}


def rendered(cast, folder):
    """The picture that moves, as SVG."""
    paths = [os.path.join(folder, name) for name in ("cast", "svg")]
    with open(paths[0], "w") as file:
        file.write(cast)
    subprocess.run([RENDERER, "render", *paths, "-t", TEMPLATE, "-D", str(int(LAST * 1000))], check=True, capture_output=True)
    with open(paths[1]) as file:
        return "\n".join(line.rstrip() for line in file.read().split("\n")) + "\n"
