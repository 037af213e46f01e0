"""Our Neovim plug-in: what it shows in the text and in the status line."""

from scenarios import TEXT, scenario, sentence
from scenarios.reviewing import CHANGED

# Reverse video is what can be seen of a group from outside.
SHOWN = """
vim.cmd('highlight GROUP cterm=reverse ctermfg=NONE ctermbg=NONE')
vim.cmd('highlight StatusLine cterm=NONE')
vim.diagnostic.config({ underline = false, virtual_text = false, signs = false })
"""


def reversing(group):
    return dict(only=("neovim",), plug_in=True, lua=SHOWN.replace("GROUP", group))


def shows(editor, *stretches):
    editor.wait(f"{stretches} coloured", lambda: [s.strip() for s in editor.terminal.reversed] == [*stretches])


@scenario(text=CHANGED, **reversing("CriticAddition"))
def additions_are_coloured_and_the_new_text_of_substitutions(editor):
    shows(editor, "very", "leaps", "real")
    editor.insert_before("end")
    editor.type("bitter ")
    editor.escape()
    editor.wait("the mark", lambda: "bitter ++}" in editor.text)
    shows(editor, "very", "leaps", "real bitter")
    editor.command("CriticAcceptAll")
    shows(editor)


@scenario(text=CHANGED, **reversing("CriticDeletion"))
def deletions_are_coloured_and_the_old_text_of_substitutions(editor):
    shows(editor, "brown", "jumps")


COMMENTS = "A {==fox==}{>>red, or\nbrown?<<} `{>>code<<}`.\n\n```\n{>>code<<}\n```\n\n{>>alone<<}\n"


@scenario(text=COMMENTS, **reversing("CriticComment"))
def comments_are_coloured_from_line_to_line_and_code_is_not(editor):
    shows(editor, "red, or", "brown?", "alone")


@scenario(text=COMMENTS, **reversing("CriticHighlight"))
def highlights_are_coloured(editor):
    shows(editor, "fox")


LONG = "Text.\n" * 3000 + CHANGED + "Text.\n" * 3000


@scenario(text=LONG, **reversing("CriticAddition"))
def what_comes_into_sight_is_coloured(editor):
    editor.press("3001G")
    shows(editor, "very", "leaps", "real")
    editor.press("G")
    shows(editor)
    editor.press("C-o")
    shows(editor, "very", "leaps", "real")


@scenario(text=CHANGED, only=("neovim",), plug_in=True, more="conceal = true")
def delimiters_are_hidden_but_in_the_line_of_the_caret(editor):
    editor.sees("The real end.")
    editor.sees("The {++very ++}quick")
    editor.press("G")
    editor.sees("The very quick brown fox jumpsleaps.")
    editor.sees("The {++real ++}end.")


STATUS = "vim.o.statusline = 'mode %{mode()}: %{v:lua.require(\"critic\").statusline()}'\n"


@scenario(text=TEXT, only=("neovim",), plug_in=True, lua=STATUS)
def the_status_line_says_what_is_tracked(editor):
    editor.sees("tracking on, no changes")
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.sees("tracking on, 1 change, 1 uncommented")
    editor.command("CriticToggle")
    editor.sees("tracking off, 1 change, 1 uncommented")
    editor.command("CriticAcceptAll")
    editor.sees("tracking off, no changes")


@scenario(text=CHANGED, only=("neovim",), plug_in=True)
def deleted_text_is_struck_through(editor):
    for group in ("CriticDeletion", "CriticSubstitutionOld"):
        editor.command(f"lua print(vim.fn.synIDattr(vim.fn.synIDtrans(vim.fn.hlID('{group}')), 'strikethrough') .. ' yes')")
        editor.sees("1 yes")
        editor.command("echo")


@scenario(text=CHANGED, only=("neovim",), plug_in=True, more="conceal = 'deleted'")
def deleted_text_is_hidden_too_where_it_is_wanted(editor):
    editor.press("G")
    editor.sees("The very quick fox leaps.")


NOT_SHOWN = dict(lua="vim.diagnostic.config({ signs = false, underline = false })\n")


@scenario(text=CHANGED, only=("neovim-0.7",), plug_in=True, **NOT_SHOWN)
def changes_are_not_shown_once_more_after_the_line(editor):
    editor.wait("the changes", lambda: editor.wire.sent("server", "textDocument/publishDiagnostics"))
    editor.pause(0.5)
    if "addition" in "\n".join(editor.terminal.screen) or "■" in "\n".join(editor.terminal.screen):
        raise AssertionError(editor.terminal.screen)
