"""Our Neovim plug-in: what is beside the text, in it and below it."""

from scenarios import scenario
from scenarios.reviewing import CHANGED

PAGE = dict(only=("neovim",), plug_in=True, hides=True)

DRAFT = """# The Lighthouse

The lamp burned {++quietly ++}{>>@anna | 2025-11-25<<}all night. Mara counted the
{~~ships~>boats~~}{>>@jonas | 2025-11-20: [clarity] which?<<}{>>@anna: both<<} as they
passed{--, one after another--}{>>why?<<}.

- one {==item==}{>>[resolved] done<<}
- two{>>alone<<}

## Morning
"""


def rows(editor, *wanted):
    """Waits until these rows are on the screen, one below the other, with what is left of the text."""
    def found():
        screen = [row.rstrip() for row in editor.terminal.screen]
        return any(screen[at : at + len(wanted)] == [*wanted] for at in range(len(screen)))

    editor.wait(f"the rows {wanted}", found)
    editor.look()


@scenario(text=DRAFT, **PAGE)
def each_line_with_marks_has_a_sign_for_what_they_are(editor):
    rows(editor, "+ The lamp burned quietly all night. Mara counted the")
    rows(editor, "~ ships→boats¹ as they")
    rows(editor, "− passed, one after another².")
    rows(editor, "= - one item¹")
    rows(editor, "¶ - two¹")
    editor.find("lamp")
    editor.command("CriticAccept")
    editor.find("quietly")
    editor.command("CriticAccept")
    editor.press("gg")
    rows(editor, "  The lamp burned quietly all night. Mara counted the")


@scenario(text=DRAFT, only=("neovim",), plug_in=True, hides=True, more="signs = false")
def the_signs_can_be_turned_off_and_are_those_of_the_diagnostics_then(editor):
    editor.sees("I ships→boats¹ as they")


@scenario(text="The {++fox jumps.\n\n{>>here<<}\n", **PAGE)
def what_is_wrong_has_the_sign_of_the_diagnostics(editor):
    editor.sees("W The {++fox jumps.")
    editor.sees("¶ ")


@scenario(text="One.\n\n{++Two.\nThree.\n++}Four.{--x--}{++y++}\n", **PAGE)
def a_mark_of_several_lines_has_a_sign_in_each_and_a_line_with_two_kinds_that_of_a_substitution(editor):
    rows(editor, "+ Two.", "+ Three.", "~ Four.xy")


@scenario(text=DRAFT, **PAGE)
def comments_stand_below_their_paragraph_and_a_number_in_their_place(editor):
    rows(
        editor,
        "+ The lamp burned quietly all night. Mara counted the",
        "~ ships→boats¹ as they",
        "− passed, one after another².",
        "  ¹ jonas 20 Nov 2025  [clarity] which?",
        "      anna  both",
        "  ² why?",
        "",
        "= - one item¹",
        "  ¹ [resolved] done",
        "¶ - two¹",
        "  ¹ alone",
    )
    # The line of the caret shows all, and nothing else moves.
    editor.find("ships")
    editor.sees("~ {~~ships~>boats~~}{>>@jonas | 2025-11-20: [clarity] which?<<}{>>@anna: both<<} as they")
    rows(editor, "− passed, one after another².", "  ¹ jonas 20 Nov 2025  [clarity] which?")


@scenario(text=DRAFT, **PAGE)
def the_comments_are_shown_in_the_text_again_where_that_is_wanted(editor):
    editor.sees("² why?")
    editor.command("CriticComments")
    rows(editor, "− passed, one after another⟨why?⟩.", "", "= - one item⟨[resolved] done⟩")
    editor.command("CriticComments")
    rows(editor, "  ² why?", "", "= - one item¹", "  ¹ [resolved] done")


LONG_COMMENT = "A {==word==}{>>" + "which has to be said at some length, " * 4 + "and ends.<<} here.\n\nThe end.\n"


@scenario(text=LONG_COMMENT, size=(60, 20), **PAGE)
def a_long_comment_is_wrapped_as_wide_as_the_window(editor):
    editor.press("G")
    rows(
        editor,
        "  ¹ which has to be said at some length, which has to be",
        "    said at some length, which has to be said at some",
        "    length, which has to be said at some length, and ends.",
        "",
        "  The end.",
    )


