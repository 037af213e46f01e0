"""Our Neovim plug-in where the marks lie beside the text: what is drawn of them, and that nothing of it is in the text."""

import json
import subprocess

from scenarios import scenario
from scenarios.page import STRUCK, rows
from twin import text_of, twin_of

RECORD = """# Hens

The {~~red~>blue~~} hen {++who laid ++}{>>@anna<<}sat
{--quietly --}on the {==wall==}{>>@bo | 2025-11-20: which?<<}{>>@anna: ours<<}.

One{--, two--}{>>why?<<}
and {++three

four++}.

The `{++end++}`.
"""
TEXT = """# Hens

The blue hen who laid sat
on the wall.

One
and three

four.

The `{++end++}`.
"""


def beside(record, more=""):
    """What Neovim finds beside the document when it starts."""
    lines = json.dumps(record.removesuffix("\n").split("\n"), ensure_ascii=False)
    return f"vim.fn.writefile(vim.fn.json_decode([=[{lines}]=]), vim.env.HOME .. '/doc.md.critic')\n" + more


NAMESPACE = "vim.api.nvim_get_namespaces()['critic-beside']"

PAGE = dict(text=TEXT, plug_in=True, hides=True, settings={"author": "cy"})
INLINE = dict(only=("neovim-0.11",), **PAGE)
BEHIND = dict(only=("neovim-0.7",), **PAGE)
BOTH = dict(only=("neovim",), **PAGE)

SHOWN = (
    "~ The red→blue hen who laid sat",
    "− quietly on the wall¹.",
    "  ¹ bo 20 Nov 2025  which?",
    "      anna  ours",
    "",
    "− One, two¹",
    "+ and three",
    "  ¹ why?",
    "+",
    "+ four.",
    "",
    "  The `{++end++}`.",
)


def draws_nothing_into_the_text(editor):
    assert editor.text == TEXT, editor.text
    assert not editor.shows("[+]")


@scenario(lua=beside(RECORD, STRUCK), **INLINE)
def what_lies_beside_the_text_is_drawn_in_it_and_below_it(editor):
    rows(editor, *SHOWN)
    struck = ["red", "quietly", ", two"]
    editor.wait("what is deleted", lambda: [stretch.strip() for stretch in editor.terminal.reversed] == struck)
    draws_nothing_into_the_text(editor)


ADDED = """
vim.cmd('highlight CriticAddition cterm=reverse')
vim.cmd('highlight link CriticSubstitutionNew CriticAddition')
vim.cmd('highlight link CriticHighlight CriticAddition')
vim.cmd('highlight StatusLine cterm=NONE')
vim.o.hlsearch = false
"""


@scenario(lua=beside(RECORD, ADDED), **BOTH)
def what_is_added_and_highlighted_has_its_colour_and_what_is_typed_behind_it_too(editor):
    def has(*words):
        coloured = [stretch.strip() for stretch in editor.terminal.reversed]
        return [word for word in coloured if word] == [*words]

    editor.wait("the colours", lambda: has("blue", "who laid", "wall", "three", "four"))
    editor.find("four")
    editor.insert("ea")
    editor.type("teen")
    editor.wait("the colour of what is typed", lambda: has("blue", "who laid", "wall", "three", "fourteen"))


@scenario(lua=beside(RECORD), **BEHIND)
def what_is_deleted_stands_behind_its_line_where_neovim_cannot_show_it_at_its_place(editor):
    rows(
        editor,
        "~ The blue hen who laid sat red",
        "− on the wall. quietly  ¹",
        "  ¹ bo 20 Nov 2025  which?",
        "      anna  ours",
        "",
        "− One , two ¹",
        "+ and three",
        "  ¹ why?",
        "+",
        "+ four.",
    )
    draws_nothing_into_the_text(editor)


@scenario(lua=beside(RECORD, "vim.o.textwidth = 70\n"), **INLINE)
def what_is_deleted_stands_behind_its_line_where_neovim_breaks_lines_by_their_length(editor):
    rows(
        editor,
        "~ The blue hen who laid sat red",
        "− on the wall. quietly  ¹",
        "  ¹ bo 20 Nov 2025  which?",
    )
    draws_nothing_into_the_text(editor)


@scenario(lua=beside(RECORD), **INLINE)
def nothing_is_between_the_words_while_a_block_is_selected(editor):
    editor.sees("~ The red→blue hen who laid sat")
    editor.sees("¹ why?")
    editor.find("hen")
    editor.press("C-v", "j")
    rows(editor, "~ The blue hen who laid sat", "− on the wall.")
    editor.press("I", "x")
    editor.sees("The blue xhen who")
    assert not editor.shows("red→blue")
    editor.escape()
    editor.wait("the text", lambda: editor.text == TEXT.replace("hen", "xhen").replace("wall", "waxll"))
    editor.sees("~ The red→blue xhen who laid sat")


