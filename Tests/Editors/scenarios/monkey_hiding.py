"""A monkey that sees the clean text of a file with marks, with a twin: the text is that of the twin, and what is saved keeps both promises.

Its server is killed now and then, and Neovim told to look whether the file has changed. Deleted text is not drawn: `gq` would count it.
"""

from scenarios import seeds
from scenarios.monkey_beside import BesideMonkey
from scenarios.monkey_twin import monkey


class HidingMonkey(BesideMonkey):
    # More often, and the plug-in lets the server be.
    deaths = 3

    def edits(self):
        super().edits()
        if self.deaths and self.chance.random() < 0.2:
            self.deaths -= 1
            self.keys.append("kill")
            self.editor.has_another_server(self.editor.kill_server())
            self.agrees()
        if self.chance.random() < 0.3:
            self.keys.append("checktime")
            self.editor.command("checktime")

    def saves(self):
        self.keys.append("save")
        self.editor.save()
        self.editor.wait("a file of both texts", self.keeps_both)

    def keeps_both(self):
        # There is a file from the start.
        return self.editor.saved is not None and super().keeps_both()

    @property
    def marked(self):
        return self.editor.saved


HIDDEN = dict(plug_in=True, hides=True, more="hide = true, conceal = 'deleted'")

for number in seeds("1:3"):
    monkey(HidingMonkey, number, "hiding_marks_and_its_twin", only=("neovim",), **HIDDEN)
