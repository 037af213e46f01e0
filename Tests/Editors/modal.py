"""What Neovim, Vim and Helix have in common: modes, and most of their keys."""

import time

from session import Session

# How long Escape has to stand alone, in seconds.
ESCAPE = 0.05


class Modal(Session):
    # What the screen shows in insert mode and in normal mode.
    inserting = normal = ""

    # For wandering about at random.
    moves = ("w", "b", "e", "j", "k", "h", "l", "gg", "fo")
    ways_to_insert = ("i", "a", "A", "I", "o", "O")
    ways_to_delete = ()
    # Deletes the word before the caret, in insert mode.
    word_back = "C-w"

    @property
    def is_normal(self):
        return self.normal in "\n".join(self.terminal.screen)

    def find(self, word):
        self.press("gg", f"/{word}", "Enter")

    def insert_before(self, word):
        self.find(word)
        self.insert("i")

    def insert_at_end_of_line(self, word):
        self.find(word)
        self.insert("A")

    def insert_at_start_of_line(self):
        self.escape()
        self.insert("I")

    def insert_here(self):
        self.insert("i")

    def insert(self, command):
        """Enters insert mode with this command."""
        self.press(command)
        self.sees(self.inserting)

    def escape(self):
        # A key right after Escape would be read as that key with Alt, so wait; the screen may still be that of before.
        self.press("Escape")
        time.sleep(ESCAPE)
        self.sees(self.normal)

    def undo(self):
        self.press("u")

    def save(self):
        self.press(":w", "Enter")

    def write_to(self, name):
        """Writes the text into another file."""
        self.press(f":w! {name}", "Enter")

    def quit(self):
        self.escape()
        self.press(":qa!", "Enter")
        self.wait("the editor to end", lambda: self.terminal.ended, at_most=5)


class Vi(Modal):
    """What Neovim and Vim have in common."""

    inserting, normal = "mode i", "mode n"
    ways_to_delete = (["x"], ["dw"], ["D"], ["dd"], ["db"], ["J"], ["yyp"], ["."], ["~"])

    def replace(self, word):
        """Deletes the word and is left in insert mode in its place."""
        self.find(word)
        self.insert("cw")

    def delete(self, word):
        """Deletes the word and the space after it, in normal mode."""
        self.find(word)
        self.press("dw")

    def delete_line(self, word):
        self.find(word)
        self.press("dd")

    def change_everywhere(self, old, new):
        self.press(f":%s/{old}/{new}/g", "Enter")

    def copy_line_below(self):
        self.press("yyp")

    def select_line(self, word):
        self.find(word)
        self.press("V")

    def redo(self):
        self.press("C-r")

    def command(self, command):
        self.press(f":{command}", "Enter")

    def choose_action(self, *words):
        """Opens the editor's own menu of code actions, and takes the first one with all these words."""
        self.press("ga")
        number = self.wait(f"an action {words}", lambda: numbered(self.terminal.screen, words))
        self.look()
        self.press(str(number), "Enter")


def numbered(screen, words):
    """The number of the first line like `2: Reject …` that holds all the words."""
    for line in screen:
        number, colon, title = line.strip().partition(":")
        if colon and number.isdigit() and all(word.lower() in title.lower() for word in words):
            return int(number)
    return None
