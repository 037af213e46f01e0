"""The recording at the top of the README: Neovim with our plug-in, driven with real keys.

Each frame is what the screen shows once it has come to rest, with a line below it for the keys. When it is shown stands here,
so that a slow machine records the same as a fast one.
"""

import json
import os
import subprocess
import time

from session import TOP

CAST, PICTURE = "docs/demo.cast", "docs/demo.svg"
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

TEXT = """\
# The Lighthouse

All night the lamp burned, and Mara counted
the ships as they passed.

At dawn the fog came in, thick and grey.
There was nothing left to count.
"""

# Marks come when insert mode is left, and after a pause that is too long for a slow machine to make between two letters.
SETTINGS = {"tracking": "on", "idleDelay": 5000}

LOOKS = """
vim.o.statusline = " %t   %{v:lua.require'critic'.statusline()}%=%l:%c "
vim.o.signcolumn = 'yes'
vim.o.fillchars = 'eob: '
vim.o.termguicolors = true
vim.o.hlsearch = false
vim.cmd('highlight Normal guibg=NONE | highlight SignColumn guibg=NONE | highlight NonText guifg=#8f9099')
vim.api.nvim_create_autocmd('FileType', { pattern = 'critic-list', command = 'resize 5' })
-- After an undo the last line would say how many seconds ago that change was made.
vim.api.nvim_create_autocmd('TextChanged', { command = "echo ''" })
"""

OPTIONS = {
    "text": TEXT, "settings": SETTINGS, "size": (COLUMNS, ROWS), "file_name": "draft.md",
    "plug_in": True, "hides": True, "more": "keys = true", "lua": LOOKS,
}


def recorded(editor):
    """The recording, as an asciicast (version 2), of an editor that has just been started."""
    film = Film(editor)
    play(film)
    return film.cast


def play(film):
    film.shows("no changes", 1.8, "A draft in Neovim, with tracking on")

    film.types("/burned", "Enter", "i", "quietly ")
    film.presses("Escape", sees="{++quietly ++}", seconds=1.6, say="What you type is an addition")

    film.types("/ships", "Enter", "cw", "boats")
    film.presses("Escape", sees="{~~ships~>boats~~}", seconds=1.6, say="What you replace is a substitution")

    film.presses("\\c", sees="Comment:", seconds=0.6, say="Comment on it")
    film.types("ships keep far out")
    film.presses("Enter", sees="far out<<}", seconds=1.6, say="The comment stands behind the change")

    film.types("/, thick", "Enter")
    film.presses("dt.", sees="came in.", seconds=0.7)
    film.shows("{--, thick and grey--}", 1.6, "After a pause, what you deleted is a deletion")

    film.presses("gg", sees="1:1", seconds=0.5)
    film.presses("]k", sees="3:20", seconds=1, say="Go to the next change")
    film.presses("\\a", sees="lamp quietly burned", seconds=1.5, say="Accept it")
    film.presses("]k", sees="4:5", seconds=0.8, say="Go on")
    film.presses("]k", sees="6:24", seconds=0.8, say="Go on")
    film.presses("\\r", sees="came in, thick and grey.", seconds=1.5, say="Reject it")
    film.presses("u", sees="{--, thick and grey--}", seconds=1.5, say="Undo that")
    film.presses("\\l", sees="Changes in draft.md", seconds=LAST, say="The list of changes")


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
