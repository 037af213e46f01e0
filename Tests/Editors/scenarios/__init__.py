"""The scenarios: each a function that drives a session, its name the sentence it shows to be true."""

import importlib
import os
import sys

TEXT = """# Title

The quick brown fox jumps.

The end.
"""

FILES = (
    "pictures", "typing", "deleting", "undoing", "signing", "steps", "holding", "timing", "landing", "saving", "reviewing", "showing", "surfaces", "plugin", "page", "commands",
    "colours", "keys", "emacs", "page_emacs", "habits", "habits_plugin", "habits_vim", "habits_emacs", "many", "dying", "agents", "monkey", "monkey_twin",
    "monkey_agent", "monkey_beside", "monkey_hiding", "habits_beside", "beside_neovim", "hiding_neovim", "beside_emacs", "hiding_emacs", "renaming",
)

# The families in which the server marks by itself. In Vim it marks on save, which takes the place of a pause (`lets_mark`);
# so no mark comes there by surprise, and what is half typed is marked as it is.
BY_ITSELF = ("neovim", "helix", "emacs")


class Scenario:
    """A function for every editor, or for the editors and families in `only`.

    `settings` are the server's. `size` is that of the screen, `file_name` that of the document, `record` what lies beside it, `environment` has more variables. The other options are for Neovim `plug_in`, `more` (what
    else `setup` is told), `hides` (whether delimiters are hidden, as they are by default), `enabled` (the heading of what we tell the user to write
    in the place of `setup`), `beside` (whether the plug-in lies where Neovim does not look by itself) and `lua` (more of the configuration), for Vim `vimrc` (likewise), for Helix
    `auto_format`, `our_keys`, `our_theme` (or the name of the theme that ours inherits) and `toml` (the beginning of the configuration), for Emacs
    `lisp` (more of the configuration), `init` (more of ours), `page` (whether the page looks as it does for users), `compiled` (whether our package is), `readme` (the heading of a configuration
    that we tell the user) and `mode` (the major mode). A twin has the same `lua`, `vimrc` and `lisp`.
    """

    def __init__(self, run, text, only, settings, options):
        self.run, self.text, self.only, self.options = run, text, only, options
        self.settings = {"tracking": "on", "idleDelay": 300, **settings}
        self.name = run.__name__.replace("_", " ")
        self.file = run.__module__.rpartition(".")[2]

    def suits(self, editor):
        return not self.only or editor.family in self.only or editor.name in self.only


scenarios = []


def scenario(text=TEXT, only=(), settings=None, **options):
    def register(run):
        scenarios.append(Scenario(run, text, only, settings or {}, options))
        return run

    return register


def sentence(line):
    """The usual text with this as its sentence."""
    return TEXT.replace("The quick brown fox jumps.", line)


# How many seeds there are at most.
most_seeds = sys.maxsize


def seeds(usual):
    """The seeds that `SEEDS` names, as in `3` and `1:10`, or the usual ones."""
    first, _, last = os.environ.get("SEEDS", usual).partition(":")
    return range(int(first), int(last or first) + 1)[:most_seeds]


def load(short=False):
    """All scenarios; with `short` three seeds of each monkey at most."""
    global most_seeds
    if short:
        most_seeds = 3
    for name in FILES:
        importlib.import_module(f"scenarios.{name}")
    return scenarios
