"""What writers do all day, with pauses in which marks come: the text must become what the same keys make of it without us.

The judge is a twin: the same editor without the server, with the same keys. What it has saved is the clean text, and
what the file was at first is the original.
"""

from scenarios import scenario
from twin import play, text_of, twin_of


def habit(name, text, keys, *, file=__name__, clean=None, original=None, **options):
    """A scenario of keys, as `play` takes them, in this file.

    `clean` is the clean text where the twin cannot tell, because the keys are meant for marks; `original` the original
    text where the editor changes that by itself.
    """

    def run(editor):
        play(editor, keys)
        editor.escape()
        editor.save()
        wanted = clean or text_without_us(editor, keys)

        def written():
            text = editor.saved
            return [text] if text is not None and editor.exported("--clean", text) == wanted else None

        # Not read again: where the file had this clean text before, the editor may be writing it.
        (text,) = editor.wait(f"a file whose clean text is {wanted!r}", written, at_most=10)
        editor.promises(original or editor.original, text=text)

    run.__name__, run.__module__ = name.replace(" ", "_"), file
    scenario(text=text, **options)(run)


def text_without_us(editor, keys):
    """What the keys make of the text in an editor without the server."""
    with twin_of(editor) as twin:
        play(twin, keys, pauses=False)
        twin.escape()
        return text_of(twin)


FOX = "The quick brown fox.\n\nIt jumps over the lazy dog.\n"
DRAFT = "Title\n\nIn the morning.\nHe had tea.\n\nBread.\n"
FIVE = "One.\nTwo.\nThree.\nFour.\nFive.\n"


def with_the_plug_in(name, text, keys, **options):
    habit(name, text, keys, only=("neovim",), plug_in=True, **options)


def in_neovim(name, text, keys, **options):
    """With our plug-in and without it."""
    habit(name, text, keys, only=("neovim-0.11",), **options)
    with_the_plug_in(name + " with the plug in", text, keys, **options)


in_neovim("three slow deletions", FOX, "gg w x | x | x |")
in_neovim("three slow presses of delete", FOX, "gg w i DC | DC | DC |")
in_neovim("three words deleted with pauses", FOX, "gg w dw | dw | dw |")
in_neovim("a word deleted and another", FOX, "gg w daw | . |")
in_neovim("words that begin alike deleted", "The same small song again.\n", "gg w dw | dw | . |")
in_neovim("escape and save at once", FOX, "gg A ␣abc Escape :w Enter")
in_neovim("sentences deleted", "One fox runs. Two dogs sleep. Three cats eat. Four birds.\n", "gg das | das | das |")
in_neovim("a sign before every line and taken away again", FIVE, "gg C-v 3j I >␣ Escape | gg C-v 3j lx |")
in_neovim("code put around a word in two steps", FOX, "gg 2w i ` Escape | /fox Enter ge a ` Escape |", clean=FOX.replace("brown", "`brown`"))
in_neovim("a deletion repeated", FOX, "gg w dw | . |")
in_neovim("two lines deleted", FIVE, "gg j dd | dd |")
in_neovim("a line deleted and again", FIVE, "gg j dd | . |")
in_neovim("two paragraphs deleted", "One.\n\nTwo.\n\nThree.\n\nFour.\n", "gg dap | dap |")
in_neovim("two letters turned", FOX, "gg w ~ | ~ |")
in_neovim("a word turned twice", FOX, "gg w g~iw | g~iw |")
in_neovim("letters replaced", FOX, "gg w rB | l rR |")
in_neovim("a line moved down", FIVE, "gg j dd | p |")
in_neovim("two letters swapped", FOX, "gg w x | p |")
in_neovim("a word moved before another", FOX, "gg w dw | w P |")
in_neovim("a new line moved down", FIVE, "2G o - ␣new Escape | ddp |")
in_neovim("a line copied and moved down", FIVE, "2G yyp | j ddp |")
in_neovim("a new line moved to the top", FIVE, "3G O new Escape | j :m␣0 Enter |")
in_neovim("a line that begins with a mark copied", FIVE, "2G o new Escape | j yy G p |")
in_neovim("lines sorted", "delta\nbeta\nalpha\ngamma\n", "2G A ␣more Escape | o charlie Escape | :%sort Enter |")
in_neovim("lines joined one after the other", "alpha beta\ngamma delta\nepsilon\n", "gg J | J |")
in_neovim("a name replaced everywhere", "Henrik woke. In the morning Henrik woke.\nHenrik ate.\n", "gg cw Henning Escape | :%s/Henrik/Henning/g Enter |")
in_neovim("a name replaced everywhere where it was changed before", "In the morning Henrik woke.\nHenrik ate.\n", "gg 3w ce Henning Escape | :%s/Henrik/Henning/g Enter |")
in_neovim("five lines joined", FIVE, "gg 5J |")
in_neovim("four lines joined to the end", FIVE, "2G 4J |")
in_neovim("a paragraph reflowed", "alpha beta\ngamma delta\nepsilon zeta\n", "gg gqip |")
in_neovim("all sorted by a program", FIVE, ":%!sort Enter |")


