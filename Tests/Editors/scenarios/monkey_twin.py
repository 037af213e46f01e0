"""A monkey with a twin: random keys out of what writers do all day, and the text must be what they make of it without us.

Where a key acts depends on what is there, and marks are there only in one of the two. So the monkey looks for a word that
both have once, and does what does not depend on the marks around it. `SEEDS=100:200 Tests/Editors/run -k monkey_twin`
tries others than the usual few.
"""

import difflib
import os
import random
import re

from scenarios import scenario
from session import Failed
from twin import play, text_of, twin_of

STEPS = 14
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
# How sure the monkey must be of the place.
WORD, PLAIN, LINE, LINES, PARAGRAPH = "a word", "plain text", "a line", "lines", "a paragraph"

# `N` and `M` are new words, `W` is the word that the caret is on.
NEOVIM = {
    WORD: (
        "i N␣ Escape", "i N␣ | M␣ Escape", "e a ␣N Escape", "e a , | ␣N Escape", "c e N Escape", "c e N | M Escape", "x", "x | x", "x | x | x", "x | . | . | .", "x p",
        "r Q", "~", "~ | ~", "~ | ~ | ~", "g ~ i w", "g ~ i w | g ~ i w", "g U i w | g u i w", "i DC DC Escape", "i DC | DC | DC Escape",
        "R Q U Escape", "R Q U | I C K Escape", "v e ~", "v i w d", "v i w | c N Escape", "d i w | i N Escape", "y i w e p", ":%s/W/N/g Enter", ":%s/W/N/g Enter | :%s/N/M/g Enter",
        "i N | BSpace BSpace Escape", "i N BSpace BSpace BSpace | M␣ Escape", "c i w N Escape | c i w M Escape", "x | i N Escape | x",
    ),
    PLAIN: (
        "d w", "d w | .", "d w | d w | d w", "d a w", "d a w | . | .", "d b", "X", "X | X | X", "X | . | .", "2 d w", "c w N Escape", "c 2 w N Escape", "d w | w P", "d w w P", "i BSpace | BSpace | BSpace Escape",
        "i C-w | N␣ Escape", "i C-w C-w Escape", "i C-u Escape", "d 0", "x | X | x | X", "d w | i N␣ Escape", "v e | d", "v b d", "y w P",
    ),
    LINE: (
        "A ␣N Escape", "A ␣N | ␣M Escape", "I N␣ Escape", "o N Escape", "o N␣ | M Escape", "O N Escape", "o - ␣N Enter M Escape", "d d", "d d p", "d d | p", "d d | P", "y y p", "y y p | c w N Escape",
        "y y P", "J", "D", "D | A N Escape", "C N Escape", "c c N Escape", "S N | ␣M Escape", "> >", "g ~ ~", "g u u | g U U", "V ~", ":s/a/o/g Enter", ":s/e/ee/ Enter", ":m0 Enter", ":m$ Enter",
        ":t. Enter", ":t$ Enter", "d d | G p", "y y | G p", "y y gg P", "i Enter Escape", "o N Escape | d d p", "O N Escape | d d | p", "$ x | x | x", "$ X | X", "A BSpace BSpace | BSpace Escape", "0 i BSpace Escape",
        "o N Escape | d d", "y y p | d d",
    ),
    LINES: ("J | J", "d d | d d", "d d | . | .", "3 J", ":.,+1s/a/o/g Enter", ":.,+1!sort Enter", "d j", "d j | p", "y j P", "V j > ", "V j J", "J | J | J", "d d | d d | P", ":m+1 Enter", ":m+1 Enter | :m+1 Enter", ":m-2 Enter"),
    PARAGRAPH: ("g q i p", "d a p", "d a p | P", "d i p", "d i p | i N Escape", "y i p P", "v i p J", "g q q", "v i p ~", "> i p"),
}
HELIX = {
    WORD: (
        "i N␣ Escape", "i N␣ | M␣ Escape", "a ␣N Escape", "a , | ␣N Escape", "c N Escape", "c N | M Escape", "d", "d | i N Escape", "~", "~ | ~", "` | M-`", "r Q", "y p", "y P", "; d", ";  r Q",
        "i DC DC Escape", "i DC | DC | DC Escape", "i N | BSpace BSpace Escape", "i N BSpace BSpace BSpace | M␣ Escape", "% s W Enter c N Escape ,",
    ),
    PLAIN: ("w d", "e d | w d", "; d | d | d", "i BSpace | BSpace | BSpace Escape", "i C-w | N␣ Escape", "i C-w C-w Escape", "i C-u Escape", "w d w P", "b d", "i M-d | M-d Escape", "a M-d | N Escape", "a C-k Escape", "d | d | d", "w y w p", "v w w d", "v w | c N Escape"),
    LINE: (
        "A ␣N Escape", "A ␣N | ␣M Escape", "I N␣ Escape", "o N Escape", "o N␣ | M Escape", "O N Escape", "o - ␣N Enter M Escape", "x d", "x d p", "x d | p", "x d | P", "x y p", "x y P", "x y | p", "J",
        "x c N Escape", "x c N | ␣M Escape", ">", "x ~", "x ` | x M-`", "x s a Enter c o Escape ,", "i Enter Escape", "o N Escape | x d p", "O N Escape | x d | p", "x d ge p", "x y ge p", "x y gg P",
        "gl d | d | d", "A BSpace BSpace | BSpace Escape", "gh i BSpace Escape", "x y p | x d",
    ),
    LINES: ("x x d", "x d | x d", "x d | x d | x d", "J | J", "x x J", "x x :sort Enter", "x x >", "x x d | p", "x x y p", "x d | x d | P", "x x d | P"),
    PARAGRAPH: ("m i p d", "m i p y P", "m i p d | P", "m a p d", "m i p ~", "m i p | c N Escape", ":reflow Enter"),
}
EMACS = {
    WORD: (
        "N␣", "N␣ | M␣", "M-f ␣N", "M-f , | ␣N", "M-d N", "M-d N | M", "C-d", "C-d | C-d", "C-d | C-d | C-d", "C-d C-d | C-d | C-d", "M-u", "M-c | M-b M-u", "M-l | M-b M-c", "DC DC", "DC | DC | DC",
        "C-Space M-f C-w | N", "C-Space M-f M-w C-y", "N | BSpace BSpace", "N BSpace BSpace BSpace | M␣", "M-< M-% W Enter N Enter !", "M-< M-% W Enter N Enter ! | M-< M-% N Enter M Enter !", "M-f BSpace | BSpace | BSpace", "M-f BSpace BSpace | N",
        "C-f C-t",
    ),
    PLAIN: (
        "M-d", "M-d | M-d", "M-d | M-d | M-d", "M-d M-d", "M-d | N", "M-BSpace | M-BSpace", "M-BSpace N␣", "BSpace | BSpace | BSpace", "C-d | BSpace | C-d | BSpace", "M-t", "M-t | M-t", "C-t", "M-d M-f C-y", "M-d | M-f C-y", "C-Space M-f M-f C-w | C-y",
        "M-u M-u", "M-c | M-c | M-c", "M-u | M-u", "M-z e", "M-d | M-t", "M-d | M-c", "M-d | C-y",
    ),
    LINE: (
        "C-e ␣N", "C-e ␣N | ␣M", "C-a N␣", "C-e Enter N", "C-e Enter N␣ | M", "C-a N Enter", "C-a C-k C-k", "C-a C-k C-k C-n C-y", "C-a C-k C-k | C-n C-y", "C-a C-k C-k C-y C-y", "C-k", "C-k | C-k", "C-k | N", "C-k C-k", "C-a C-k N", "Enter", "C-o", "C-o | C-d",
        "C-e C-o | C-d", "C-e BSpace BSpace | BSpace", "C-a BSpace", "C-a C-d | C-d", "C-a C-Space C-e M-w C-e Enter C-y", "C-a Tab", "M-x upcase-initials-region Enter", "C-a C-Space C-n C-w | C-y", "C-e Enter N | C-a C-k C-k C-n C-y", "C-S-BSpace",
    ),
    LINES: ("C-a C-k C-k | C-k C-k", "C-a C-k C-k | C-k C-k | C-k C-k", "M-^", "C-n M-^", "C-x C-t", "C-x C-t | C-x C-t", "C-k | C-k | C-k | C-k", "C-a C-Space C-n C-n C-w", "C-a C-Space C-n C-n C-w | C-y", "C-a C-k C-k C-k C-k C-n C-y"),
    PARAGRAPH: ("M-q", "M-h C-w", "M-h C-w | C-y", "M-h M-w C-y", "M-h C-x C-u", "M-k", "M-k | M-k"),
}
TABLES = {"neovim": NEOVIM, "helix": HELIX, "emacs": EMACS}


