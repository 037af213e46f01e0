"""What the READMEs show of the editors is what they show: screens, and the recording. `make screens` writes them anew."""

import os

import recording
import reels
from painting import DARK, LIGHT, painted
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


@scenario(only=("neovim-0.11",), text=MANUSCRIPT, size=(80, 24), file_name="lighthouse.md", plug_in=True, hides=True, lua=LOOKS)
def neovim_looks_as_the_manual_shows_it(editor):
    editor.sees("0 of 4")
    editor.command("CriticList")
    editor.sees("“She put the kettle on”")
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
    # Helix lists what it knows when it is asked.
    editor.sees("●")
    editor.our_key("l")
    editor.sees("Highlighted")
    is_shown(editor, "helix-list")


LIGHTHOUSE = """# The lighthouse

The lighthouse stands at the end of the {~~pier~>breakwater~~}{>>is it?<<}.
Its lamp is {--very --}old. {++On clear nights it is seen from the other
shore.++} Nobody has lived there since the keeper went.

{==A garden==}{>>what grows in it?<<} is all that is left of him.
"""


@scenario(only=("emacs-30",), text=LIGHTHOUSE, size=(80, 24), page=True)
def emacs_looks_as_the_manual_shows_it(editor):
    editor.sees("Critic:3")
    editor.press("M-<", "C-c", "+", "l")
    editor.sees("Changes: doc.md")
    editor.press("C-x", "o", "C-c", "+", "n")
    for part in ("pier → breakwater", "Replaced “pier” by “breakwater”"):
        editor.sees(part)
    is_shown(editor, "emacs")


# For the pictures: a page on which two people work.
DRAFT = """\
# Nine Days of Fog

On the {~~third~>fourth~~}{>>@jonas | 2025-11-24<<} morning Ilse rowed out alone. The harbour
had gone{++, and the church with it++}{>>@anna | 2025-11-25<<}, and she steered by the bell
{--that was --}{>>@jonas | 2025-11-24<<}ringing {~~somewhere~>far~~}{>>@jonas | 2025-11-24: she can tell how far, so say it<<} behind her.

{==Forty strokes==}{>>@jonas | 2025-11-24: thirty in chapter two<<}{>>@anna | 2025-11-25: forty, chapter two is wrong<<}, her father had taught her, then rest and
listen. She counted {++them ++}{>>@anna | 2025-11-25<<}aloud, as he had{--, because it kept her
from thinking--}{>>@jonas | 2025-11-24: cut, we see it<<}.

## The Other Boat

At thirty-one something {~~knocked~>bumped~~}{>>@anna | 2025-11-25: [resolved] softer?<<}{>>@jonas | 2025-11-26: much better<<} against the hull.
It was {++only ++}{>>@anna | 2025-11-25<<}an oar. It was painted {~~blue~>green~~}{>>@anna | 2025-11-25<<}, like
her own, and {--it was --}{>>@jonas | 2025-11-26<<}still wet on the upper side.

She did not call out. She put her hand into the water and waited,
and after a while the fog {~~began to breathe~>breathed~~}{>>@jonas | 2025-11-26<<}.
"""
# The same page with its marks beside it.
CLEAN = """\
# Nine Days of Fog

On the fourth morning Ilse rowed out alone. The harbour
had gone, and the church with it, and she steered by the bell
ringing far behind her.

Forty strokes, her father had taught her, then rest and
listen. She counted them aloud, as he had.

## The Other Boat

At thirty-one something bumped against the hull.
It was only an oar. It was painted green, like
her own, and still wet on the upper side.

She did not call out. She put her hand into the water and waited,
and after a while the fog breathed.
"""
# A terminal with colours of all kinds, for lines below the text too.
TRUE_COLOUR = {"COLORTERM": "truecolor", "VTE_VERSION": "7600"}
PICTURE = dict(text=DRAFT, settings={"author": "anna"}, file_name="fog.md", environment=TRUE_COLOUR)
BESIDE = {**PICTURE, "text": CLEAN, "record": DRAFT}


def in_neovim(background, page=PICTURE):
    looks = f"vim.o.termguicolors = true\nvim.o.background = '{background}'\nvim.o.wrap = false\nvim.o.hlsearch = false\nvim.o.fillchars = 'eob: '\n"
    return dict(only=("neovim-0.11",), plug_in=True, hides=True, lua=looks + LOOKS, size=(84, 27), **page)


