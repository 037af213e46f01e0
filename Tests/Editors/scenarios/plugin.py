"""Our Neovim plug-in, installed as a user does it: its folder copied, `setup` called."""

import sys

from scenarios import TEXT, scenario, sentence
from scenarios.reviewing import CHANGED
from scenarios.undoing import back, forth, step
from session import HERE

NEOVIM = dict(only=("neovim",), plug_in=True)
# In these marks come in insert mode too.
TYPING = dict(settings={"markWhileTyping": True}, **NEOVIM)
# Nothing is marked by the idle timer in these.
NEVER = {"idleDelay": 600_000}


# The mappings without a description, and that of `<` if it is not Neovim's own.
SHOW_UNTOLD = """
lua local untold = {}
for _, mode in ipairs({ 'n', 'x', 'o' }) do
  local maps = vim.list_extend(vim.api.nvim_get_keymap(mode), vim.api.nvim_buf_get_keymap(0, mode))
  for _, map in ipairs(maps) do
    local is_ours = (map.lhs .. (map.rhs or '')):lower():find('critic')
    if is_ours and not map.desc or map.lhs == '<lt>' or map.lhs == '<' then table.insert(untold, map.lhs) end
  end
end
print('untold: ' .. #untold .. table.concat(untold, ' ') .. '.')
"""


@scenario(text=CHANGED, only=("neovim",), plug_in=True, more="keys = true")
def each_mapping_says_what_it_does_and_no_key_of_neovims_own_is_mapped(editor):
    editor.sees("quick")
    editor.command(" ".join(SHOW_UNTOLD.split()))
    editor.sees("untold: 0.")


@scenario(settings=NEVER, **NEOVIM)
def leaving_insert_mode_marks_what_was_typed(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.insert_before("brown")
    editor.type("dark ")
    editor.escape()
    editor.becomes(sentence("The quick {++very dark ++}brown fox jumps."))
    editor.saves(sentence("The quick {++very dark ++}brown fox jumps."))


@scenario(**TYPING)
def the_caret_stays_where_it_is_when_marks_around_it_go(editor):
    editor.insert_before("brown")
    for word in ("very ", "so "):
        editor.type(word)
        editor.becomes(sentence(f"The quick {{++{word}++}}brown fox jumps."))
        editor.press("C-w")
        editor.becomes(sentence("The quick brown fox jumps."))


@scenario(settings=NEVER, **NEOVIM)
def one_undo_takes_back_what_was_typed_and_its_marks(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.undo()
    editor.becomes(TEXT)
    editor.redo()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))


@scenario(**TYPING)
def one_undo_takes_back_a_whole_stay_in_insert_mode(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.type("dark ")
    editor.becomes(sentence("The quick {++very dark ++}brown fox jumps."))
    editor.type("or so ")
    editor.escape()
    marked = sentence("The quick {++very dark or so ++}brown fox jumps.")
    editor.becomes(marked)
    assert step(editor, editor.undo) == TEXT
    assert step(editor, editor.redo) == marked


@scenario(**NEOVIM)
def one_undo_takes_back_a_deletion_and_its_mark(editor):
    editor.delete("brown")
    editor.becomes(sentence("The quick {--brown --}fox jumps."))
    assert step(editor, editor.undo) == TEXT
    assert step(editor, editor.redo) == sentence("The quick {--brown --}fox jumps.")


@scenario(**NEOVIM)
def undo_and_redo_are_not_fought_with_the_plugin(editor):
    for word in ("quick", "fox"):
        editor.insert_before(word)
        editor.type("very ")
        editor.escape()
        editor.delete(word)
    marked = sentence("The {~~quick ~>very ~~}brown {~~fox ~>very ~~}jumps.")
    editor.becomes(marked)
    back(editor, TEXT)
    # Insert mode without a key typed is no change.
    editor.insert("i")
    editor.escape()
    editor.stays()
    forth(editor, marked)


@scenario(settings=NEVER, **NEOVIM)
def saving_with_the_plugin_marks_what_is_pending(editor):
    editor.delete("brown")
    editor.saves(
        sentence("The quick {--brown --}fox jumps."), clean=sentence("The quick fox jumps.")
    )
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.saves(sentence("The quick {~~brown ~>red ~~}fox jumps."))


@scenario(text=CHANGED, **NEOVIM)
def the_accept_and_reject_commands_act_on_the_caret_or_the_selection(editor):
    editor.find("very")
    editor.command("CriticAccept")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))
    editor.undo()
    editor.becomes(CHANGED)
    editor.find("brown")
    # From there to the end of the line.
    editor.press("v", "$")
    editor.command("CriticReject")
    editor.becomes("The {++very ++}quick brown fox jumps.\n\nThe {++real ++}end.\n")
    editor.command("%CriticAccept")
    editor.becomes("The very quick brown fox jumps.\n\nThe real end.\n")


