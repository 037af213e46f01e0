"""What our Neovim plug-in shows in the text and in the status line; what our theme shows in Helix."""

from itertools import groupby

from painting import DARK, cells
from scenarios import TEXT, scenario, sentence
from scenarios.reviewing import CHANGED

# Reverse video is what can be seen of a group from outside.
SHOWN = """
vim.cmd('highlight GROUP cterm=reverse ctermfg=NONE ctermbg=NONE')
vim.cmd('highlight StatusLine cterm=NONE')
vim.diagnostic.config({ underline = false, virtual_text = false, signs = false })
"""


def reversing(group):
    return dict(only=("neovim",), plug_in=True, more="comments = false, signs = false", lua=SHOWN.replace("GROUP", group))


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


THREADS = "A fox{>>@ada: [resolved] red?<<}{>>brown<<} jumps\n{>>over?<<}, {++very ++}{>>[Resolved]<<}high.\n"


@scenario(text=THREADS, **reversing("CriticResolved"))
def resolved_comments_have_a_colour_of_their_own_with_their_answers(editor):
    shows(editor, "@ada: [resolved] red?", "brown", "[Resolved]")
    editor.press("gg", "j", "0")
    editor.command("CriticResolveComment")
    editor.becomes(THREADS.replace("over", "[resolved] over"))
    shows(editor, "@ada: [resolved] red?", "brown", "[resolved] over?", "[Resolved]")
    editor.command("CriticResolveComment")
    shows(editor, "@ada: [resolved] red?", "brown", "[Resolved]")


BY_TWO = "A {++red ++}{>>@anna<<}fox {~~jumps~>leaps~~}{>>@bo | 2026-11-26<<}\n{--high --}{>>@anna<<}{++up++}{>>@bo: why?<<}.\n"


@scenario(text=BY_TWO, **{**reversing("CriticAttribution"), "only": ("neovim-0.11",)})
def attributions_have_a_colour_of_their_own(editor):
    shows(editor, "{>>@anna<<}", "{>>@bo | 2026-11-26<<}", "{>>@anna<<}")


@scenario(text=BY_TWO, **reversing("CriticAuthor1"))
def what_an_author_changed_has_the_authors_colour(editor):
    shows(editor, "red", "high")


@scenario(text=BY_TWO, **reversing("CriticAuthor6"))
def another_author_has_another_colour(editor):
    shows(editor, "jumps", "leaps", "up")


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


@scenario(text=CHANGED, only=("neovim",), plug_in=True, hides=True)
def delimiters_are_hidden_but_in_the_line_of_the_caret(editor):
    editor.sees("The real end.")
    editor.sees("The {++very ++}quick")
    editor.press("G")
    editor.sees("The very quick brown fox jumps→leaps.")
    editor.sees("The {++real ++}end.")


STATUS = "vim.o.statusline = 'mode %{mode()}: %{v:lua.require(\"critic\").statusline()}'\n"


@scenario(text=TEXT, only=("neovim",), plug_in=True, lua=STATUS)
def the_status_line_says_what_is_tracked(editor):
    editor.sees(": no changes")
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.sees(": 1 of 1")
    editor.press("gg")
    editor.sees(": 0 of 1")
    editor.command("CriticToggle")
    editor.sees(": tracking off · 0 of 1")
    editor.command("CriticAcceptAll")
    editor.sees(": tracking off · no changes")


@scenario(text=CHANGED, only=("neovim",), plug_in=True)
def deleted_text_is_struck_through(editor):
    for group in ("CriticDeletion", "CriticSubstitutionOld"):
        editor.command(f"lua print(vim.fn.synIDattr(vim.fn.synIDtrans(vim.fn.hlID('{group}')), 'strikethrough') .. ' yes')")
        editor.sees("1 yes")
        editor.command("echo")


@scenario(text=CHANGED, only=("neovim",), plug_in=True, hides=True, more="conceal = 'deleted'")
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


@scenario(text=CHANGED, only=("helix",), our_theme=True)
def helix_strikes_through_what_is_deleted_and_nothing_else(editor):
    def struck():
        looks = [(look.struck, character) for line in cells(editor.terminal.coloured, DARK) for character, _, look in line]
        runs = groupby(looks, key=lambda cell: cell[0])
        return ["".join(character for _, character in run) for is_struck, run in runs if is_struck]

    editor.wait("the deletion struck through", lambda: struck() == ["{--brown --}"])
