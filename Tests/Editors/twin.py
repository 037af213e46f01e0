"""A twin: the same editor without the server. What the same keys make of the text there is what they should make of it here."""

import os
import tempfile
import time
from contextlib import contextmanager

# A pause that is long enough for marks to come.
PAUSE = "|"


def play(editor, keys, pauses=True):
    """Presses keys, which are parted by spaces; `␣` is the key for a space."""
    for key in keys.split():
        if key == PAUSE:
            if pauses:
                editor.rests()
        elif key == "Escape":
            editor.escape()
        else:
            editor.press(key.replace("␣", " "))


@contextmanager
def twin_of(editor):
    """The same editor with the same text as at first, without the server."""
    folder = tempfile.mkdtemp(prefix="critic-")
    options = {**editor.options, "alone": True}
    twin = type(editor)(editor.server, folder, editor.original, editor.settings, options)
    try:
        twin.start()
        yield twin
    finally:
        twin.clear()


def text_of(twin):
    """The twin's text, which it writes into a file of its own for that."""
    twin.written = getattr(twin, "written", 0) + 1
    name = f"written-{twin.written}.md"
    twin.write_to(name)
    return twin.wait("the twin's text", lambda: steady(os.path.join(twin.folder, name)))


def steady(path):
    """The text of the file once it is whole; never that of an empty one."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return None
    with open(path, newline="") as file:
        text = file.read()
    # A text without a line end at its end may still be being written.
    is_old = time.time() - os.path.getmtime(path) > 1
    return text if len(text.encode()) == os.path.getsize(path) and (text.endswith("\n") or is_old) else None