@scenario(text=DRAFT, settings={"idleDelay": 600_000}, **PAGE)
def comments_stay_where_they_are_while_a_line_is_written_and_go_below_a_new_one(editor):
    editor.find("passed")
    editor.insert("A")
    editor.type(" And so.")
    rows(editor, "− passed{--, one after another--}{>>why?<<}. And so.", "  ¹ jonas 20 Nov 2025  [clarity] which?")
    editor.type("\n")
    rows(editor, "− passed, one after another². And so.", "", "  ¹ jonas 20 Nov 2025  [clarity] which?")
    editor.type("on")
    rows(editor, "  on", "  ¹ jonas 20 Nov 2025  [clarity] which?", "      anna  both", "  ² why?", "", "= - one item¹")
    editor.wait("the caret in that line", lambda: editor.terminal.caret == (4, 5))
    editor.escape()
    editor.wait("the mark", lambda: editor.text.endswith(DRAFT.split("why?<<}.")[1]) and "And so.\non++}" in editor.text)
    rows(editor, "+ on++}", "  ¹ jonas 20 Nov 2025  [clarity] which?")


@scenario(text=DRAFT, settings={"tracking": "off"}, **PAGE)
def comments_go_back_above_an_empty_line_that_nothing_was_written_in(editor):
    editor.find("passed")
    editor.insert("o")
    rows(editor, "− passed, one after another².", "", "  ¹ jonas 20 Nov 2025  [clarity] which?")
    editor.escape()
    rows(editor, "− passed, one after another².", "  ¹ jonas 20 Nov 2025  [clarity] which?", "      anna  both", "  ² why?", "")


MANY_COMMENTS = "".join(f"Line {number} has {{==this==}}{{>>comment {number}<<}}.\n\n" for number in range(400))


@scenario(text=MANY_COMMENTS, size=(80, 20), **PAGE)
def the_caret_stays_in_sight_among_comments_and_only_those_near_it_are_there(editor):
    for keys in (("G",), ("gg",), *[("4", "0", "j")] * 3, ("C-d",), ("C-d",), ("C-u",), ("C-f",), ("C-b",)):
        editor.press(*keys)
        editor.wait("the screen to rest", lambda: editor.terminal.rests)
        column, row = editor.terminal.caret
        assert row < 18, f"the caret is in row {row} after {keys}"
    editor.command(
        "lua print(#vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['critic-page'], 0, -1, {}) < 300)"
    )
    editor.sees("true")


BY_TWO = "A {++red ++}{>>@anna<<}fox {~~jumps~>leaps~~}{>>@bo | 2025-11-26<<} high{>>@bo: ok<<}.\n\nEnd.\n"


@scenario(text=BY_TWO, **PAGE)
def who_changed_something_is_never_shown_as_text(editor):
    editor.press("G")
    rows(editor, "~ A red fox jumps→leaps high¹.", "  ¹ bo  ok", "", "  End.")


STATUS = "vim.o.statusline = 'mode %{mode()}: %{v:lua.require(\"critic\").statusline()}'\n"


@scenario(text=DRAFT, lua=STATUS, **PAGE)
def the_status_line_says_at_which_change_the_caret_is_and_how_many_comments_there_are(editor):
    editor.sees(": 0 of 3 · 3 comments")
    editor.find("quietly")
    editor.sees(": 1 of 3 · 3 comments")
    editor.press("G")
    editor.sees(": 3 of 3 · 3 comments")
    editor.command("CriticList")
    editor.sees(": 3 of 3 · 3 comments")
    editor.press("q")
    editor.rests()
    asked = len(editor.wire.sent("editor", "workspace/executeCommand"))
    # Only once the caret rests.
    editor.press(*"kjkjkjkjkjkjkjkj")
    editor.rests()
    asked = len(editor.wire.sent("editor", "workspace/executeCommand")) - asked
    assert asked < 8, f"asked {asked} times"


@scenario(text=DRAFT, lua=STATUS, settings={"marking": "command"}, only=("neovim",), plug_in=True, hides=True, more="mark_on_insert_leave = false")
def the_status_line_says_what_has_no_marks_yet_and_where_nothing_is_tracked(editor):
    editor.find("Morning")
    editor.press("x")
    editor.sees("of 3 · 3 comments · 1 pending")
    editor.command("CriticToggle")
    editor.sees(": tracking off · ")


# What the server says where it knows who has changed what.
KNOWING = STATUS + """
local server = require('critic.server')
local execute = server.execute
server.execute = function(buffer, command, arguments, done, failed)
  local function told(status)
    status.at, status.authors = 2, { { author = 'jonas', changes = 6 }, { author = 'anna', changes = 2 } }
    done(status)
  end
  return execute(buffer, command, arguments, command == 'status' and told or done, failed)
end
"""


