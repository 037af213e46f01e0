"""A day's habits with our Neovim plug-in: marks come in the pauses, and the same keys go on as without them."""

from scenarios import scenario, sentence
from scenarios.habits import FIVE, FOX, habit
from twin import play

PARAGRAPHS = "One.\n\nTwo is\nlong.\n\nThree.\n\nFour.\n"


def with_plug_in(name, text, keys, **options):
    habit(name, text, keys, file=__name__, **{"only": ("neovim",), "plug_in": True, **options})


# The caret in normal mode sits on a character, and goes with it.
with_plug_in("a deletion is repeated where it left the caret", FOX, "gg w dw | . | .")
with_plug_in("a line is deleted and the one below it", FIVE, "gg j dd | dd")
with_plug_in("the deletion of a line is repeated", FIVE, "gg j dd | . | .")
with_plug_in("a line is deleted and then one further down", FIVE, "gg j dd | j x")
with_plug_in("a paragraph is deleted and the one below it", PARAGRAPHS, "gg jj dap | dap")
with_plug_in("the case of letters is changed one by one", FOX, "gg w ~ | ~ | ~")
with_plug_in("the case of a word is changed there and back", FOX, "gg w g~iw | g~iw")
with_plug_in("the case of a word is changed three times", FOX, "gg w g~iw | g~iw | g~iw")
with_plug_in("a line is moved down", FIVE, "gg j dd | p")
with_plug_in("two letters are swapped", FOX, "gg w x | p")
with_plug_in("a word is moved on by one", FOX, "gg w dw | w P")
with_plug_in("a line is emptied and its text put back", FIVE, "gg j 0 D | p")
with_plug_in("a line is emptied and typed anew", FIVE, "gg j 0 D | i New. Escape |")

# What was deleted backwards lies after the caret, or the same key would find it again.
with_plug_in("a letter before the caret is deleted again and again", FOX, "gg $ X | X | X")
with_plug_in("a word before the caret is deleted again", FOX, "gg $ db | db | .")
with_plug_in("all before the caret is deleted in two steps", FOX, "gg $ dTc | d0")
with_plug_in("a letter before the caret is deleted, and one elsewhere that the caret is on", FOX, "gg $ X l h x | x")
with_plug_in("the last words of a line are deleted", FOX, "gg 3w D | b dw | b dw")
with_plug_in("letters at the end of a line are deleted one by one", FOX, "gg $ x | x | x | x")
with_plug_in("letters at the end of a line are deleted in insert mode and then in normal mode", FOX, "gg A BSpace | Escape x | x")
with_plug_in("words are deleted one before the other", FOX, "gg ww dw | 0 w dw | x | .")
with_plug_in("a word is deleted and the words around it are", FOX, "gg ww dw | 0 w dw | dw | p")


# What arrives while the editor holds columns is refused, and asked for again.
with_plug_in("marks come while a word is selected", FOX, "gg A ␣more Escape 0 dw viw | c leaps Escape |")
with_plug_in("marks come while letters are selected one by one", FOX, "gg w dw b vl | l d | p |")
with_plug_in("marks come while lines are selected", FIVE, "gg dd V | j d | p |")
with_plug_in("marks come while a block is selected", FIVE, "gg x C-v jj | l d |")
with_plug_in("marks come while an operator waits", FOX, "gg w x d | w | . |")
with_plug_in("marks come while text is overwritten", FOX, "gg w RQU | ICK | BSpace BSpace BSpace | ack Escape |")
with_plug_in("text is overwritten and restored", FOX, "gg w x RUIC | BSpace BSpace BSpace | Escape |")
with_plug_in("marks come while a command is typed that shows what it does", FOX, "gg w x :%s/fox/badger/g | Enter | u |")
with_plug_in("marks come while a command asks about each place", FOX, "gg w x :%s/o/00/gc Enter | y | n | y | y |")
with_plug_in("marks come while words are offered", FOX, "gg A ␣qui C-x C-n | ␣and␣ C-x C-n | C-e lazy Escape |")
SNIPPET = """
vim.keymap.set('i', '<C-b>', function() vim.snippet.expand('see ${1:one} and $1, then ${2:two}$0.') end)
vim.keymap.set({ 'i', 's' }, '<C-f>', function() vim.snippet.jump(1) end)
"""


@scenario(text=FOX, only=("neovim-0.11",), plug_in=True, lua=SNIPPET)
def marks_come_while_a_snippet_is_filled_in(editor):
    """A twin whose keys come without pauses would not do: Neovim itself is too slow for them then."""
    play(editor, "gg A ␣ C-b | this | C-f | that | C-f | Escape |")
    editor.saves(FOX.replace("fox.", "fox.{++ see this and this, then that.++}"))


@scenario(only=("neovim",), plug_in=True, more="filetypes = { 'markdown', 'text' }", file_name="notes.txt")
def plain_text_is_tracked_where_its_file_type_is_named(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


@scenario(only=("neovim",), plug_in=True, more="filetypes = { 'markdown', 'python' }", file_name="notes.py")
def source_code_is_not_tracked_even_where_its_file_type_is_named(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.command("CriticToggle")
    editor.sees("not tracked: it is source code")
    editor.becomes(sentence("The quick very brown fox jumps."))
