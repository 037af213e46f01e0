"""A monkey with a twin: random keys out of what writers do all day, and the text must be what they make of it without us.

Where a key acts depends on what is there, and marks are there only in one of the two. So the monkey looks for a word that
both have once, and does what does not depend on the marks around it. `SEEDS=100:200 Tests/Editors/run -k monkey_twin`
tries others than the usual ten.
"""

import difflib
import random
import re

from scenarios import BY_ITSELF, scenario, seeds
from session import Failed
from twin import play, text_of, twin_of
from writers import KEYS, LINE, LINES, PARAGRAPH, PLAIN, WORD

STEPS = 8
# The most steps of undo that one of the twin's can be.
MARKS = 4
PLACES = (WORD, WORD, PLAIN, PLAIN, LINE, LINE, LINES, PARAGRAPH)
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
# Keys that bring text to where it was not: its words come twice when the marks come.
MOVING = re.compile(r"(?:^| )(?:[yYpP]|C-y|:[mt]\S*)(?: |$)")
# Keys that put a line beside the next one, or delete on into it.
REACHING = re.compile(MOVING.pattern + "|gl d")


def monkey(kind, seed, name, settings=None, **options):
    def run(editor):
        with twin_of(editor) as twin:
            kind(editor, twin, random.Random(seed)).plays()

    run.__name__, run.__module__ = f"a_monkey_{name}_{seed}", kind.__module__
    # Every other monkey signs what it does.
    signed = {"author": "anna", "attribution": "author"} if seed % 2 else {}
    scenario(text=draft(random.Random(seed)), settings={"idleDelay": 200, **signed, **(settings or {})}, **options)(run)


class Monkey:
    def __init__(self, editor, twin, chance):
        self.editor, self.twin, self.chance = editor, twin, chance
        # What the text must be, and the keys so far.
        self.wanted, self.keys = text_of(twin), []
        # Whether nothing is pending, so that no mark comes between a look at the text and the next keys.
        self.rested = True

    def plays(self):
        try:
            for _ in range(STEPS):
                self.undoes() if self.done and self.may_undo and self.chance.random() < 0.12 else self.edits()
            self.saves()
        except Failed as error:
            raise Failed(f"{error}\n{self.told}") from error

    @property
    def done(self):
        """How many edits were made."""
        return sum(keys.startswith("/") for keys in self.keys)

    @property
    def may_undo(self):
        """Not in Vim, where to wait for marks is to save; nor with lsp-mode, which can lose redo when it tells undo in parts."""
        return self.editor.family in BY_ITSELF and not self.editor.name.endswith("lsp-mode")

    def edits(self):
        place = self.chance.choice(PLACES) if self.rested else WORD
        # One look, for the marks may come meanwhile; they part what was typed against a word from it.
        here, there = self.editor.text, self.wanted
        words = [word for word in words_of(here, there) if self.rested or word in self.editor.original]
        words = [word for word in words if self.suits(word, place, here, there)]
        if not words:
            return
        word = self.chance.choice(words)
        choices = [keys for keys in KEYS[self.editor.family][place] if self.editor.can_press(keys)]
        choices = [keys for keys in choices if self.hits_the_same(keys, word, here, there)]
        keys = self.with_words(self.chance.choice(choices), word)
        self.keys.append(f"/{word}: {keys}")
        for each, pauses in ((self.twin, False), (self.editor, True)):
            each.find(word)
            play(each, keys, pauses)
            each.escape()
        self.wanted = text_of(self.twin)
        self.rested = bool(MOVING.search(keys)) or self.chance.random() < 0.6
        if self.rested:
            self.keys.append("|")
            self.editor.rests()
        self.agrees()
        if self.chance.random() < 0.15:
            self.saves()

    def undoes(self):
        """Marks may be steps of their own, so there may be more of them here.

        A text that comes back may be one that was never marked, with half a mark in it. Then at least redo leads back, unless
        what is left of a burst got its marks: taking back a part of it is like Backspace.
        """
        steps = self.chance.randint(1, min(2, self.done))
        self.keys.append(f"undo {steps}")
        for _ in range(steps):
            self.twin.undo()
        self.wanted = text_of(self.twin)
        marked = self.marked
        self.presses(self.editor.undo, steps)
        self.editor.rests()
        if self.clean == self.wanted and (self.marked > marked or self.chance.random() < 0.5):
            return
        self.keys.append(f"redo {steps}")
        for _ in range(steps):
            self.twin.redo()
        self.wanted = text_of(self.twin)
        self.presses(self.editor.redo, steps)
        self.agrees()

    @property
    def marked(self):
        """How often the server has marked something by itself."""
        return len(self.editor.wire.sent("server", "workspace/applyEdit"))

    def presses(self, key, steps):
        """Until the text is that of the twin."""
        for _ in range(MARKS * steps):
            self.editor.rests()
            if self.clean == self.wanted:
                return
            key()

    def saves(self):
        self.keys.append("save")
        self.editor.save()
        self.editor.rests()
        self.agrees()
        self.editor.wait("a file of this text", lambda: self.editor.saved == self.editor.text)
        self.keeps_its_promises()
        self.rested = True

    def keeps_its_promises(self):
        self.editor.promises(self.editor.original, self.wanted)

    def agrees(self):
        self.editor.lets_mark()
        self.editor.wait("the clean text of the twin", lambda: self.clean == self.wanted, at_most=6)

    @property
    def clean(self):
        return self.editor.exported("--clean", self.editor.text)

    @property
    def told(self):
        """The way here, and where the clean text is another one."""
        lines = difflib.unified_diff(self.wanted.split("\n"), self.clean.split("\n"), "twin", "clean", n=0, lineterm="")
        return "\n".join(["The keys:", *self.keys, "The difference:", *lines, "The text:", self.editor.text])

    def with_words(self, keys, word):
        for name in "NM":
            keys = re.sub(rf"(?<![A-Z-]){name}(?![A-Z-])", coined(self.chance), keys)
        return re.sub(r"(?<![A-Z-])W(?![A-Z-])", word, keys)

    def hits_the_same(self, keys, word, here, there):
        """Whether keys do the same in both.

        A search finds deleted text too, signs hide the indentation of a line and where it ends, and a line put where
        the next one is, or a deletion that goes on there, must not come into a mark.
        """
        line = line_of(word, here)
        if REACHING.search(keys) and not self.is_same(line_below(word, here), line_below(word, there)):
            return False
        if " i w " in f" {keys} ":
            return f"{word}\n" in here or f"{word}\n" not in there
        if ":s/e/" in keys:
            return "{" not in line[: line.find("e")]
        if " s a " in keys:
            return line.count("a") == self.editor.exported("--clean", line).count("a")
        return "C-u" not in keys or not line.startswith("{")

    def suits(self, word, place, here, there):
        """Whether what is around a word is the same in both texts, as far as that matters in such a place."""
        if place == WORD:
            return True
        if place == PLAIN:
            return around(word, here) == around(word, there) and re.fullmatch(r"[a-z ]+", around(word, there))
        if place == LINE:
            line, other = line_of(word, here), line_of(word, there)
            # Editors indent a new line as those around it.
            return not there.endswith(other) and self.is_same(line, other) and indents(word, here) == indents(word, there)
        if place == LINES:
            lines = lines_around(word, there)
            return all(line.strip() for line in lines) and len(lines) == 4 and lines_around(word, here) == lines
        # What is done to a heading as a paragraph, Emacs does to the next one.
        is_heading = line_of(word, there).startswith("#")
        return not is_heading and paragraph_of(word, here) == paragraph_of(word, there)

    def is_same(self, line, other):
        """Whether a line is another one but for whole marks, with none where its text begins."""
        return line.split()[:1] == other.split()[:1] and self.editor.exported("--clean", line) == other