@scenario(lua=beside(RECORD), **BOTH)
def what_is_drawn_moves_along_with_what_is_typed_and_undone(editor):
    editor.sees("¹ why?")
    before = editor.text
    with twin_of(editor) as twin:
        for each in (editor, twin):
            each.find("hen")
            each.insert("i")
            each.type("little ")
            each.press("Enter")
            each.escape()
        wanted = text_of(twin)
    editor.wait("the text of the twin", lambda: editor.text == wanted)
    editor.sees("+ hen who laid sat")
    editor.sees("~ The red→blue little" if editor.name == "neovim-0.11" else "~ The blue little  red")
    editor.undo()
    editor.wait("the text of before", lambda: editor.text == before)
    editor.sees("~ The red→blue hen who" if editor.name == "neovim-0.11" else "~ The blue hen who laid sat red")
    editor.save()
    editor.wait("the record", lambda: editor.record == RECORD)


@scenario(lua=beside(RECORD), **BOTH)
def changes_are_accepted_rejected_and_commented_on_by_the_keys_for_that(editor):
    editor.sees("¹ why?")
    editor.find("blue")
    editor.command("CriticAccept")
    editor.sees("+ The blue hen who laid sat")
    editor.find("on the wall")
    editor.command("CriticReject")
    editor.sees("= quietly on the wall")
    editor.command("CriticComment so it was")
    editor.sees("so it was")
    editor.find("four")
    editor.command("CriticComment")
    editor.sees("Comment:")
    editor.type("many\n")
    editor.sees("cy  many")
    editor.undo()
    editor.sees("− on the wall" if editor.name == "neovim-0.7" else "− quietly on¹ the wall²")


@scenario(lua=beside(RECORD), more="keys = true", **BOTH)
def a_comment_is_written_anew_and_a_change_is_a_text_object_as_in_a_text_with_marks(editor):
    editor.sees("¹ why?")
    editor.find("laid")
    editor.command("CriticComment first")
    editor.sees("cy  first")
    editor.command("CriticEditComment")
    editor.sees("Comment: first")
    editor.press("Escape")
    editor.press("dak")
    editor.wait("the text without it", lambda: editor.text == TEXT.replace("who laid ", ""))
    editor.find("three")
    editor.press("dik")
    editor.wait("the text without both", lambda: "and .\n" in editor.text)


@scenario(only=("neovim",), plug_in=True, hides=True, settings={"marks": "beside"})
def a_text_without_marks_gets_its_first_ones_beside_it(editor):
    editor.delete("brown")
    editor.sees("− The quick brown fox" if editor.name == "neovim-0.11" else "− The quick fox jumps. brown")
    editor.insert_before("fox")
    editor.type("red ")
    editor.sees("~ The quick red fox" if editor.name == "neovim-0.7" else "~ The quick brown →red fox")
    editor.escape()
    assert editor.text == "# Title\n\nThe quick red fox jumps.\n\nThe end.\n", editor.text


@scenario(lua=beside(RECORD), **BOTH)
def the_changes_are_drawn_for_the_next_server_too(editor):
    editor.sees("¹ why?")
    editor.has_another_server(editor.kill_server())
    editor.delete("laid")
    editor.sees("~ The red→blue hen who sat" if editor.name == "neovim-0.11" else "~ The blue hen who sat red")
    editor.command("CriticComment late")
    editor.sees("cy  late")


@scenario(lua=beside(RECORD), **BOTH)
def the_comments_are_shown_in_the_text_where_that_is_wanted(editor):
    editor.sees("¹ why?")
    editor.command("CriticComments")
    editor.sees("on the wall⟨which?⟩⟨ours⟩." if editor.name == "neovim-0.11" else "on the wall. quietly  ⟨which?⟩⟨ours⟩")
    assert not editor.shows("bo 20 Nov")
    editor.command("CriticComments")
    editor.sees("¹ bo 20 Nov 2025  which?")
    draws_nothing_into_the_text(editor)


@scenario(lua=beside(RECORD), **BOTH)
def what_looks_like_marks_is_text(editor):
    editor.sees("¹ why?")
    editor.insert_at_end_of_line("on the")
    editor.type(" {++so++} {>>no<<}")
    editor.escape()
    editor.press("gg")
    editor.sees("on the wall¹. {++so++} {>>no<<}" if editor.name == "neovim-0.11" else "on the wall. {++so++} {>>no<<}")


@scenario(lua=beside(RECORD), **BOTH)
def nothing_is_drawn_any_more_when_the_marks_have_been_moved_into_the_text(editor):
    editor.sees("¹ why?")
    subprocess.run([*editor.server, "marks", "inline", editor.file], check=True, capture_output=True)
    editor.command("e")
    editor.wait("the marks", lambda: editor.text == RECORD)
    rows(editor, "~ The red→blue hen who laid sat", "− quietly on the wall¹.")
    editor.command(f"lua print('drawn: ' .. #vim.api.nvim_buf_get_extmarks(0, {NAMESPACE}, 0, -1, {{}}) .. '.')")
    editor.sees("drawn: 0.")


