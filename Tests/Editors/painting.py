"""Pictures of a screen, as SVG: from the rows of `terminal.coloured`. The same rows make the same bytes.

What is drawn is as wide as its columns with any font; lines below text and through it are drawn too, since not every
viewer knows those of fonts in a colour of their own.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby

# Of a column and a row; where letters stand in a row; around the screen.
WIDTH, HEIGHT, BASE, MARGIN = 8, 18, 13.5, 12
SIZE = 13.3
FONTS = "ui-monospace, 'DejaVu Sans Mono', 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace"
# How much of its colour dim text keeps.
DIM = 0.55
QUOTES = "–—‘’“”…"

PARTS = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\x00-\x1f]|([^\x00-\x1f])")


@dataclass(frozen=True)
class Palette:
    text: str
    page: str
    sixteen: tuple


# The colours of a terminal: those with numbers are its own.
LIGHT = Palette("#24292f", "#ffffff", (
    "#24292f", "#b3212d", "#116329", "#7d4e00", "#0550ae", "#8250df", "#13677b", "#6e7781",
    "#57606a", "#a40e26", "#1a7f37", "#633c01", "#218bff", "#a475f9", "#3192aa", "#8c959f",
))
DARK = Palette("#d8dbe0", "#17191e", (
    "#17191e", "#ff7b72", "#56c364", "#d9a520", "#6cb0ff", "#c297ff", "#4fc4d0", "#b1bac4",
    "#7d8590", "#ffa198", "#7ee787", "#e3b341", "#a5d6ff", "#d8b9ff", "#76e3ea", "#f0f3f6",
))


@dataclass(frozen=True)
class Look:
    """How a character looks; a colour is None where it is that of the terminal."""

    fore: str | None = None
    back: str | None = None
    line: str | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: str = ""
    struck: bool = False
    reverse: bool = False


def painted(rows, palette, title, caret=None):
    """The picture of the rows; `title` says what it shows, `caret` is a column and a row from 0."""
    lines = cells(rows, palette)
    columns = max(sum(wide for _, wide, _ in line) for line in lines)
    width, height = columns * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    page = most(look.back for line in lines for _, wide, look in line for _ in range(wide)) or palette.page
    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{page}"/>',
        f'<g font-family="{FONTS}" font-size="{SIZE}" fill="{palette.text}">',
    ]
    for number, line in enumerate(lines):
        made += row(line, MARGIN + number * HEIGHT, palette, page)
    if caret:
        x, y = MARGIN + caret[0] * WIDTH, MARGIN + caret[1] * HEIGHT
        made.append(f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="{palette.text}" fill-opacity="0.45"/>')
    return "\n".join([*made, "</g>", "</svg>", ""])


def row(line, top, palette, page):
    """What is drawn for a row: first what is behind the text."""
    behind, text, lines = [], [], []
    column = 0
    for look, run in groupby(line, key=lambda cell: cell[2]):
        run = list(run)
        start, columns = column, sum(wide for _, wide, _ in run)
        column += columns
        x, width = MARGIN + start * WIDTH, columns * WIDTH
        fore, back = look.fore or palette.text, look.back or palette.page
        if look.dim:
            fore = mixed(fore, back)
        if back != page:
            behind.append(f'<rect x="{x}" y="{top}" width="{width}" height="{HEIGHT}" fill="{back}"/>')
        text += letters(run, start, top, fore, look)
        if look.underline:
            lines.append(below(x, top + HEIGHT - 2, width, look.line or fore, look.underline))
        if look.struck:
            lines.append(f'<rect x="{x}" y="{top + 9}" width="{width}" height="1.2" fill="{fore}"/>')
    return behind + text + lines


def letters(run, column, top, fore, look):
    """The text of a run, each stretch between wide gaps where its column is."""
    styles = f' fill="{fore}"'
    styles += ' font-weight="bold"' if look.bold else ""
    styles += ' font-style="italic"' if look.italic else ""
    made = []
    for stretch in stretches(run):
        columns = sum(wide for _, wide, _ in stretch)
        words = "".join(character for character, _, _ in stretch)
        if words.strip(" "):
            x, width = MARGIN + column * WIDTH, columns * WIDTH
            fit = f'textLength="{width}" lengthAdjust="spacingAndGlyphs"'
            words = escape(words, quote=False)
            made.append(f'<text x="{x}" y="{top + BASE}" {fit}{styles} xml:space="preserve">{words}</text>')
        column += columns
    return made


def stretches(run):
    """Parts of a run: text with single spaces inside, what is empty, and signs that a font may have to borrow, each
    alone, so that no letter is squeezed for them."""
    found = []
    for at, cell in enumerate(run):
        character = cell[0]
        beside = [run[place][0] for place in (at - 1, at + 1) if 0 <= place < len(run)]
        is_empty = character == " " and (len(beside) < 2 or " " in beside)
        kind = "empty" if is_empty else character if character[0] > "\u024f" and character[0] not in QUOTES else "text"
        if found and kind in ("empty", "text") and found[-1][0] == kind:
            found[-1][1].append(cell)
        else:
            found.append((kind, [cell]))
    return [cells for _, cells in found]


def below(x, y, width, colour, style):
    if style == "curly":
        waves = "".join(f"q1 {-2 if number % 2 == 0 else 2} 2 0" for number in range(width // 2))
        return f'<path d="M{x} {y}{waves}" fill="none" stroke="{colour}"/>'
    return f'<rect x="{x}" y="{y}" width="{width}" height="1.5" fill="{colour}"/>'


def cells(rows, palette):
    """By row, each character with what is on it, how many columns it takes, and its look."""
    look, lines = Look(), []
    for text in rows:
        line = []
        for part in PARTS.finditer(text):
            sequence, character = part.groups()
            if sequence is not None:
                look = changed(look, sequence, palette)
            elif character and unicodedata.combining(character) and line:
                line[-1] = (line[-1][0] + character, *line[-1][1:])
            elif character:
                wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
                line.append((character, wide, turned(look, palette)))
        lines.append(line)
    return lines


def turned(look, palette):
    """Without reverse video, as it looks."""
    if not look.reverse:
        return look
    return replace(look, fore=look.back or palette.page, back=look.fore or palette.text, reverse=False)


SWITCHES = {
    "1": {"bold": True}, "2": {"dim": True}, "3": {"italic": True}, "4": {"underline": "plain"}, "7": {"reverse": True},
    "9": {"struck": True}, "21": {"underline": "double"}, "22": {"bold": False, "dim": False}, "23": {"italic": False},
    "24": {"underline": ""}, "27": {"reverse": False}, "29": {"struck": False}, "39": {"fore": None}, "49": {"back": None},
    "59": {"line": None},
}
UNDERLINES = ("", "plain", "double", "curly", "dotted", "dashed")
COLOURED = {"38": "fore", "48": "back", "58": "line"}


def changed(look, sequence, palette):
    """The look after a sequence, as `1;38;2;255;0;0` or `4:3`."""
    codes = sequence.split(";")
    while codes:
        code, *details = codes.pop(0).split(":")
        if code in COLOURED:
            if not details:
                size = 4 if codes[:1] == ["2"] else 2
                details, codes = codes[:size], codes[size:]
            look = replace(look, **{COLOURED[code]: colour(details, palette)})
        elif code == "4" and details:
            look = replace(look, underline=UNDERLINES[int(details[0])])
        elif code in SWITCHES:
            look = replace(look, **SWITCHES[code])
        elif code in ("", "0"):
            look = Look()
        elif (number := int(code)) in range(30, 38) or number in range(90, 98):
            look = replace(look, fore=palette.sixteen[number - (30 if number < 40 else 82)])
        elif number in range(40, 48) or number in range(100, 108):
            look = replace(look, back=palette.sixteen[number - (40 if number < 50 else 92)])
    return look


def colour(details, palette):
    """`5` and a number of 256, or `2` and three of a colour, before which a colour space may stand."""
    numbers = [int(part or 0) for part in details]
    if numbers[0] == 2:
        return "#%02x%02x%02x" % tuple(numbers[-3:])
    number = numbers[1]
    if number < 16:
        return palette.sixteen[number]
    if number < 232:
        cube = [(0, 95, 135, 175, 215, 255)[(number - 16) // step % 6] for step in (36, 6, 1)]
        return "#%02x%02x%02x" % tuple(cube)
    return "#" + "%02x" % (8 + 10 * (number - 232)) * 3


def mixed(fore, back):
    pairs = [(int(fore[at : at + 2], 16), int(back[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join("%02x" % round(DIM * front + (1 - DIM) * behind) for front, behind in pairs)


def most(values):
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=counts.get)