@scenario(text=DRAFT, lua=KNOWING, settings={"author": "anna"}, **PAGE)
def the_status_line_says_how_much_others_have_changed(editor):
    editor.sees(": 2 of 3 · 3 comments · jonas 6")
    assert not editor.shows("anna 2")


# How many places of the text are underlined by diagnostics.
UNDERLINED = """
lua local count = 0
for _, one in pairs(vim.diagnostic.get_namespaces()) do
  local underlines = one.user_data.underline_ns
  count = count + (underlines and #vim.api.nvim_buf_get_extmarks(0, underlines, 0, -1, {}) or 0)
end
print('underlined: ' .. count .. '.')
"""


@scenario(text="The {++fox jumps.\n\nThe {++real ++}end.\n", **PAGE)
def diagnostics_underline_what_is_wrong_and_no_mark_that_has_a_colour(editor):
    editor.sees("W The {++fox jumps.")
    editor.command(" ".join(UNDERLINED.split()))
    editor.sees("underlined: 1.")


# The cells that are struck through, by the screen's own word.
STRUCK = """
vim.cmd('highlight CriticDeletion cterm=strikethrough,reverse')
vim.cmd('highlight StatusLine cterm=NONE')
vim.cmd('highlight link CriticSubstitutionOld CriticDeletion')
"""
BOTH = "A {--red --}fox {~~jumps~>leaps~~} high.\n\nEnd.\n"


@scenario(text=BOTH, lua=STRUCK, **PAGE)
def deleted_text_is_struck_through_without_its_delimiters_and_new_text_is_not(editor):
    def struck():
        return [stretch.strip() for stretch in editor.terminal.reversed]

    editor.wait("what is deleted", lambda: struck() == ["red", "jumps"])
    editor.press("G")
    editor.sees("A red fox jumps→leaps high.")
    editor.wait("what is deleted", lambda: struck() == ["red", "jumps"])
    rows = [row for row in editor.terminal.coloured if "leaps" in row]
    new = rows[0].split("leaps")[0]
    assert "9" not in new[new.rindex("\x1b[") :].strip("\x1b[m").split(";"), repr(new)


# The list of changes, and the picker.


@scenario(text=DRAFT, **PAGE)
def the_list_shows_each_change_with_its_author_date_text_and_comments(editor):
    editor.command("CriticList")
    editor.sees("Changes in doc.md: 5 of 5, by place")
    editor.sees("⏎ go  a accept  r reject")
    editor.sees("1  addition      anna   25 Nov 2025  The lamp burned “quietly ”all night.")
    editor.sees("“ships” → “boats” as they — jonas: [clarity] which? — anna: both")
    editor.press("j", "Enter")
    editor.wait("the caret on the second one", lambda: editor.caret_is_on("{~~ships"))


@scenario(text=DRAFT, **PAGE)
def in_the_list_changes_are_accepted_and_rejected_one_after_the_other(editor):
    editor.command("CriticList")
    editor.sees("5 of 5")
    editor.press("a")
    editor.wait("the first accepted", lambda: "burned quietly all" in editor.text)
    editor.sees("4 of 4")
    editor.press("r")
    editor.wait("the second rejected", lambda: "\nships as they" in editor.text)
    editor.sees("3 of 3")
    editor.press("u")
    editor.sees("4 of 4")
    assert "{~~ships~>boats~~}" in editor.text, editor.text
    editor.press("q")
    editor.wait("the list closed", lambda: not editor.shows("4 of 4"))
    editor.undo()
    editor.wait("the text of before", lambda: editor.text == DRAFT)


@scenario(text=DRAFT, **PAGE)
def the_list_is_sorted_and_filtered_by_single_keys(editor):
    editor.command("CriticList")
    editor.sees("5 of 5, by place")
    editor.press("s")
    editor.sees("by kind")
    editor.press("s", "s", "s")
    editor.sees("by place")
    editor.press("t")
    editor.sees("1 of 5, by place, only additions")
    editor.press("=", "w", "w")
    editor.sees("1 of 5, by place, only of anna")
    editor.press("=", "o")
    editor.sees("3 of 5, by place, only with open comments")
    editor.press("=")
    editor.sees("Changes in doc.md: 5 of 5, by place")


@scenario(text=DRAFT, **PAGE)
def the_list_follows_the_text(editor):
    editor.command("CriticList")
    editor.sees("5 of 5")
    editor.press("C-w", "p")
    editor.find("burned")
    editor.press("x")
    editor.sees("6 of 6")
    editor.command("CriticAcceptAll")
    editor.sees("2 of 2")
    editor.command("CriticRemoveAnnotations")
    editor.sees("no changes")


