"""Helix: its configuration and keys."""

import json
import os
import time

from modal import Modal
from session import TOP, Failed

MOST_ACTIONS = 30

LANGUAGES = """
[language-server.critic]
command = COMMAND
args = ARGUMENTS
config = CONFIG

[[language]]
name = "markdown"
language-servers = ["critic"]
auto-format = FORMAT
"""


class Helix(Modal):
    name = family = "helix"
    inserting, normal = " INS ", " NOR "
    ways_to_delete = (["d"], ["w", "d"], ["x", "d"], ["b", "d"], ["J"], ["x", "y", "p"], ["~"], ["v", "w", "w", "d"])
    program = [f"{TOP}/.editors/helix/run"]
    environment = {"HELIX_RUNTIME": f"{TOP}/.editors/helix/usr/lib/hx/runtime"}

    def configure(self):
        command, *arguments = self.server_command
        config = ", ".join(f"{key} = {json.dumps(value)}" for key, value in self.settings.items())
        keys = ""
        if self.options.get("our_keys"):
            with open(os.path.join(TOP, "editors/helix/config.toml")) as file:
                keys = file.read()
        if theme := self.options.get("our_theme"):
            with open(os.path.join(TOP, "editors/helix/themes/critic.toml")) as file:
                # The terminal of the tests has no true colour, unless a scenario names a theme that needs it.
                inherited = json.dumps(theme if isinstance(theme, str) else "base16_terminal")
                self.write(".config/helix/themes/critic.toml", file.read().replace('"default"', inherited))
            keys = 'theme = "critic"\n' + keys
        keys = self.options.get("toml", "") + keys
        languages = (
            LANGUAGES.replace("COMMAND", json.dumps(command))
            .replace("ARGUMENTS", json.dumps(arguments))
            .replace("CONFIG", "{ " + config + " }")
            .replace("FORMAT", json.dumps(self.options.get("auto_format", False)))
        )
        if self.options.get("alone"):
            languages = 'language = [{ name = "markdown", language-servers = [] }]'
        self.write(".config/helix/languages.toml", languages)
        self.write(".config/helix/config.toml", keys)

    def replace(self, word):
        """Deletes the word and is left in insert mode in its place."""
        self.find(word)
        self.insert("c")

    def delete(self, word):
        """Deletes the word and the space after it, in normal mode."""
        self.find(f"{word} ")
        self.press("d")

    def delete_line(self, word):
        self.find(word)
        self.press("x", "d")

    def change_everywhere(self, old, new):
        """With a caret at each place."""
        self.press("%", "s", old, "Enter")
        self.insert("c")
        self.type(new)
        self.escape()
        self.press(",")

    def copy_line_below(self):
        self.press("x", "y", "p")

    def select_line(self, word):
        self.find(word)
        self.press("x")

    def gives_name(self, file):
        self.press(f":move {file}", "Enter")

    def redo(self):
        self.press("U")

    def our_key(self, key):
        """A key of editors/helix/config.toml."""
        self.press("Space", "m", key)

    def press_in_menu(self, *keys):
        """Opens the menu of code actions and presses keys in it."""
        self.press("Space", "a")
        self.wait("a menu", lambda: (self.chosen() or "").strip().startswith(("Accept", "Comment")))
        self.press(*keys)

    def choose_action(self, *words):
        """Opens the editor's own menu of code actions, and takes the first one with all these words."""
        self.press("Space", "a")
        for _ in range(MOST_ACTIONS):
            chosen = self.wait("a menu", self.chosen)
            if all(word.lower() in chosen.lower() for word in words):
                self.look()
                return self.press("Enter")
            self.press("Down")
            self.wait("the next line of the menu", lambda: self.chosen() not in (None, chosen))
        raise Failed(f"found no action with {words}")

    def hover(self):
        self.press("Space", "k")

    def outline(self):
        self.press("Space", "s")

    def go_to_definition(self):
        self.press("g", "d")

    def complete(self, typed, label):
        """In insert mode, types this and takes the first completion, which must have this label."""
        self.type(typed)
        self.sees(label)
        self.look()
        self.press("C-n", "Enter")

    def chosen(self):
        """The menu's line that Enter would take; None while the menu is being drawn."""
        seen = [next((text for text in self.terminal.reversed if len(text.split()) > 1), None)]
        time.sleep(0.02)
        seen.append(next((text for text in self.terminal.reversed if len(text.split()) > 1), None))
        return seen[0] if seen[0] == seen[1] else None
