"""What Neovim 0.11 shows of the marks by itself, once it is told to, without our plug-in."""

from scenarios import scenario
from scenarios.colours import shows

NEOVIM = dict(only=("neovim-0.11",))
CHANGED = "# Dogs\n\nThe {++very ++}{>>[tone] why<<}quick {~~red~>brown~~} fox.\n"


@scenario(text=CHANGED, **NEOVIM)
def lenses_above_the_line_accept_a_change(editor):
    editor.command("lua vim.lsp.codelens.refresh()")
    editor.sees("Accept")
    editor.find("very")
    editor.command("lua vim.lsp.codelens.run()")
    editor.sees("1: ")
    editor.press("1", "Enter")
    editor.becomes("# Dogs\n\nThe very quick {~~red~>brown~~} fox.\n")


@scenario(text=CHANGED, settings={"marking": "command"}, **NEOVIM)
def hints_tell_what_a_comment_is_about_and_what_was_deleted(editor):
    editor.command("lua vim.lsp.inlay_hint.enable(true)")
    editor.sees("fox. tone")
    editor.find("fox")
    editor.press("dw")
    editor.sees("deleted “fox")


LONG = "One.\n\n{--Two\nthree\nfour.\n\nfive--}\n\nSix.\n"


@scenario(text=LONG, lua="vim.o.foldmethod = 'expr'\nvim.o.foldexpr = 'v:lua.vim.lsp.foldexpr()'\n", **NEOVIM)
def a_long_deletion_is_folded_away(editor):
    editor.sees("Six.")
    editor.wait("a fold", lambda: "three" not in editor.terminal.screen)
    editor.command("normal! zR")
    editor.sees("three")


HALVES = "".join(f"vim.cmd('highlight LspReference{kind} cterm=reverse ctermfg=NONE ctermbg=NONE')\n"
                 for kind in ("Text", "Read", "Write"))
QUIET = "vim.diagnostic.config({ underline = false, virtual_text = false, signs = false })\n" \
        "vim.cmd('highlight StatusLine cterm=NONE')\n"


@scenario(text=CHANGED, lua=HALVES + QUIET, **NEOVIM)
def both_halves_of_a_substitution_stand_out(editor):
    editor.find("red")
    editor.command("lua vim.lsp.buf.document_highlight()")
    shows(editor, "red", "brown")


@scenario(text=CHANGED, **NEOVIM)
def the_comments_of_a_change_are_found_from_it(editor):
    editor.find("very")
    editor.command("lua vim.lsp.buf.references()")
    editor.sees("|3 col ")


@scenario(text=CHANGED, **NEOVIM)
def changes_are_searched_in_the_whole_project(editor):
    editor.command("lua vim.lsp.buf.workspace_symbol('brown')")
    editor.sees("] “red” → “brown”")