def words_of(here, there):
    """The words that both texts have once, however written: Helix finds them so."""
    words = [word for word in re.findall(r"\w+", there) if re.fullmatch("[a-z]{5,}", word)]
    return [word for word in words if here.lower().count(word) == there.lower().count(word) == 1]


def around(word, text):
    at = text.index(word)
    return text[max(0, at - 24) : at + len(word) + 21]


def line_of(word, text):
    at = text.index(word)
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : len(text) if end < 0 else end + 1]


def line_below(word, text):
    rest = text[text.index(line_of(word, text)) + len(line_of(word, text)) :]
    return rest[: rest.find("\n") + 1]


def lines_around(word, text):
    """From the line before to two lines below, as far as there are some."""
    lines = text.split("\n")
    row = next(row for row, line in enumerate(lines) if word in line)
    return lines[max(0, row - 1) : row + 3]


def indents(word, text):
    return [len(line) - len(line.lstrip()) for line in lines_around(word, text)]


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
    words = iter({coined(chance): None for _ in range(100)})
    some = lambda count: " ".join(next(words) for _ in range(count))
    paragraph = lambda: f"{some(5).capitalize()},\n{some(6)}. {some(3).capitalize()}\n{some(4)}.\n"
    items = "".join(f"- {some(3)}\n" for _ in range(3))
    return f"# {some(2).capitalize()}\n\n{paragraph()}\n{items}\n{paragraph()}\n> {some(4)}.\n\n{paragraph()}"


for number in seeds("1:10"):
    monkey(Monkey, number, "in_neovim_and_its_twin", only=("neovim",), plug_in=True)
    # Neovim shows beforehand what `:s` will do, and takes back with it what the server has put in meanwhile.
    monkey(Monkey, number, "in_bare_neovim_and_its_twin", only=("neovim-0.11",), lua="vim.o.inccommand = ''")
    monkey(Monkey, number, "in_vim_and_its_twin", only=("vim",))
    monkey(Monkey, number, "in_helix_and_its_twin", only=("helix",), auto_format=True)
    monkey(Monkey, number, "in_emacs_and_its_twin", only=("emacs",))
