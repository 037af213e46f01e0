"""What the READMEs show of the editors is what they show: screens, and the recording. `make screens` writes them anew."""

import os

import recording
from manual import screens, write_screen
from scenarios import scenario
from session import TOP, Failed

MANUSCRIPT = """\
# The Lighthouse

The lamp burned {++quietly ++}all night. Mara counted the
{~~ships~>boats~~}{>>[accuracy] ships keep off the rocks<<} as they
passed{--, one after another--}.

## Morning

The fog came in. {==She put the kettle on==}{>>@ada: tea again?<<}
and waited for the {++first ++}bell.
"""

LOOKS = """
vim.o.statusline = " %t   %{v:lua.require'critic'.statusline()}%=%l:%c "
vim.o.winborder = "rounded"
"""

HELIX = dict(only=("helix",), text=MANUSCRIPT, size=(80, 18), file_name="lighthouse.md", our_keys=True)


@scenario(only=("neovim-0.11",), text=MANUSCRIPT, size=(80, 24), file_name="lighthouse.md", plug_in=True, lua=LOOKS)
def neovim_looks_as_the_manual_shows_it(editor):
    editor.sees("tracking on, 4 changes")
    editor.command("CriticList")
    editor.sees("highlight “She put")
    editor.command("wincmd p | resize 15")
    editor.find("boats")
    editor.press("K")
    editor.sees("Replaced")
    is_shown(editor, "neovim")


@scenario(**HELIX)
def helix_says_what_was_changed_as_the_manual_shows_it(editor):
    editor.find("boats")
    editor.hover()
    editor.sees("Replaced")
    is_shown(editor, "helix-hover")


@scenario(**HELIX)
def helix_lists_the_changes_as_the_manual_shows_it(editor):
    editor.our_key("l")
    editor.sees("Highlighted")
    is_shown(editor, "helix-list")


LIGHTHOUSE = """# The lighthouse

The lighthouse stands at the end of the {~~pier~>breakwater~~}{>>is it?<<}.
Its lamp is {--very --}old. {++On clear nights it is seen from the other
shore.++} Nobody has lived there since the keeper went.

{==A garden==}{>>what grows in it?<<} is all that is left of him.
"""


@scenario(only=("emacs-30",), text=LIGHTHOUSE, size=(80, 24))
def emacs_looks_as_the_manual_shows_it(editor):
    editor.sees("Critic:3")
    editor.press("M-<", "C-c", "+", "l")
    editor.sees("Changes: doc.md")
    editor.press("C-x", "o", "C-c", "+", "n")
    for part in ("pier → breakwater", "Replaced “pier” by “breakwater”"):
        editor.sees(part)
    is_shown(editor, "emacs")


def is_shown(editor, name):
    """Waits until the screen is the one with this name in the manuals, or writes it there once it rests."""
    def screen():
        return "\n".join(line.rstrip() for line in editor.terminal.screen).strip("\n")

    if os.environ.get("UPDATE"):
        editor.wait("the screen to rest", lambda: editor.terminal.rests)
        write_screen(name, screen())
    found = screens(name)
    assert found, f"no manual has the screen {name}"
    for path, shown in found:
        editor.wait(f"the screen {name} of {path}", lambda: screen() == shown)


@scenario(only=("neovim-0.11",), **recording.OPTIONS)
def the_recording_shows_what_neovim_does(editor):
    cast = recording.recorded(editor)
    picture = recording.rendered(cast, editor.folder)
    for path, made in ((recording.CAST, cast), (recording.PICTURE, picture)):
        path = os.path.join(TOP, path)
        if os.environ.get("UPDATE"):
            with open(path, "w") as file:
                file.write(made)
        with open(path) as file:
            stored = file.read()
        for number, (now, then) in enumerate(zip(made.split("\n"), stored.split("\n"))):
            if now != then:
                raise Failed(f"{path}, line {number + 1} was {then!r} and is {now!r} now")
        assert made == stored, f"{path} has not as many lines as it should"
