"""A monkey whose marks lie beside the text, with a twin: key for key the text is that of the twin, and the record keeps both promises.

Nothing is put into the text, so the monkey need not ask what is around a word, and undo is as many steps in both.
"""

from scenarios import seeds
from scenarios.monkey_twin import Monkey, monkey, words_of
from twin import play, text_of
from writers import KEYS

BESIDE = {"marks": "beside"}


class BesideMonkey(Monkey):
    @property
    def may_undo(self):
        """Not twice in a row: the twin writes its text in between, after which Emacs begins with undo anew."""
        return not self.keys[-1].startswith(("undo", "redo"))

    def edits(self):
        words = words_of(self.editor.text, self.wanted)
        if not words:
            return
        word = self.chance.choice(words)
        place = self.chance.choice(list(KEYS[self.editor.family]))
        keys = [keys for keys in KEYS[self.editor.family][place] if self.editor.can_press(keys)]
        keys = self.with_words(self.chance.choice(keys), word)
        self.keys.append(f"/{word}: {keys}")
        for each in (self.twin, self.editor):
            each.find(word)
        self.does(keys)
        if self.chance.random() < 0.3:
            self.saves()

    def does(self, keys):
        """Presses keys in both, after which the text is the same."""
        for each in (self.twin, self.editor):
            play(each, keys, pauses=False)
            each.escape()
        self.wanted = text_of(self.twin)
        self.agrees()

    def undoes(self):
        steps = self.chance.randint(1, min(3, self.done))
        for way in ("undo", "redo")[: self.chance.randint(1, 2)]:
            self.travels(way, steps)

    def travels(self, way, steps):
        self.keys.append(f"{way} {steps}")
        for _ in range(steps):
            for each in (self.twin, self.editor):
                getattr(each, way)()
        self.wanted = text_of(self.twin)
        self.agrees()

    def agrees(self):
        self.editor.wait(f"the text of the twin {self.wanted!r}", lambda: ended(self.editor.text) == self.wanted, at_most=6)

    def saves(self):
        self.keys.append("save")
        self.editor.save()
        self.editor.wait("a file of this text", lambda: self.editor.saved == self.wanted)
        self.editor.wait("a record of both texts", self.keeps_both)

    def keeps_both(self):
        marked = self.marked
        if marked is None:
            # As long as nothing was changed there is none.
            return self.wanted == self.editor.original
        both = [self.editor.exported(variant, marked) for variant in ("--original", "--clean")]
        return both == [self.editor.original, self.wanted]

    @property
    def marked(self):
        return self.editor.record

    @property
    def clean(self):
        return self.editor.text


def ended(text):
    """Helix can delete the last line end, and puts it there again when it saves, as the twin has."""
    return text if text.endswith("\n") else text + "\n"


for number in seeds("1:2"):
    monkey(BesideMonkey, number, "beside_in_neovim_and_its_twin", BESIDE, only=("neovim",), plug_in=True)
    monkey(BesideMonkey, number, "beside_in_vim_and_its_twin", BESIDE, only=("vim",))
    monkey(BesideMonkey, number, "beside_in_helix_and_its_twin", BESIDE, only=("helix",))
    monkey(BesideMonkey, number, "beside_in_emacs_and_its_twin", BESIDE, only=("emacs",))