def in_emacs(theme, page=PICTURE):
    init = f"(setq mode-line-compact t)\n(load-theme '{theme} t)\n(global-critic-mode)\n"
    return dict(only=("emacs-30",), page=True, init=init, size=(100, 28), **page)


def neovim_beside(background):
    return in_neovim(background, BESIDE)


def emacs_beside(theme):
    return in_emacs(theme, BESIDE)


def in_helix(theme):
    toml = "editor.soft-wrap.enable = true\n"
    return dict(only=("helix",), our_keys=True, our_theme=theme, toml=toml, size=(100, 34), **PICTURE)


SHADES = {"light": LIGHT, "dark": DARK}
TITLES = {
    "neovim": "A draft with tracked changes of two people in Neovim",
    "emacs": "A draft with tracked changes of two people in Emacs",
    "helix": "A draft with tracked changes of two people in Helix",
    "neovim-beside": "A draft with the changes of two people beside it in Neovim",
    "emacs-beside": "A draft with the changes of two people beside it in Emacs",
}


def pictured(name, options, **themes):
    """Makes what leads an editor to the page into a scenario for each shade."""
    def register(goes_there):
        for shade, theme in themes.items():
            scenario(**options(theme))(painting(goes_there, name, shade))
        return goes_there

    return register


def painting(goes_there, name, shade):
    def run(editor):
        goes_there(editor)
        is_painted(editor, f"{name}-{shade}", SHADES[shade], TITLES[name])

    run.__name__ = f"{name.replace('-', '_')}_looks_as_the_{shade}_picture_shows_it"
    return run


@pictured("neovim-beside", neovim_beside, light="light", dark="dark")
@pictured("neovim", in_neovim, light="light", dark="dark")
def goes_there_in_neovim(editor):
    editor.find("listen")
    editor.press("}")
    editor.sees("jonas 6")
    editor.sees("much better")
    editor.command("echo")


@pictured("emacs-beside", emacs_beside, light="modus-operandi", dark="modus-vivendi")
@pictured("emacs", in_emacs, light="modus-operandi", dark="modus-vivendi")
def goes_there_in_emacs(editor):
    editor.sees("jonas 6")
    editor.sees("much better")
    editor.press("M-<", "C-s", "Boat", "Enter", "C-p")


@pictured("helix", in_helix, light="github_light", dark="github_dark")
def goes_there_in_helix(editor):
    editor.sees("●")
    editor.find("ringing")
    editor.sees("“far” · jonas: she can tell")


def is_painted(editor, name, palette, title):
    """Waits until the picture of the screen is the one with this name, or stores it once the screen rests."""
    path = f"docs/{name}.svg"

    def picture():
        return painted(editor.terminal.coloured, palette, title, editor.terminal.caret)

    editor.wait("the screen to rest", lambda: editor.terminal.rests)
    if os.environ.get("UPDATE"):
        write(path, picture())
    shown = stored(path)
    try:
        editor.wait(f"the picture {path}", lambda: picture() == shown)
    except Failed:
        is_stored(path, picture())
        raise


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


@scenario(only=("neovim-0.11",), **reels.OPTIONS)
def the_recording_shows_what_neovim_does(editor):
    is_recorded(editor, *reels.DEMO)


@scenario(only=("neovim-0.11",), **reels.OPTIONS)
def the_recording_of_a_hand_over_shows_what_neovim_does(editor):
    is_recorded(editor, *reels.HANDOVER)


def is_recorded(editor, name, play):
    cast = recording.recorded(editor, play)
    picture = recording.rendered(cast, editor.folder)
    for path, made in ((f"{name}.cast", cast), (f"{name}.svg", picture)):
        if os.environ.get("UPDATE"):
            write(path, made)
        is_stored(path, made)


def is_stored(path, made):
    was = stored(path)
    for number, (now, then) in enumerate(zip(made.split("\n"), was.split("\n"))):
        if now != then:
            raise Failed(f"{path}, line {number + 1} was {then!r} and is {now!r} now")
    assert made == was, f"{path} has not as many lines as it should"


def stored(path):
    with open(os.path.join(TOP, path)) as file:
        return file.read()


def write(path, text):
    with open(os.path.join(TOP, path), "w") as file:
        file.write(text)