@scenario(text="No changes.\n", **PAGE)
def without_changes_there_is_no_list(editor):
    editor.command("CriticList")
    editor.sees("critic: no changes")


@scenario(text=DRAFT, **PAGE)
def a_change_is_picked_from_a_menu(editor):
    editor.command("CriticPick")
    editor.sees("Type number and <Enter>")
    editor.press("2", "Enter")
    editor.wait("the caret on it", lambda: editor.caret_is_on("{~~ships"))


# As fzf-lua has it.
FZF = """
package.loaded['fzf-lua'] = { fzf_exec = function(lines, options)
  vim.defer_fn(function() options.actions.default({ lines[3] }) end, 100)
end }
"""


@scenario(text=DRAFT, lua=FZF, **PAGE)
def a_change_is_picked_by_a_plugin_where_there_is_one(editor):
    editor.command("CriticPick")
    editor.wait("the caret on the third one", lambda: editor.caret_is_on("{--, one"))


# Text objects, and the repetition of what was decided.

KEYED = dict(only=("neovim",), plug_in=True, hides=True, more="keys = true")
CHANGES = "The {++very ++}quick {--brown --}fox {~~jumps~>leaps~~}{>>@bo<<}{>>why?<<}.\n\n{++One\nmore.++}\n"


@scenario(text=CHANGES, **KEYED)
def the_text_of_a_change_is_a_text_object_and_the_change_with_its_marks(editor):
    editor.find("rown")
    editor.press("y", "i", "k")
    editor.command("echo '<' .. @\" .. '>'")
    editor.sees("<brown >")
    editor.press("y", "a", "k")
    editor.command("echo '<' .. @\" .. '>'")
    editor.sees("<{--brown --}>")
    editor.find("leaps")
    editor.press("v", "i", "k")
    editor.sees("mode v")
    editor.press("y")
    editor.command("echo '<' .. @\" .. '>'")
    editor.sees("<leaps>")
    editor.find("why")
    editor.press("v", "a", "k", "y")
    editor.command("echo '<' .. @\" .. '>'")
    editor.sees("<{~~jumps~>leaps~~}{>>@bo<<}{>>why?<<}>")
    editor.find("more")
    editor.press("y", "i", "k")
    editor.command("echo len(split(@\", \"\\n\")) .. 'lines'")
    editor.sees("2lines")
    assert editor.text == CHANGES, editor.text


@scenario(text=CHANGES, **KEYED)
def where_there_is_no_change_the_text_object_does_nothing(editor):
    editor.find("quick")
    editor.press("c", "i", "k")
    editor.sees("mode n")
    editor.press("v", "i", "k")
    editor.sees("mode v")
    editor.press("Escape")
    editor.sees("mode n")
    editor.stays()
    assert editor.text == CHANGES, editor.text


@scenario(text=CHANGES, **KEYED)
def the_dot_repeats_accept_and_reject(editor):
    editor.find("very")
    editor.press("\\", "a")
    editor.wait("the first accepted", lambda: "The very quick" in editor.text)
    editor.find("brown")
    editor.press(".")
    editor.wait("the second accepted", lambda: "quick fox" in editor.text)
    editor.find("leaps")
    editor.press("\\", "r")
    editor.wait("the third rejected", lambda: "fox jumps." in editor.text)
    editor.find("more")
    editor.press(".")
    editor.wait("the fourth rejected", lambda: "more" not in editor.text)
    editor.undo()
    editor.wait("the fourth back", lambda: "more.++}" in editor.text)
    editor.undo()
    editor.wait("the third back", lambda: "{~~jumps~>leaps~~}" in editor.text)


@scenario(text=CHANGES, **KEYED)
def each_key_says_in_words_what_it_does(editor):
    editor.command("lua print(vim.fn.maparg('\\\\a', 'n', false, true).desc .. ', ' .. vim.fn.maparg('ik', 'o', false, true).desc)")
    editor.sees("Accept change, text of change")


# The walk.