@scenario(text=FIVE, only=("neovim", "vim"))
def what_a_filter_leaves_is_not_marked(editor):
    play(editor, ":%!sed␣'s/Two/Second/;s/Five/Fifth/' Enter")
    editor.becomes(FIVE.replace("Two", "{~~Two~>Second~~}").replace("Five", "{~~Five~>Fifth~~}"))


in_neovim("a line turned over half a mark", "The end of the day.\n", "gg A ␣more Escape | g~~ |")
in_neovim("a line lowered over half a mark", "The End of The day.\n", "gg A ␣The␣More Escape | guu |")
in_neovim("a word replaced in a line with an addition", "The end of the day.\n", "gg A ␣the␣more Escape | :s/the/THE/g Enter |")
in_neovim("marks come while visual mode is on", FOX, "gg A ␣more Escape 0 w viw | c leaps Escape |")
in_neovim("marks come while an operator waits", FOX, "gg A ␣more Escape 0 w d | w |")
in_neovim("text replaced with pauses", FOX, "gg w R abc | def | g Escape |")
in_neovim("a word taken back in a block at the end", "Text.\n\n```\nlet a = 1\n```\n", "4G A 0 Escape |")
in_neovim("the last line deleted twice", FIVE, "G dd | G dd |", clean="One.\nTwo.\nThree.\nFour.\n")
in_neovim("a word and then its sign", "I write.\n", "gg A ␣C | ++␣too Escape |")
in_neovim("enter in a line that ends inside a substitution", "one two three four\nnext\n", "gg $ ciw five Escape | 0 2w i Enter Escape |")
in_neovim("letters deleted after what was typed", FOX, "gg w i very | DC | X | BSpace | DC | Y Escape |")
in_neovim("enter in the middle of a line", FOX, "gg 2w i Enter Escape |")
in_neovim("an added empty line moved down", DRAFT, "3G ddkP | jddp |")
in_neovim("lines joined up to an empty one", DRAFT, "3G J | J |")
in_neovim("all that was typed taken back after a pause", FOX, "gg A ␣foo␣bar C-w | C-w | baz C-u | new Escape |")
in_neovim("backspace at a lines beginning", FIVE, "2G 0 i BSpace | Escape |")

with_the_plug_in("a line indented and back", FIVE, "2G >> | << |", more="indent = true")
with_the_plug_in("a line indented twice and back once", FIVE, "2G >> | . | << |", more="indent = true")
with_the_plug_in("lines indented and back", FIVE, "2G 3>> | 2<< | . |", more="indent = true")
with_the_plug_in("lines indented and back by a motion", FIVE, "2G >j | <j |", more="indent = true")
with_the_plug_in("lines indented and back in visual mode", FIVE, "2G Vj2> | Vj< | gv< |", more="indent = true")
with_the_plug_in("a line with a tab indented and back", "One.\n\tTwo.\nThree.\n", "2G >> | << | << | << |", more="indent = true")
with_the_plug_in("a new line indented and back", FIVE, "2G o new Escape | >> | << |", more="indent = true")
with_the_plug_in("the last lines are deleted from below", FIVE, "G dd | dd | dd |")


def in_helix(name, text, keys, **options):
    habit(name + " in helix", text, keys, only=("helix",), auto_format=True, **options)