@scenario(text=CHANGED, **NEOVIM)
def accepting_or_rejecting_leads_on_to_the_next_change(editor):
    editor.find("very")
    editor.command("CriticAcceptAndNext")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))
    editor.command("CriticRejectAndNext")
    editor.becomes("The very quick brown fox {~~jumps~>leaps~~}.\n\nThe {++real ++}end.\n")
    editor.wait("the caret on the next one", lambda: editor.caret_is_on("{~~jumps"))
    editor.command("CriticRejectAndNext")
    editor.becomes("The very quick brown fox jumps.\n\nThe {++real ++}end.\n")


@scenario(text=CHANGED, **NEOVIM)
def the_commands_for_all_changes_accept_and_reject_them(editor):
    editor.command("CriticRejectAll")
    editor.becomes("The quick brown fox jumps.\n\nThe end.\n")
    editor.undo()
    editor.becomes(CHANGED)
    editor.command("CriticAcceptAll")
    editor.becomes("The very quick fox leaps.\n\nThe real end.\n")
    editor.stays()


@scenario(text="Zoë 👍 likes 日本語 too.\n", **NEOVIM)
def a_comment_on_a_selection_highlights_it(editor):
    editor.find("日")
    editor.press("v", "l", "l")
    editor.command("CriticComment why this?")
    editor.becomes("Zoë 👍 likes {==日本語==}{>>why this?<<} too.\n")
    editor.find("too")
    editor.press("v", "e")
    editor.command("CriticHighlight")
    editor.becomes("Zoë 👍 likes {==日本語==}{>>why this?<<} {==too==}.\n")


@scenario(text="The fox.{>>@ada: why so 日本語?<<}{>>yes<<}\n", **NEOVIM)
def a_comment_is_written_anew_from_what_it_says_and_answered(editor):
    editor.find("why")
    editor.command("CriticEditComment")
    editor.sees("Comment: why so 日本語?")
    editor.type(" Really?\n")
    editor.becomes("The fox.{>>@ada: why so 日本語? Really?<<}{>>yes<<}\n")
    editor.command("CriticEditComment why?")
    editor.becomes("The fox.{>>@ada: why?<<}{>>yes<<}\n")
    editor.command("CriticComment because")
    editor.wait("an answer", lambda: "{>>because<<}" in editor.text and "why?<<}" in editor.text)


@scenario(text="Zoë likes all {++the ++}fine 日本語 too.\n", **NEOVIM)
def a_comment_without_a_selection_is_on_the_word_under_the_caret_or_on_the_change_there(editor):
    editor.find("oë")
    editor.command("CriticComment who?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}fine 日本語 too.\n")
    editor.find("he ")
    editor.command("CriticComment why?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}{>>why?<<}fine 日本語 too.\n")
    editor.find("ine")
    editor.command("CriticComment how?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}{>>why?<<}{==fine==}{>>how?<<} 日本語 too.\n")
    editor.find(" too")
    editor.command("CriticComment where?")
    editor.becomes("{==Zoë==}{>>who?<<} likes all {++the ++}{>>why?<<}{==fine==}{>>how?<<} 日本語{>>where?<<} too.\n")


@scenario(**NEOVIM)
def a_comment_without_a_text_is_asked_for(editor):
    editor.find("brown")
    editor.press("v", "e")
    editor.command("CriticComment")
    editor.sees("Comment:")
    editor.type("why?\n")
    editor.becomes(sentence("The quick {==brown==}{>>why?<<} fox jumps."))


