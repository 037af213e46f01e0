"""What writers do all day in Vim, saving between: the client tells of whole lines then, and the server marks.

The judge is a twin, as in habits.py; a pause is a `:w` here.
"""

from scenarios.habits import DRAFT, FIVE, FOX, habit


def in_vim(name, text, keys, **options):
    habit(name + " in vim", text, keys, only=("vim",), file=__name__, **options)


# A line that is broken in two begins with the end of the addition.
BROKEN = "First line.Second line of it.\n"
BREAK = "gg fS i Enter Escape | "

in_vim("a word replaced in a line that begins with a closer", BROKEN, BREAK + ":%s/Second/2nd/ Enter |")
in_vim(
    "words replaced again and again in a line that begins with a closer", BROKEN,
    BREAK + ":%s/Second/2nd/ Enter | :%s/line/row/ Enter | :%s/of/to/ Enter |",
)
in_vim("a line that begins with a closer moved up", BROKEN, BREAK + "2G :m␣0 Enter |")
in_vim("a new line moved down before a copy", "Benada mafete,\nnobupu sagura\nrorumi.\n", "2G :t. Enter | gg o new Escape | ddp |")
in_vim("a line that begins with a closer deleted", BROKEN, BREAK + "2G dd |")
in_vim("a line that begins with a closer turned over", BROKEN, BREAK + "2G g~~ | g~~ | g~~ |")
in_vim("a line that begins with a closer typed on", BROKEN, BREAK + "2G A ␣more Escape | A ␣yet Escape | A ␣still Escape |")
in_vim("a line that begins with a closer copied", BROKEN, BREAK + "2G yyp | yyp | yyp |")
in_vim("a line that begins with a closer indented", BROKEN, BREAK + "2G >> | >> | << |")
in_vim("a line that begins with a closer joined to the one before", BROKEN, BREAK + "gg J |")
in_vim("the words of a line that begins with a closer deleted", BROKEN, BREAK + "/line Enter dw | . | . |")

in_vim("slow deletions", FOX, "gg w x | x | x | x | x |")
in_vim("slow deletions to the left", FOX, "gg 2w X | X | X | X |")
in_vim("slow presses of delete", FOX, "gg w i DC | DC | DC | Escape |")
in_vim("slow presses of backspace", FOX, "gg 2w i BSpace | BSpace | BSpace | Escape |")
in_vim("words deleted with pauses", FOX, "gg w dw | . | . |")
in_vim("lines deleted", FIVE, "gg j dd | dd | dd |")
in_vim("a line deleted and the deletion repeated", FIVE, "gg j dd | . | . |")
in_vim("paragraphs deleted", "One.\n\nTwo.\n\nThree.\n\nFour.\n", "gg dap | dap | . |")
in_vim("the last lines deleted", FIVE, "G dd | G dd | G dd |", clean="One.\nTwo.\nThree.\nFour.\n")
in_vim("the lines with a letter deleted", FIVE, ":g/T/d Enter | :g/F/d Enter |")

in_vim("a line moved down", FIVE, "gg j dd | p | dd | p |")
in_vim("lines moved down at once", FIVE, "gg ddp | /Four Enter ddp |")
in_vim("a new line moved down", FIVE, "2G o - ␣new Escape | ddp | ddp |")
in_vim("an added empty line moved down", DRAFT, "3G ddkP | jddp |")
in_vim("lines joined up to an empty one", DRAFT, "3G J | J |")
in_vim("a line moved to the top", FIVE, "/Three Enter :m␣0 Enter | /Five Enter :m␣0 Enter |")
in_vim("a line copied", FIVE, "2G yyp | yyp | j yyp |")
in_vim("a line copied and moved", FIVE, "2G yyp | j ddp | ddp |")
in_vim("two letters swapped", FOX, "gg w x | p | /o Enter x | p |")
in_vim("letters swapped at once", FOX, "gg w xp | xp | xp |")
in_vim("a word moved", FOX, "gg w dw | w P | dw | b P |")

