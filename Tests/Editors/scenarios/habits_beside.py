"""What plug-ins, formatters and an editor's own helpers write, where the marks lie beside the text.

The same keys are pressed in a twin. After each part of them, and after undo and redo, the text is the twin's; then it is saved,
and the record keeps both promises.
"""

import random

from scenarios.monkey_beside import BESIDE, BesideMonkey
from scenarios import scenario
from session import TOP
from twin import PAUSE, text_of, twin_of

PLUG_INS = f"{TOP}/.editors/plug-ins/usr/share"
FOX = "The quick brown fox.\n\nIt jumps over the quiet lazy dog.\n"
LONG = (
    "The quick brown fox jumps over the dog,\nand the dog does not mind that at all.\nIt sleeps.\n\n"
    "The end of this is not near, for there\nare many words to come.\n"
)
LIST = "# Things\n\n- a spade\n- a rope\n- two boots\n\nThat is all.\n"
TABLE = "| a | long cell |\n| - | - |\n| a longer cell | b |\n\nThe end.\n"


def habit(name, text, keys, **options):
    """A scenario of keys, as `play` takes them, in this file: in parts, after each of which the text is looked at."""

    def run(editor):
        with twin_of(editor) as twin:
            writer = BesideMonkey(editor, twin, random.Random(0))
            for part in keys.split(f" {PAUSE} "):
                writer.does(part)
            saves(writer)
            for way in ("undo", "redo", "undo"):
                writer.travels(way, 2)
            saves(writer)

    run.__name__, run.__module__ = name.replace(" ", "_"), __name__
    scenario(text=text, settings=BESIDE, **options)(run)


def saves(writer):
    """In both, for a formatter may work then."""
    writer.twin.save()
    writer.wanted = text_of(writer.twin)
    writer.saves()


def in_vi(name, text, keys, vimrc="", plug_in=None):
    """In Vim, and in Neovim with our plug-in."""
    path = f"set runtimepath^={PLUG_INS}/{plug_in}\n" if plug_in else ""
    lua = f"vim.cmd([==[\n{path}{vimrc}]==])\n"
    habit(f"{name} beside", text, keys, only=("vim",), vimrc=path + vimrc)
    habit(f"{name} beside with the plug in", text, keys, only=("neovim",), plug_in=True, hides=True, lua=lua)


FILLING = "autocmd FileType markdown setlocal textwidth=40 formatoptions+=a\n"
in_vi("paragraphs that fill themselves", LONG, "gg w i very␣much␣ | 2G 0 3w d w | x | . | . | G A ␣Then␣there␣are␣more␣of␣them. | gg J | 3G o New␣words␣in␣a␣line␣that␣is␣long.", FILLING)
in_vi("lines broken while they are typed", FOX, "gg A ␣It␣is␣as␣quick␣as␣foxes␣are␣and␣then␣some. | G A ␣It␣does␣not␣matter␣to␣it␣at␣all. | gg g q G", "autocmd FileType markdown setlocal textwidth=40\n")
in_vi("lines broken after a deletion in them", LONG, "gg w 3 d w | A ␣It␣is␣as␣quick␣as␣foxes␣are␣and␣then␣some. | gg A ␣It␣does␣not␣matter␣at␣all. | gg g q G", "autocmd FileType markdown setlocal textwidth=40\n")
in_vi("a paragraph filled after a deletion in it", " ".join(LONG.split("\n")[:3]) + "\n", "gg w 3 d w | 0 8w d 4 w | g q q | g q i p")
BULLETS = "autocmd FileType markdown setlocal comments=b:- formatoptions+=ro autoindent\n"
in_vi("lists that go on by themselves", LIST, "/spade Enter A Enter a␣saw | o a␣lamp | G k k o one␣more Enter and␣one C-u BSpace", BULLETS)
in_vi("words completed", FOX, "G A ␣qui C-n | A ␣qui C-n C-n ␣and␣la C-p | o C-x C-l | A ␣qu C-n C-e x | gg w c w qu C-x C-n", "")
in_vi("words that abbreviate others", FOX, "gg A ␣teh␣cat␣adn␣teh␣dog. | o teh Enter adn", "iabbrev teh the\niabbrev adn and\n")
PAIRS = "".join(f"inoremap {a} {a}{b}<Left>\n" for a, b in ("()", "[]", "{}", "``")) + "inoremap <expr> ) getline('.')[col('.')-1]==')' ? '<Right>' : ')'\n"
in_vi("brackets that close themselves", FOX, "gg A ␣(one) | A ␣[two | w i {{ ++ | G A ␣`code", PAIRS)
in_vi("a formatter on every save", LONG, "gg A ␣more␣and␣more␣words Escape :w Enter | G A ␣The␣end. Escape :w Enter | gg J :w Enter", "autocmd BufWritePre doc.md silent %!fmt -w 50\n")
in_vi("a formatter on a stretch", LONG, "gg !}fmt␣-w␣30 Enter | G A ␣More␣and␣more. | g q g q | :%!fmt␣-w␣60 Enter | :%!sort Enter", "set formatprg=fmt\\ -w\\ 40\n")
in_vi("a macro on many lines", LIST, "3G q a I >␣ Escape A ; Escape j q | 2@a | gg qb w ~ q | @b")
in_vi("a block of columns", LIST, "3G 0 l C-v j j I not␣ | 3G 0 C-v j j $ A , | 3G 0 C-v j j l d | 3G 0 C-v j j c +␣ | 3G 0 l d w | 3G 0 4l C-v j j d | 3G 0 2l C-v j j A x␣")
in_vi("commands for many lines", LONG, ":g/o/s/e/E/g Enter | :%norm␣A; Enter | :g/^/m0 Enter | :%s/\\<\\w/\\u&/g Enter | :v/e/d Enter")
in_vi("quotes and stars put around words", FOX, "gg w y s i w * | w y s w ) | d s ) | G 0 w v e S \" | c s \" `", plug_in="vim-scripts/surround")
in_vi("a table aligned", TABLE, "gg 2w i much␣ | :Tabularize␣/| Enter | o |␣c␣|␣d␣| | :Tabularize␣/| Enter", plug_in="vim-tabular")
in_vi("words completed by tab", FOX, "G A ␣qui Tab | A ␣la Tab Tab ␣brow Tab", plug_in="vim-scripts/supertab")