@scenario(text=CHANGED, **NEOVIM)
def the_list_of_changes_leads_to_each_of_them(editor):
    editor.command("CriticQuickfix")
    for part in ("“very ”", "“brown ”", "“jumps” → “leaps”", "“real ”"):
        editor.sees(part)
    editor.command("cc 3")
    # The caret is on the third change now.
    editor.command("CriticAccept")
    editor.becomes(CHANGED.replace("{~~jumps~>leaps~~}", "leaps"))


@scenario(text=CHANGED, **NEOVIM)
def the_next_and_previous_commands_go_from_change_to_change(editor):
    editor.find("quick")
    editor.command("CriticNext")
    editor.command("CriticNext")
    editor.wait("the caret on the second one", lambda: editor.caret_is_on("{~~jumps"))
    editor.command("CriticPrevious")
    editor.wait("the caret on the first one", lambda: editor.caret_is_on("{--brown"))


@scenario(**NEOVIM)
def with_tracking_toggled_off_edits_are_plain(editor):
    editor.command("CriticToggle")
    editor.sees("tracking off")
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.stays()
    editor.saves_plain(sentence("The quick very brown fox jumps."))
    editor.command("CriticToggle")
    editor.sees("tracking on")
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.becomes(sentence("The quick very brown {++red ++}fox jumps."))
    editor.command("CriticStatus")
    editor.sees("tracking on, 1 change")


@scenario(settings=NEVER, **NEOVIM)
def the_mark_command_marks_at_once(editor):
    editor.delete("brown")
    editor.command("CriticMark")
    editor.becomes(sentence("The quick {--brown --}fox jumps."))


@scenario(**TYPING)
def an_edit_that_comes_late_is_refused_without_a_prompt(editor):
    editor.insert_before("brown")
    editor.hold()
    editor.type("very ")
    editor.held()
    editor.type("dark ")
    editor.let_go()
    marked = sentence("The quick {++very dark ++}brown fox jumps.")
    editor.becomes(marked)
    answers = editor.wire.results("server", "workspace/applyEdit")
    refusals = [answer for answer in answers if not answer["applied"]]
    if not refusals:
        raise AssertionError("the server was not told that its edit came too late")
    editor.escape()
    editor.saves(marked)


@scenario(**NEOVIM)
def an_edit_that_comes_while_text_is_selected_is_taken_once_it_no_longer_is(editor):
    editor.hold()
    editor.delete("brown")
    editor.press("v")
    editor.sees("mode v")
    editor.held()
    editor.let_go()

    def refusals():
        answers = editor.wire.results("server", "workspace/applyEdit")
        return [answer for answer in answers if answer.get("failureReason") == "the editor is busy"]

    editor.wait("a refusal", refusals)
    editor.press("Escape")
    editor.becomes(sentence("The quick {--brown --}fox jumps."))


@scenario(settings=NEVER, **NEOVIM)
def what_comes_after_a_command_that_changed_nothing_is_undone_with_its_marks(editor):
    editor.delete("brown")
    # It has no mark yet, and accepting it leaves the text as it is.
    editor.command("CriticAccept")

    def is_answered():
        asked = editor.wire.sent("editor", "workspace/executeCommand")
        is_sent = any(request["params"]["command"] == "critic.accept" for request in asked)
        return is_sent and len(editor.wire.results("editor", "workspace/executeCommand")) == len(asked)

    editor.wait("the answer", is_answered)
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.becomes(sentence("The quick {++red ++}fox jumps."))
    editor.undo()
    editor.becomes(sentence("The quick fox jumps."))


ACCEPT_AT_ONCE = "vim.keymap.set('i', '<C-g>', '<Esc>h<Cmd>CriticAccept<CR>')\n"


