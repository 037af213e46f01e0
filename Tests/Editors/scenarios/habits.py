"""What writers do all day, with pauses in which marks come: the text must become what the same keys make of it without us.

The judge is a twin: the same editor without the server, with the same keys. What it has saved is the clean text, and
what the file was at first is the original.
"""

import os
import tempfile

from scenarios import scenario

# A pause that is long enough for marks to come.
PAUSE = "|"


def habit(name, text, keys, *, recorded=None, **options):
    """A scenario of keys, parted by spaces; `␣` is the key for a space.

    `recorded` is the text with its marks where there is but one right way to write them.
    """

    def run(editor):
        play(editor, keys)
        editor.escape()
        editor.save()
        clean = twin_of(editor, keys)
        editor.wait(
            f"a file whose clean text is {clean!r}",
            lambda: editor.saved is not None and editor.exported("--clean", editor.saved) == clean,
            at_most=5,
        )
        editor.promises(editor.original)
        if recorded is not None and editor.saved != recorded:
            raise AssertionError(f"{editor.saved!r} was written, not {recorded!r}")

    run.__name__, run.__module__ = name.replace(" ", "_"), __name__
    scenario(text=text, **options)(run)


def play(editor, keys, pauses=True):
    for key in keys.split():
        if key == PAUSE:
            if pauses:
                editor.rests()
        elif key == "Escape":
            editor.escape()
        else:
            editor.press(key.replace("␣", " "))


def twin_of(editor, keys):
    """What the keys make of the text in an editor without the server."""
    with tempfile.TemporaryDirectory(prefix="critic-") as folder:
        options = {**editor.options, "alone": True}
        twin = type(editor)(editor.server, folder, editor.original, editor.settings, options)
        try:
            twin.start()
            play(twin, keys, pauses=False)
            twin.escape()
            before = os.stat(twin.file).st_mtime_ns
            twin.save()
            twin.wait("the twin's file", lambda: os.path.exists(twin.file) and os.stat(twin.file).st_mtime_ns != before)
            twin.pause(0.1)
            return twin.saved
        finally:
            twin.close()


FOX = "The quick brown fox.\n\nIt jumps over the lazy dog.\n"
FIVE = "One.\nTwo.\nThree.\nFour.\nFive.\n"


def in_neovim(name, text, keys, **options):
    """With our plug-in and without it."""
    habit(name, text, keys, only=("neovim-0.11",), **options)
    habit(name + " with the plug in", text, keys, only=("neovim",), plug_in=True, **options)


in_neovim("three slow deletions", FOX, "gg w x | x | x |")
in_neovim("three slow presses of delete", FOX, "gg w i DC | DC | DC |")
in_neovim("escape and save at once", FOX, "gg A ␣abc Escape :w Enter")
in_neovim("marks come while visual mode is on", FOX, "gg A ␣more Escape 0 w viw | c leaps Escape |")