in_vim("lines joined", FIVE, "gg J | J | J | J |")
in_vim("many lines joined", FIVE, "gg 3J | J |")
in_vim("a paragraph reflowed", "alpha beta\ngamma delta\nepsilon zeta\n", "gg gqip | G A ␣eta Escape | gqip |")
in_vim("a new line in a paragraph that is reflowed", "alpha beta\ngamma delta\nepsilon zeta\n", "gg o new Escape | gqip |")
in_vim("a line broken", FOX, "gg 2w i Enter Escape | w i Enter Escape | G 2w i Enter Escape |")
in_vim("lines sorted", "delta\nbeta\nalpha\ngamma\n", "2G A ␣more Escape | o charlie Escape | :%sort Enter |")
in_vim("all sorted by a program", FIVE, ":%!sort Enter |")
in_vim("lines indented", FIVE, "2G >> | . | 4G >> | . |")
in_vim("a sign before every line", FIVE, "gg C-v 4j I - ␣ Escape | gg C-v 4j $ A ! Escape |")

in_vim("letters turned", FOX, "gg w ~ | ~ | ~ | ~ |")
in_vim("a word turned", FOX, "gg w g~iw | g~iw | g~iw |")
in_vim("a line turned", "The end of the day.\n", "gg A ␣more Escape | g~~ | g~~ | g~~ |")
in_vim("a line lowered and raised", "The End of The day.\n", "gg A ␣The␣More Escape | guu | gUU |")
in_vim("letters replaced", FOX, "gg w rB | l rR | l rO |")
in_vim("text typed over", FOX, "gg w R abc Escape | /over Enter R def Escape | l R g Escape |")
in_vim("text typed over and taken back", FOX, "gg w R abc BSpace BSpace Escape | l R xyz Escape |")
in_vim("a word changed again and again", FOX, "gg w ciw slow Escape | ciw slower Escape | ciw slowest Escape |")
in_vim("a change repeated", FOX, "gg w ciw slow Escape | /fox Enter . | /over Enter . |")

in_vim("a name replaced everywhere", "Henrik woke. In the morning Henrik woke.\nHenrik ate.\n",
       "gg cw Henning Escape | :%s/Henrik/Henning/g Enter | :%s/woke/slept/g Enter |")
in_vim("words replaced in changed lines", "The end of the day.\nThe end of the night.\n",
       "gg A ␣the␣more Escape | 2G dw | :%s/the/THE/g Enter | :%s/end/start/g Enter |")
in_vim("a line replaced and replaced again", FIVE, ":%s/Two/Deux/ Enter | :%s/Three/Trois/ Enter | :%s/Deux/Zwei/ Enter |")

in_vim("a line written on", FOX, "gg A ␣one Escape | A ␣two Escape | A ␣three Escape | A ␣four Escape |")
in_vim("a line written on in insert mode", FOX, "gg A ␣one | ␣two | ␣three Escape |")
in_vim("a sentence written on in its middle", FOX, "gg w i very | ␣very | ␣ | dark ␣ Escape |")
in_vim("a line begun again and again", FOX, "gg I So ␣ Escape | I And ␣ Escape | I But ␣ Escape |")
in_vim("lines opened", FIVE, "2G o new Escape | o newer Escape | O newest Escape |")
in_vim("a word and then its sign", "I write.\n", "gg A ␣C | ++␣too Escape |")
in_vim("emoji written on", "So 👍 it 👩‍🚀 goes.\n", "gg A ␣😀 Escape | w x | A ␣é Escape | 0 w x |")

in_vim("a macro run again and again", FIVE, "gg qa A - Escape j q | @a | @a | @a |")
in_vim("undo after a save and a save", FOX, "gg w x | u u |", clean=FOX)
in_vim("undo of the marks alone and a save", FOX, "gg w x | u |", clean=FOX.replace("quick", "uick"))
in_vim("undo of two saves and typing", FOX, "gg A ␣one Escape | A ␣two Escape | u u u u A ␣three Escape |",
       clean=FOX.replace("fox.", "fox. three"))
in_vim("undo and redo between saves", FOX, "gg w dw | u u | C-r C-r | A ␣yes Escape |", clean=FOX.replace("quick brown fox.", "brown fox. yes"))