@scenario(lua=STRUCK, **{**INLINE, "text": RECORD})
def marks_are_moved_beside_the_text_undone_and_moved_again(editor):
    editor.command("CriticMarks beside")
    rows(editor, *SHOWN)
    editor.wait("the clean text", lambda: editor.text == TEXT)
    editor.press("u")
    editor.wait("the marks in the text", lambda: editor.text == RECORD)
    editor.sees("{~~red~>blue~~}")
    editor.press("C-r")
    rows(editor, *SHOWN)
    editor.command("write")
    editor.wait("the record", lambda: editor.record == RECORD)
    editor.command("CriticMarks inline")
    editor.wait("the marks in the text", lambda: editor.text == RECORD)
    editor.command("write")
    editor.wait("no record", lambda: editor.record is None)


@scenario(lua=beside(RECORD, STRUCK), **INLINE)
def a_decision_that_undo_does_not_take_back_is_taken_back_by_a_command(editor):
    rows(editor, *SHOWN)
    editor.find("who laid")
    editor.command("CriticAccept")
    editor.wait("the decision", lambda: editor.record == RECORD.replace("{++who laid ++}{>>@anna<<}", "who laid "))
    editor.command("CriticReopen")
    editor.wait("no decision", lambda: editor.record == RECORD)
    draws_nothing_into_the_text(editor)


TWO = dict(only=("neovim",), text="One two\nthree four\nfive six\n", plug_in=True, hides=True, settings={"marks": "beside"})
TYPED = "One twox\nthree four\nfive six seven\n"


def types_two_additions(editor):
    for line, end in (("two", "x"), ("six", " seven")):
        editor.insert_at_end_of_line(line)
        editor.type(end)
        editor.escape()
    editor.wait("the text", lambda: editor.text == TYPED)
    editor.press("gg")


@scenario(**TWO)
def in_the_list_u_takes_the_last_decision_back_and_nothing_that_was_typed(editor):
    types_two_additions(editor)
    editor.command("CriticList")
    editor.sees("2 of 2, by place")
    editor.press("a")
    editor.sees("1 of 1, by place")
    editor.press("u")
    editor.sees("2 of 2, by place")
    assert editor.text == TYPED, editor.text
    editor.press("r")
    editor.wait("the rejection", lambda: editor.text == TYPED.replace("x\n", "\n", 1))
    editor.sees("1 of 1, by place")
    editor.press("u")
    editor.wait("no rejection", lambda: editor.text == TYPED)
    editor.sees("2 of 2, by place")
    editor.press("u")
    editor.sees("There is no decision to take back")
    assert editor.text == TYPED, editor.text


@scenario(**TWO)
def in_a_review_changes_are_accepted_commented_on_and_rejected_one_after_the_other(editor):
    types_two_additions(editor)
    editor.command("CriticReview")
    editor.sees("1 of 2 · addition")
    editor.press("a")
    editor.sees("1 of 1 · addition")
    editor.press("c")
    editor.sees("Comment:")
    editor.type("why so\n")
    editor.sees("comment: why so")
    editor.press("r")
    editor.sees("no changes are left")
    editor.press("q")
    editor.wait("the text", lambda: editor.text == TYPED.replace(" seven", ""))


STATUS = "vim.o.statusline = 'mode %{mode()} %t %{v:lua.require(\"critic\").statusline()}.'\n"


@scenario(lua=STATUS, **TWO)
def the_status_line_follows_a_decision_that_leaves_the_text_as_it_is(editor):
    types_two_additions(editor)
    editor.press("$")
    editor.sees("1 of 2.")
    editor.rests()
    editor.command("CriticAccept")
    editor.sees("0 of 1.")
    editor.command("CriticReopen")
    editor.sees("1 of 2.")
    editor.command("CriticAcceptAll")
    editor.sees("no changes.")


LONG = """The lamp burned quietly all night and Mara counted the ships as they passed one after another until the morning came.

The hens slept quietly all night and nobody counted the eggs as they came one after another until the morning did.

alpha beta gamma delta
"""
COLUMNS = dict(only=("neovim",), text=LONG, plug_in=True, hides=True, settings={"marks": "beside"})


def is_the_same_without_marks(editor, keys, *words):
    """These keys make the same text where words are struck through between those that are left."""
    with twin_of(editor) as twin:
        for each in (editor, twin):
            for word in words:
                each.find(word)
                each.press("dw")
            if each is editor:
                each.rests()
                each.sees(words[0])
            keys(each)
        wanted = text_of(twin)
    editor.wait(f"the text of the twin, {wanted!r}", lambda: editor.text == wanted)


@scenario(**COLUMNS)
def gw_breaks_lines_where_it_breaks_them_without_what_is_struck_through(editor):
    def keys(each):
        each.press("gg", "g", "w", "a", "p", "G", "k", "k", "V", "g", "w")
        if each is editor:
            each.rests()
        each.press("u", ".")

    is_the_same_without_marks(editor, keys, "burned", "quietly", "slept")


@scenario(lua="vim.o.expandtab, vim.o.softtabstop = true, 4\n", **COLUMNS)
def tab_and_backspace_go_by_the_columns_of_the_text_alone(editor):
    def keys(each):
        each.press("A", "Tab", "x", "Tab", "Tab", "BSpace", "y", "Escape", "0", "i", "Tab", "z", "Escape")

    is_the_same_without_marks(editor, keys, "alpha", "gamma")