in_helix("three slow deletions", FOX, "gg w w d | d | d |")
in_helix("three slow presses of backspace", FOX, "gg w w i BSpace | BSpace | BSpace |")
in_helix("three slow presses of delete", FOX, "gg w i DC | DC | DC |")
in_helix("a line moved down", FIVE, "gg j x d | p |")
in_helix("a line moved down at once", FIVE, "gg j x d p |")
in_helix("a new line moved down", FIVE, "gg j o - ␣new Escape | x d p |")
in_helix("a line copied and moved", FIVE, "gg j x y p | j j x d p |")
in_helix("three lines deleted", FIVE, "gg j x d | x d | x d |")
in_helix("the last line deleted", FIVE, "ge x d |")
in_helix("lines joined", FIVE, "gg J | J |")
in_helix("lines joined up to an empty one", DRAFT, "gg j j J | J |")
in_helix("a line turned over half a mark", "The end of the day.\n", "gg A ␣more Escape | x ~ |")
in_helix("a name replaced everywhere", "Henrik woke. Henrik ate.\n", "% s Henrik Enter c Henning Escape , |")
in_helix("a word and then its sign", "I write.\n", "gg A ␣C | ++␣too Escape |")
in_helix("a word taken back in a block at the end", "Text.\n\n```\nlet a = 1\n```\n", "gg j j j A 0 Escape |")
in_helix("a word deleted while typing", FOX, "gg w i foo | C-w | bar Escape |")
in_helix("letters deleted after what was typed", FOX, "gg w i very | DC | X | BSpace | DC | Y Escape |")
in_helix("a word deleted after what was typed", FOX, "gg A ␣foo | C-w | Escape |")
in_helix("a word deleted and another typed after what was typed", FOX, "gg A ␣foo | C-w | bar Escape |")
in_helix("a letter and a space typed and the space taken back", FOX, "gg w w i x | y␣ BSpace | Escape |")
in_helix("enter in the middle of a line", FOX, "gg w w i Enter | Escape |")
in_helix("escape and save at once", FOX, "gg A ␣abc Escape :w Enter |")
in_helix("code put around a word in two steps", FOX, "gg w w i ` Escape | /brown Enter a ` Escape |")
in_helix("lines sorted", "delta\nbeta\nalpha\n", "gg A ␣more Escape | % A-s :sort Enter |")
in_helix("a line indented", FIVE, "gg j > |")


def in_emacs(name, text, keys, **options):
    habit(name + " in emacs", text, keys, only=("emacs",), **options)


in_emacs("three slow deletions", FOX, "M-< M-f C-d | C-d | C-d |")
in_emacs("three slow presses of backspace", FOX, "M-< M-f M-f BSpace | BSpace | BSpace |")
in_emacs("lines killed", FIVE, "M-< C-n C-k C-k | C-k C-k |")
in_emacs("a line moved down", FIVE, "M-< C-n C-k C-k | C-n C-y |")
in_emacs("a line moved down at once", FIVE, "M-< C-n C-k C-k C-n C-y |")
in_emacs("a new line moved down", FIVE, "M-< C-n C-e Enter - ␣new | C-a C-k C-k C-n C-y |")
in_emacs("lines swapped", FIVE, "M-< C-n C-n C-x C-t | C-x C-t |")
in_emacs("lines swapped around an empty one", DRAFT, "M-< C-n C-n C-x C-t | C-x C-t |")
in_emacs("lines joined", FIVE, "M-< C-n M-^ |")
in_emacs("a paragraph filled", "alpha beta\ngamma delta\nepsilon zeta\n", "M-< M-q |")
in_emacs("words turned", FOX, "M-< M-u | M-c |")
in_emacs("a name replaced everywhere", "Henrik woke. Henrik ate.\n", "M-< M-% Henrik Enter Henning Enter ! |")
in_emacs("words swapped", FOX, "M-< M-f M-f M-t | M-t |")
in_emacs("a word and then its sign", "I write.\n", "M-< C-e ␣C | ++␣too |")
in_emacs("code put around a word in two steps", FOX, "M-< M-f M-f C-f ` | C-s brown Enter ` |")
in_emacs("enter in the middle of a line", FOX, "M-< M-f Enter | Enter |")
in_emacs("the last lines killed", FIVE, "M-> C-p C-k C-k | C-p C-k C-k |", clean="One.\nTwo.\nThree.\nFour.\n")

# An editor of this family puts the last line end there when it saves.
UNENDED = "One.\nTwo.\nThree."
for what, keys in (
    ("a line put behind", "G o new Escape | |"),
    ("the last line copied behind", "G yyp | |"),
    ("a line put behind what was saved of", "G A ␣x Escape | :w Enter | o new Escape | |"),
    ("the last line deleted of", "Gdd | |"),
):
    in_neovim(f"{what} a text without a last line end", UNENDED, keys, original=UNENDED + "\n")
    habit(f"{what} a text without a last line end in vim", UNENDED, keys, only=("vim",), original=UNENDED + "\n")