@scenario(text=CHANGES, **KEYED)
def a_review_goes_from_change_to_change_with_a_key_each(editor):
    editor.sees("+ more.")
    editor.press("\\", "v")
    editor.sees("1 of 4 · addition")
    editor.sees("a accept  r reject  c comment  e edit here  s skip  b back  q quit")
    editor.press("a")
    editor.sees("1 of 3 · deletion")
    editor.sees("“brown ”")
    editor.press("s")
    editor.sees("2 of 3 · substitution · bo")
    editor.sees("“jumps” → “leaps”")
    editor.sees("comment: why?")
    editor.press("b")
    editor.sees("1 of 3 · deletion")
    editor.press("r")
    editor.sees("1 of 2 · substitution")
    editor.press("Space")
    editor.sees("2 of 2 · addition")
    editor.press("Space")
    editor.sees("that was the last change; 2 are left")
    editor.press("b")
    editor.sees("2 of 2 · addition")
    editor.press("s", "q")
    editor.sees("critic: that was the last change; 2 are left")
    editor.wait("the text", lambda: editor.text == "The very quick brown fox {~~jumps~>leaps~~}{>>@bo<<}{>>why?<<}.\n\n{++One\nmore.++}\n")
    editor.undo()
    editor.wait("the rejection undone", lambda: "{--brown --}" in editor.text)
    editor.undo()
    editor.wait("the text of before", lambda: editor.text == CHANGES)


@scenario(text=CHANGES, **KEYED)
def keys_that_are_none_of_a_review_never_get_into_the_text(editor):
    editor.command("CriticReview")
    editor.sees("1 of 4")
    for key in ("x", "d", "i", "p", "Z", ":", "Up", "C-w", "é"):
        editor.press(key)
        editor.sees("is no key here")
    # Typed ahead, faster than anything is answered.
    editor.terminal.press("aaaaaaaxi")
    editor.wait("all accepted", lambda: "{" not in editor.text)
    editor.sees("i is no key here — b back  q quit")
    editor.press("q")
    editor.sees("critic: no changes are left")
    editor.stays()
    assert editor.text == "The very quick fox leaps.\n\nOne\nmore.\n", editor.text


@scenario(text=CHANGES, **KEYED)
def in_a_review_a_change_is_commented_on_and_the_caret_left_there_to_edit(editor):
    editor.command("CriticReview")
    editor.press("c")
    editor.sees("Comment:")
    editor.type("why so\n")
    editor.sees("comment: why so")
    editor.sees("1 of 4")
    editor.press("s", "e")
    editor.wait("the caret on the second one", lambda: editor.caret_is_on("{--brown"))
    editor.insert("i")
    editor.type("so ")
    editor.escape()
    editor.wait("the mark", lambda: "~>so ~~}" in editor.text)
    assert "{++very ++}{>>why so<<}" in editor.text, editor.text


@scenario(text="No changes.\n", **KEYED)
def there_is_no_review_without_changes(editor):
    editor.command("CriticReview")
    editor.sees("critic: no changes")


CHANGED_MEANWHILE = """
vim.api.nvim_create_user_command('Meanwhile', function()
  vim.defer_fn(function() vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'A line.' }) end, 600)
  vim.cmd('CriticReview')
end, {})
vim.api.nvim_create_user_command('Dies', function()
  vim.defer_fn(function() for _, one in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do one.stop(true) end end, 600)
  vim.cmd('CriticReview')
end, {})
"""


@scenario(text=CHANGES, lua=CHANGED_MEANWHILE, **KEYED)
def a_review_decides_nothing_that_has_changed_under_it(editor):
    editor.command("Meanwhile")
    editor.sees("1 of 4")
    editor.pause(1)
    editor.press("a")
    editor.sees("the text has changed meanwhile; press the key again")
    assert "{++very ++}" in editor.text, editor.text
    editor.press("a")
    editor.wait("it accepted", lambda: "The very quick" in editor.text)
    editor.press("q")
    editor.stays()


@scenario(text=CHANGES, lua=CHANGED_MEANWHILE, **KEYED)
def a_review_ends_with_a_message_where_the_server_has_ended(editor):
    editor.command("Dies")
    editor.sees("1 of 4")
    editor.pause(1)
    editor.press("a")
    editor.sees("the review has ended: the server does not run in this buffer")
    editor.sees("mode n")


@scenario(text=CHANGED, only=("neovim",), plug_in=True, more="keys = true")
def a_hover_names_the_keys_that_accept_and_reject(editor):
    editor.find("very")
    editor.hover()
    for part in ("\\a", "accepts it", "\\r", "rejects it."):
        editor.sees(part)


@scenario(text=CHANGED, only=("neovim",), plug_in=True)
def a_hover_names_the_commands_where_there_are_no_keys(editor):
    editor.find("very")
    editor.hover()
    for part in (":CriticAccept", "accepts it", ":CriticReject", "rejects it."):
        editor.sees(part)