def monkey(seed, name, **options):
    chance = random.Random(seed)
    text = draft(chance)

    def run(editor):
        with twin_of(editor) as twin:
            Monkey(editor, twin, chance, options).plays()

    run.__name__, run.__module__ = f"a_monkey_{name}_and_its_twin_{seed}", __name__
    scenario(text=text, settings={"idleDelay": 200}, **options)(run)


class Monkey:
    def __init__(self, editor, twin, chance, options):
        self.editor, self.twin, self.chance = editor, twin, chance
        self.table = TABLES[editor.family]
        self.wanted = text_of(twin)
        self.keys = []
        self.new = set()
        self.rested = True

    def plays(self):
        try:
            for _ in range(STEPS):
                self.step()
            self.save()
        except Exception as error:
            raise Failed(f"{error}\n{self.told}") from error

    def step(self):
        if self.chance.random() < 0.12:
            return self.undoes()
        # Marks that come between the look and the keys change lines.
        kind = self.chance.choice((WORD, WORD, PLAIN, PLAIN, LINE, LINE, LINES, PARAGRAPH)) if self.rested else WORD
        words = self.words(kind)
        if not words:
            return
        word = self.chance.choice(words)
        keys = self.chance.choice(self.table[kind])
        keys = keys.replace("W", word)
        for name in "NM":
            if re.search(rf"(?<![A-Z-]){name}(?![A-Z-])", keys):
                keys = re.sub(rf"(?<![A-Z-]){name}(?![A-Z-])", self.new_word(), keys)
        self.keys.append(f"/{word}: {keys}")
        for each, pauses in ((self.twin, False), (self.editor, True)):
            each.find(word)
            play(each, keys, pauses)
            each.escape()
        self.wanted = text_of(self.twin)
        moves = " p" in keys or " P" in keys or "C-y" in keys or ":t" in keys or ":m" in keys or "y" in keys
        self.rested = moves or self.chance.random() < 0.6
        if self.rested:
            self.keys.append("|")
            self.editor.rests()
        self.agree()
        if self.chance.random() < 0.15:
            self.save()

    def undoes(self):
        """Marks may be steps of their own, so there may be more of them here.

        A text that comes back may be one that was never marked, with half a mark in it. Then at least redo leads back.
        """
        steps = self.chance.randint(1, 2)
        self.keys.append(f"undo {steps}")
        for _ in range(steps):
            self.twin.undo()
        self.wanted = text_of(self.twin)
        pressed = self.presses(self.editor.undo, 4 * steps)
        if self.clean == self.wanted and self.chance.random() < 0.5:
            return
        self.keys.append(f"redo {steps}")
        for _ in range(steps):
            self.twin.redo()
        self.wanted = text_of(self.twin)
        self.presses(self.editor.redo, pressed)
        self.agree()

    def presses(self, key, at_most):
        """Until the text is that of the twin; returns how often."""
        self.editor.rests()
        for pressed in range(at_most):
            if self.clean == self.wanted:
                return pressed
            key()
            self.editor.rests()
        return at_most

    def save(self):
        self.keys.append("save")
        self.editor.save()
        self.editor.rests()
        self.agree()
        self.editor.wait("a file of this", lambda: self.editor.saved == self.editor.text)
        self.editor.promises(self.editor.original, self.wanted)

    def agree(self):
        def same():
            return self.clean == self.wanted
        self.editor.wait("the clean text of the twin", same, at_most=6)

    @property
    def clean(self):
        return self.editor.exported("--clean", self.editor.text)

    @property
    def told(self):
        """The way here, and where the clean text is another one."""
        lines = difflib.unified_diff(self.wanted.split("\n"), self.clean.split("\n"), "twin", "clean", n=0, lineterm="")
        return "\n".join(["The keys:", *self.keys, "The difference:", *lines, "The text:", self.editor.text])

    def new_word(self):
        while (word := coined(self.chance)) in self.new:
            pass
        self.new.add(word)
        return word

    def words(self, kind):
        """The words that both texts have once, at a place of this kind."""
        here, there = self.editor.text, self.wanted
        words = [word for word in re.findall(r"\w+", there) if re.fullmatch("[a-z]{5,}", word)]
        words = [word for word in words if here.count(word) == there.count(word) == 1]
        return [word for word in words if self.suits(word, kind, here, there)]

    def suits(self, word, kind, here, there):
        if kind == WORD:
            return True
        if kind == PLAIN:
            return around(word, here) == around(word, there) and re.fullmatch(r"[a-z ]+", around(word, there))
        if kind == LINE:
            line, other = line_of(word, here), line_of(word, there)
            return line == other or self.editor.exported("--clean", line) == other and other.split() and line.split()[:1] == other.split()[:1]
        if kind == LINES:
            lines = lines_around(word, there)
            return all(line.strip() for line in lines[1:]) and len(lines) == 4 and lines_around(word, here) == lines
        return paragraph_of(word, here) == paragraph_of(word, there)


