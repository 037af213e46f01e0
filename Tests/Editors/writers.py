"""What writers press in each family of editors, by what it acts on.

Keys are parted by spaces; `|` is a pause, `␣` the key for a space, `N` and `M` are new words, `W` is the word that the caret
is on, at its beginning. What they do must not depend on marks: a motion over one does.
"""

# What the monkey must be sure of, where the keys act.
WORD, PLAIN, LINE, LINES, PARAGRAPH = "a word", "plain text", "a line", "lines", "a paragraph"

NEOVIM = {
    WORD: (
        "i N␣ Escape", "i N␣ | M␣ Escape", "e a ␣N Escape", "e a , | ␣N Escape", "c e N Escape", "c e N | M Escape", "x",
        "x | x", "x | x | x", "x | . | . | .", "x p", "r Q", "~", "~ | ~", "~ | ~ | ~", "g ~ i w", "g ~ i w | g ~ i w",
        "g U i w | g u i w", "i DC DC Escape", "i DC | DC | DC Escape", "R Q U Escape", "R Q U | I C K Escape", "v e ~",
        "v i w d", "v i w | c N Escape", "d i w | i N Escape", "y i w e p", ":%s/W/N/g Enter",
        ":%s/W/N/g Enter | :%s/N/M/g Enter", "i N | BSpace BSpace Escape", "i N BSpace BSpace BSpace | M␣ Escape",
        "c i w N Escape | c i w M Escape", "x | i N Escape | x", "i N | DC | M Escape", "i N | BSpace | DC DC | M Escape",
    ),
    PLAIN: (
        "d w", "d w | .", "d w | d w | d w", "d a w", "d a w | . | .", "d b", "X", "X | X | X", "X | . | .", "2 d w",
        "c w N Escape", "c 2 w N Escape", "d w | w P", "d w w P", "i BSpace | BSpace | BSpace Escape", "i C-w | N␣ Escape",
        "i C-w C-w Escape", "i C-u Escape", "d 0", "x | X | x | X", "d w | i N␣ Escape", "v e | d", "v b d", "y w P",
    ),
    LINE: (
        "A ␣N Escape", "A ␣N | ␣M Escape", "I N␣ Escape", "o N Escape", "o N␣ | M Escape", "O N Escape",
        "o - ␣N Enter M Escape", "d d", "d d p", "d d | p", "d d | P", "y y p", "y y p | c w N Escape", "y y P", "J", "D",
        "D | A N Escape", "C N Escape", "c c N Escape", "S N | ␣M Escape", "> >", "g ~ ~", "g u u | g U U", "V ~",
        ":s/a/o/g Enter", ":s/e/ee/ Enter", ":m0 Enter", ":m$ Enter", ":t. Enter", ":t$ Enter", "d d | G p", "y y | G p",
        "y y gg P", "i Enter Escape", "o N Escape | d d p", "O N Escape | d d | p",
        "A BSpace BSpace | BSpace Escape", "0 i BSpace Escape", "o N Escape | d d", "y y p | d d",
    ),
    LINES: (
        "J | J", "d d | d d", "d d | . | .", "3 J", ":.,+1s/a/o/g Enter", ":.,+1!sort Enter", "d j", "d j | p", "y j P",
        "V j > ", "V j J", "J | J | J", "d d | d d | P", ":m+1 Enter", ":m+1 Enter | :m+1 Enter", ":m-2 Enter",
    ),
    PARAGRAPH: (
        "g q i p", "d a p", "d a p | P", "d i p", "d i p | i N Escape", "y i p P", "v i p J", "g q q", "v i p ~", "> i p",
    ),
}
HELIX = {
    WORD: (
        "i N␣ Escape", "i N␣ | M␣ Escape", "a ␣N Escape", "a , | ␣N Escape", "c N Escape", "c N | M Escape", "d",
        "d | i N Escape", "~", "~ | ~", "` | M-`", "r Q", "y p", "y P", "; d", ";  r Q", "i DC DC Escape",
        "i DC | DC | DC Escape", "i N | BSpace BSpace Escape", "i N BSpace BSpace BSpace | M␣ Escape",
        "i N | DC | M Escape", "i N | BSpace | DC DC | M Escape", "% s W Enter c N Escape ,",
    ),
    PLAIN: (
        "w d", "e d | w d", "; d | d | d", "i BSpace | BSpace | BSpace Escape", "i C-w | N␣ Escape", "i C-w C-w Escape",
        "i C-u Escape", "w d w P", "b d", "i M-d | M-d Escape", "a M-d | N Escape", "a C-k Escape", "d | d | d", "w y w p",
        "v w w d", "v w | c N Escape",
    ),
    LINE: (
        "A ␣N Escape", "A ␣N | ␣M Escape", "I N␣ Escape", "o N Escape", "o N␣ | M Escape", "O N Escape",
        "o - ␣N Enter M Escape", "x d", "x d p", "x d | p", "x d | P", "x y p", "x y P", "x y | p", "J", "x c N Escape",
        "x c N | ␣M Escape", ">", "x ~", "x ` | M-`", "x s a Enter c o Escape ,", "i Enter Escape", "o N Escape | x d p",
        "O N Escape | x d | p", "x d ge p", "x y ge p", "x y gg P", "gl d | d | d", "A BSpace BSpace | BSpace Escape",
        "gh i BSpace Escape", "x y p | x d",
    ),
    LINES: (
        "x x d", "x d | x d", "x d | x d | x d", "J | J", "x x J", "x x :sort Enter", "x x >", "x x d | p", "x x y p",
        "x d | x d | P", "x x d | P",
    ),
    PARAGRAPH: (
        "m i p d", "m i p y P", "m i p d | P", "m a p d", "m i p ~", "m i p | c N Escape", ":reflow Enter",
    ),
}
EMACS = {
    WORD: (
        "N␣", "N␣ | M␣", "M-f ␣N", "M-f , | ␣N", "M-d N", "M-d N | M", "C-d", "C-d | C-d", "C-d | C-d | C-d",
        "C-d C-d | C-d | C-d", "M-u", "M-c | M-b M-u", "M-l | M-b M-c", "DC DC", "DC | DC | DC", "C-Space M-f C-w | N",
        "C-Space M-f M-w C-y", "N | BSpace BSpace", "N | C-d | M", "N | BSpace | C-d C-d | M", "N BSpace BSpace BSpace | M␣", "M-< M-% W Enter N Enter !",
        "M-< M-% W Enter N Enter ! | M-< M-% N Enter M Enter !", "M-f BSpace | BSpace | BSpace", "M-f BSpace BSpace | N",
        "C-f C-t", "C-d | BSpace | C-d", "C-d | BSpace | BSpace | C-d | C-d",
    ),
    PLAIN: (
        "M-d", "M-d | M-d", "M-d | M-d | M-d", "M-d M-d", "M-d | N", "M-BSpace | M-BSpace", "M-BSpace N␣",
        "BSpace | BSpace | BSpace", "M-t", "M-t | M-t", "C-t", "M-d M-f C-y",
        "M-d | M-f C-y", "C-Space M-f M-f C-w | C-y", "M-u M-u", "M-c | M-c | M-c", "M-u | M-u", "M-z e", "M-d | M-t",
        "M-d | M-c", "M-d | C-y",
    ),
    LINE: (
        "C-e ␣N", "C-e ␣N | ␣M", "C-a N␣", "C-e Enter N", "C-e Enter N␣ | M", "C-a N Enter", "C-a C-k C-k",
        "C-a C-k C-k C-n C-y", "C-a C-k C-k | C-n C-y", "C-a C-k C-k C-y C-y", "C-k", "C-k | C-k", "C-k | N", "C-k C-k",
        "C-a C-k N", "Enter", "C-o", "C-o | C-d", "C-e C-o | C-d", "C-e BSpace BSpace | BSpace", "C-a BSpace",
        "C-a C-d | C-d", "C-a C-Space C-e M-w C-e Enter C-y", "C-a Tab",
        "C-a C-Space C-n C-w | C-y", "C-e Enter N | C-a C-k C-k C-n C-y", "C-S-BSpace",
    ),
    LINES: (
        "C-a C-k C-k | C-k C-k", "C-a C-k C-k | C-k C-k | C-k C-k", "M-^", "C-n M-^", "C-x C-t", "C-x C-t | C-x C-t",
        "C-k | C-k | C-k | C-k", "C-a C-Space C-n C-n C-w", "C-a C-Space C-n C-n C-w | C-y", "C-a C-k C-k C-k C-k C-n C-y",
    ),
    PARAGRAPH: (
        "M-q", "M-h C-w", "M-h C-w | C-y", "M-h M-w C-y", "M-k",
    ),
}

KEYS = {"neovim": NEOVIM, "vim": NEOVIM, "helix": HELIX, "emacs": EMACS}