def in_helix(name, text, keys):
    habit(f"{name} beside in helix", text, keys, only=("helix",))


in_helix("brackets that close themselves", FOX, "gg A ␣(one) | A ␣[two | w i {{ ++ | ge A ␣`code")
in_helix("many carets", LIST, "gg j j C C i not␣ Escape , | % s o Enter c 00 Escape , | gg j j C C A ; Escape ,")
in_helix("a formatter on a stretch", LONG, "% :pipe␣fmt␣-w␣30 Enter | , gg A ␣more | % :reflow␣50 Enter")


def in_emacs(name, text, keys, lisp="", plug_in=None):
    path = f'(dolist (file (file-expand-wildcards "{PLUG_INS}/emacs/site-lisp/elpa-src/{plug_in}-*/*-autoloads.el"))\n' \
        "(add-to-list 'load-path (file-name-directory file)) (load file nil t))\n" if plug_in else ""
    habit(f"{name} beside in emacs", text, keys, only=("emacs",), lisp=path + lisp)


HOOK = "(add-hook 'markdown-mode-hook (lambda () {}))\n"
in_emacs("lines broken while they are typed", LONG, "M-< C-e ␣and␣many␣more␣words␣than␣there␣were␣before␣ | M-> C-b ␣More␣of␣them␣that␣are␣too␣many␣for␣one␣line. | M-< M-q", HOOK.format("(setq fill-column 40) (auto-fill-mode)"))
in_emacs("brackets that close themselves", FOX, "M-< C-e ␣(one) | ␣[two | M-> C-b ␣\"three\" | M-< M-f C-Space M-f ( | M-< { { ++", "(electric-pair-mode)\n")
in_emacs("words completed", FOX, "M-> C-b ␣qui M-/ | ␣qui M-/ M-/ ␣la M-/", "")
# In one command each, which no C-g ends: a list goes away when a key comes before it is shown.
# Nor does the next key end the search for words, though it comes while that goes on.
COMPANY = "(require 'cl-lib) (setq comp-enable-subr-trampolines nil native-comp-enable-subr-trampolines nil lsp-completion-provider :none eglot-stay-out-of '(company) company-backends '(company-dabbrev) company-idle-delay nil company-dabbrev-downcase nil) (global-company-mode) (defmacro unhurried (&rest body) `(let ((inhibit-quit t)) (cl-letf (((symbol-function 'input-pending-p) #'ignore)) ,@body))) (defun take-only () (interactive) (unhurried (company-complete))) (global-set-key (kbd \"C-c t\") #'take-only) (defun take-second () (interactive) (unhurried (company-manual-begin) (company-select-next) (company-complete-selection))) (global-set-key (kbd \"C-c s\") #'take-second)\n"
in_emacs("words chosen from a list", FOX, "M-> C-b ␣qui C-c s | ␣bro C-c t | ␣la C-c t", COMPANY, "company")
in_emacs("a word edited in all its places", LONG, "M-< C-s dog Enter C-b C-c i BSpace BSpace BSpace cat C-c i | M-< C-s the Enter C-b C-c i X C-c i", "(global-set-key (kbd \"C-c i\") #'iedit-mode)\n", "iedit")
in_emacs("a rectangle of columns", LIST, "M-< C-n C-n C-f C-f C-Space C-n C-n C-x r t not␣ Enter | M-< C-n C-n C-Space C-n C-n C-f C-x r k | M-< C-n C-n C-x r y")
in_emacs("a macro on many lines", LIST, "M-< C-n C-n C-x ( C-e ; C-n C-x ) | C-x e | C-x e")
in_emacs("words that abbreviate others", FOX, "M-< C-e ␣teh␣cat␣adn␣teh␣dog.", HOOK.format("(abbrev-mode)") + "(define-global-abbrev \"teh\" \"the\") (define-global-abbrev \"adn\" \"and\")\n")
in_emacs("a formatter on every save", "One   fox. \n\nTwo dogs.  \n", "M-< C-e ␣more␣␣ C-x C-s | M-> C-b ␣␣ C-x C-s", "(add-hook 'before-save-hook #'delete-trailing-whitespace)\n")
in_emacs("a formatter on a stretch", LONG, "C-x h C-u M-| fmt␣-w␣30 Enter | M-< C-e ␣more | C-x h M-x sort-lines Enter")
in_emacs("items of lists put in and moved", LIST, "M-< C-s spade Enter M-Enter a␣saw | C-c Up | M-Enter a␣lamp | C-c Right")