@scenario(settings=NEVER, lua=ACCEPT_AT_ONCE, **NEOVIM)
def marks_that_come_while_a_command_is_sent_belong_to_what_was_typed(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.press("C-g")
    editor.becomes(sentence("The quick very brown fox jumps."))
    editor.wait("the edit", lambda: len(editor.wire.sent("server", "workspace/applyEdit")) == 2)
    editor.undo()
    editor.becomes(sentence("The quick {++very ++}brown fox jumps."))
    editor.undo()
    editor.becomes(TEXT)


@scenario(text=CHANGED, **NEOVIM)
def a_command_whose_edit_came_too_late_is_undone_by_itself(editor):
    editor.find("very")
    editor.hold()
    editor.command("CriticAccept")
    editor.held()
    editor.insert_before("fox")
    editor.type("red ")
    editor.wait("the server to know it", lambda: "red fox" in editor.text)
    editor.let_go()
    # With it come the marks of what was typed.
    both = CHANGED.replace("{++very ++}", "very ").replace("{--brown --}", "{~~brown ~>red ~~}")
    editor.wait("both", lambda: editor.text == both)
    editor.escape()
    editor.undo()
    editor.becomes(CHANGED.replace("fox", "red fox"))


@scenario(text=CHANGED, only=("neovim-0.11",), plug_in=True)
def nothing_deprecated_is_called(editor):
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.command("CriticMark")
    editor.find("very")
    for command in ("Status", "Toggle", "Toggle", "Next", "Previous", "NextUncommented", "Accept"):
        editor.command(f"Critic{command}")
    editor.wait("the change accepted", lambda: "{~~brown" not in editor.text)
    editor.find("very")
    editor.command("CriticReject")
    editor.wait("the change rejected", lambda: "very" not in editor.text)
    editor.command("CriticQuickfix")
    # The list opens when the answer has come, and takes the caret with it.
    editor.sees("“real ”")
    editor.command("cclose")
    editor.command("CriticList")
    editor.sees("Changes in doc.md")
    editor.press("q")
    editor.command("CriticComment why?")
    editor.wait("the comment", lambda: "{>>why?<<}" in editor.text)
    editor.command("CriticAcceptAll")
    editor.wait("no changes", lambda: "~>" not in editor.text)
    editor.save()
    editor.wait("the file", lambda: editor.saved == editor.text)
    if editor.deprecated:
        raise AssertionError(editor.deprecated)


@scenario(settings=NEVER, **NEOVIM)
def one_undo_takes_back_what_was_marked_on_saving_with_its_marks(editor):
    editor.delete("brown")
    editor.saves(sentence("The quick {--brown --}fox jumps."))
    editor.undo()
    editor.becomes(TEXT)
    editor.redo()
    editor.becomes(sentence("The quick {--brown --}fox jumps."))
    editor.saves(sentence("The quick {--brown --}fox jumps."))


AUTOSAVE = """
vim.o.hidden = true
vim.api.nvim_create_autocmd({ 'FocusLost', 'BufLeave', 'VimLeavePre' }, { command = 'silent! wall' })
"""
AUTOSAVED = dict(settings=NEVER, lua=AUTOSAVE, **NEOVIM)
# What a terminal says when it loses the focus.
FOCUS_LOST = "\x1b[O"


def is_written(editor, line):
    editor.wait(f"a file with {line!r}", lambda: editor.saved == sentence(line))


@scenario(**AUTOSAVED)
def what_is_saved_when_the_focus_is_lost_has_marks(editor):
    editor.delete("brown")
    # Neovim 0.7 can take what a terminal says for keys if it comes together with some.
    editor.wait("the deletion to be told", lambda: "brown" not in editor.text)
    editor.press(FOCUS_LOST)
    is_written(editor, "The quick {--brown --}fox jumps.")
    editor.insert_before("fox")
    editor.type("red ")
    editor.press(FOCUS_LOST)
    is_written(editor, "The quick {~~brown ~>red ~~}fox jumps.")
    # The caret is still in the addition.
    editor.type("old ")
    editor.escape()
    editor.saves(sentence("The quick {~~brown ~>red old ~~}fox jumps."))


@scenario(settings=NEVER, **NEOVIM)
def a_mark_that_is_being_typed_is_left_alone_when_the_focus_is_lost(editor):
    editor.insert_before("brown")
    editor.type("{>>why")
    editor.press(FOCUS_LOST)
    editor.type("?<<}")
    editor.escape()
    editor.saves(sentence("The quick {>>why?<<}brown fox jumps."))


@scenario(**AUTOSAVED)
def what_is_saved_when_another_buffer_is_gone_to_has_marks(editor):
    editor.delete("brown")
    editor.command("enew")
    is_written(editor, "The quick {--brown --}fox jumps.")


@scenario(**AUTOSAVED)
def what_is_saved_on_quitting_has_marks(editor):
    editor.delete("brown")
    editor.quit()
    is_written(editor, "The quick {--brown --}fox jumps.")


@scenario(settings=NEVER, lua="vim.o.hidden = true\n", **NEOVIM)
def writing_all_from_another_buffer_marks_what_is_pending(editor):
    editor.delete("brown")
    # Nothing is marked by leaving it.
    editor.command("noautocmd enew")
    editor.command("wall")
    is_written(editor, "The quick {--brown --}fox jumps.")


@scenario(settings=NEVER, lua="vim.o.hidden = true\n", **NEOVIM)
def writing_all_and_quitting_marks_what_is_pending(editor):
    editor.delete("brown")
    editor.command("noautocmd split doc.txt")
    editor.command("wqa")
    is_written(editor, "The quick {--brown --}fox jumps.")


@scenario(settings=NEVER, **NEOVIM)
def writing_and_quitting_with_two_letters_marks_what_is_pending(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.delete("fox")
    editor.press("ZZ")
    is_written(editor, "The quick {++very ++}brown {--fox --}jumps.")


# Other ways to have it than the copied folder and `setup`.


def marks_accepts_and_undoes(editor):
    """What only the plug-in does, in any of these ways."""
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.becomes(marked)
    editor.command("CriticAccept")
    editor.becomes(sentence("The quick very brown fox jumps."))
    editor.undo()
    editor.becomes(marked)
    editor.undo()
    editor.becomes(TEXT)
    editor.redo()
    editor.becomes(marked)
    editor.delete("fox")
    editor.saves(sentence("The quick {++very ++}brown {--fox --}jumps."))


STATUS = "vim.o.statusline = 'mode %{mode()}: %{v:lua.require(\"critic\").statusline()}'\n"


@scenario(only=("neovim-0.11",), plug_in=True, enabled="`vim.lsp.enable`", lua=STATUS)
def enabled_as_any_other_server_it_has_all_that_the_plugin_adds(editor):
    editor.sees(": no changes")
    marks_accepts_and_undoes(editor)
    editor.press("V")
    editor.command("CriticHighlight")
    editor.wait("the highlight", lambda: "==}" in editor.text)
    editor.command("checkhealth critic")
    editor.sees("runs in")


@scenario(settings=NEVER, beside=True, **NEOVIM)
def from_a_clone_on_the_path_it_works_as_copied(editor):
    marks_accepts_and_undoes(editor)


# Another server in the same buffer, which formats.
FORMATTER = f"""
vim.lsp.config('formatter', {{ cmd = {{ '{sys.executable}', '{HERE}/formatter.py' }}, filetypes = {{ 'markdown' }} }})
vim.lsp.enable('formatter')
"""
SPACED = sentence("The quick  fox jumps  far.")


@scenario(only=("neovim-0.11",), text=SPACED, plug_in=True, lua=FORMATTER)
def what_a_formatter_beside_us_does_is_recorded_and_undone(editor):
    editor.command("lua print('both: ' .. tostring(vim.wait(9000, function() return #vim.lsp.get_clients({ bufnr = 0 }) == 2 end)))")
    editor.sees("both: true")
    editor.insert_before("jumps")
    editor.type("often ")
    editor.escape()
    typed = sentence("The quick  fox {++often ++}jumps  far.")
    editor.becomes(typed)
    editor.command("lua vim.lsp.buf.format()")
    editor.becomes(sentence("The quick {-- --}fox {++often ++}jumps {-- --}far."))
    assert step(editor, editor.undo) == typed
    editor.stays()