def around(word, text):
    at = text.index(word)
    return text[max(0, at - 12) : at + len(word) + 21]


def line_of(word, text):
    at = text.index(word)
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : len(text) if end < 0 else end + 1]


def lines_around(word, text):
    """From the line before to two lines below, as far as there are some."""
    lines = text.split("\n")
    row = next(row for row, line in enumerate(lines) if word in line)
    return lines[max(0, row - 1) : row + 3]


def paragraph_of(word, text):
    """With the lines around it."""
    at = text.index(word)
    start = text.rfind("\n\n", 0, at)
    end = text.find("\n\n", at)
    return text[max(0, start - 3) : len(text) if end < 0 else end + 8]


def coined(chance):
    return "".join(chance.choices(SYLLABLES, k=3))


def draft(chance):
    """A short draft in which no word comes twice."""
    words = set()
    while len(words) < 70:
        words.add(coined(chance))
    words = iter(sorted(words, key=lambda _: chance.random()))
    some = lambda count: " ".join(next(words) for _ in range(count))
    paragraph = lambda: f"{some(5).capitalize()},\n{some(6)}. {some(3).capitalize()}\n{some(4)}.\n"
    items = "".join(f"- {some(3)}\n" for _ in range(3))
    return f"# {some(2).capitalize()}\n\n{paragraph()}\n{items}\n{paragraph()}\n> {some(4)}.\n\n{paragraph()}"


first, _, last = os.environ.get("SEEDS", "1:3").partition(":")
for number in range(int(first), int(last or first) + 1):
    monkey(number, "in_neovim", only=("neovim",), plug_in=True)
    monkey(number, "in_bare_neovim", only=("neovim-0.11",))
    monkey(number, "in_helix", only=("helix",), auto_format=True)
    monkey(number, "in_emacs", only=("emacs",))
