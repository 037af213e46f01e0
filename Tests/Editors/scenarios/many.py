"""Documents with many changes: what keeps the editors from freezing in them."""

import os

from scenarios import scenario
from scenarios.page_emacs import asks

NEOVIM = dict(only=("neovim",), plug_in=True)


def manuscript(changes):
    """A highlight, and paragraphs with an addition in each."""
    filling = "nobody asked who had lit the lamp or what it had cost to keep it " * 5
    paragraphs = (f"Paragraph {number} was {{++added ++}}here. {filling.strip()}.\n" for number in range(changes))
    return "The {==lamp==} burned.\n\n" + "\n".join(paragraphs)


def clean(text):
    return text.replace("{++", "").replace("++}", "")


def has_text(editor, text):
    editor.wait("the text", lambda: editor.text == text)


# Writes down when the diagnostics are shown and hidden, and when the text is changed.
WATCHED = """
local function note(what) vim.fn.writefile({ what }, 'noted', 'a') end
vim.diagnostic.handlers.watched = {
  show = function(_, _, diagnostics) note('shown ' .. #diagnostics) end,
  hide = function() note('hidden') end,
}
vim.api.nvim_create_autocmd('FileType', { pattern = 'markdown', callback = function(event)
  vim.api.nvim_buf_attach(event.buf, false, { on_lines = function() note('changed') end })
end })
"""


def noted(editor):
    path = os.path.join(editor.folder, "noted")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return file.read().split("\n")[:-1]


COUNTED = """
(defvar most 0)
(add-hook 'after-change-functions (lambda (&rest _) (setq most (max most (length timer-list)))))
(global-critic-mode)
"""


@scenario(only=("emacs",), text="The fox and the dog sleep.\n" * 300, init=COUNTED)
def many_replacements_in_one_command_and_their_undo_leave_few_timers_to_be_put_in_order(editor):
    editor.change_everywhere("dog", "hound")
    editor.sees("Replaced 300 occurrences")
    editor.undo()
    asks(editor, "(< 0 most 30)", "t")


@scenario(text=manuscript(100), lua=WATCHED, **NEOVIM)
def an_edit_of_everything_is_made_without_diagnostics_and_they_are_back_after_it(editor):
    editor.wait("the list of changes", lambda: noted(editor)[-1:] == ["shown 101"])
    editor.command("CriticAcceptAll")
    has_text(editor, clean(editor.original))
    editor.wait("the highlight in the list", lambda: noted(editor)[-1:] == ["shown 1"])
    notes = noted(editor)
    first = notes.index("changed")
    last = len(notes) - notes[::-1].index("changed")
    assert notes[first - 1] == "hidden", notes[:first][-3:]
    assert not any(note.startswith("shown") for note in notes[first:last]), notes[first:last]
    editor.undo()
    editor.wait("the list of changes", lambda: noted(editor)[-1:] == ["shown 101"])


STATUS = "vim.o.statusline = \"mode %{mode()} %t %{v:lua.require'critic'.statusline()}\"\n"

# As another plug-in may do it, each time that the text changes.
BUSYBODY = STATUS + """
vim.api.nvim_create_user_command('Busybody', function()
  local namespace = vim.api.nvim_create_namespace('busybody')
  for number = 1, 50 do
    vim.defer_fn(function()
      vim.diagnostic.set(namespace, 0, { { lnum = 0, col = 0, message = 'number ' .. number } })
      if number == 50 then vim.cmd('echo "it has spoken"') end
    end, 30 * number)
  end
end, {})
"""


@scenario(lua=STATUS, **NEOVIM)
def the_status_line_tells_how_many_changes_there_are_after_each_change(editor):
    editor.sees("doc.md no changes")
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.sees("doc.md 1 of 1")
    editor.delete("jumps")
    editor.sees("doc.md 2 of 2")
    editor.undo()
    editor.sees("doc.md 1 of 1")


@scenario(lua=BUSYBODY, **NEOVIM)
def the_status_line_is_not_asked_for_when_somebody_else_lists_something(editor):
    editor.sees("doc.md no changes")
    editor.rests()
    before = len(editor.wire)
    editor.command("Busybody")
    editor.sees("it has spoken")
    editor.rests()
    asked = editor.wire.sent("editor", "workspace/executeCommand", before)
    assert not asked, f"asked {len(asked)} times"


def listed(editor):
    """How many entries the last list of changes has."""
    lists = [message["params"]["diagnostics"] for message in editor.wire.sent("server", "textDocument/publishDiagnostics")]
    lists += [result["items"] for result in editor.wire.results("editor", "textDocument/diagnostic")]
    return len(lists[-1]) if lists else None


@scenario(text=manuscript(520), **NEOVIM)
def the_list_holds_five_hundred_changes_and_all_of_them_are_in_the_quickfix_window(editor):
    editor.wait("a list of five hundred and one", lambda: listed(editor) == 501)
    editor.command("CriticQuickfix")
    editor.sees("Quickfix List")
    editor.command("clast")
    editor.sees("Paragraph 519")


@scenario(text=manuscript(520), settings={"maxChanges": 2000}, **NEOVIM)
def the_list_of_neovim_holds_as_many_changes_as_it_is_told(editor):
    editor.wait("a list of all", lambda: listed(editor) == 521)


@scenario(text=manuscript(120), only=("emacs",))
def the_list_holds_fifty_changes_and_how_many_more_there_are(editor):
    editor.wait("a list of fifty and one", lambda: listed(editor) == 51)
    editor.command("critic-list")
    editor.sees("Changes: doc.md")
    editor.press("M->")
    editor.sees("121 addition")


@scenario(text=manuscript(120), settings={"maxChanges": 500}, only=("emacs",))
def the_list_holds_as_many_changes_as_it_is_told(editor):
    editor.wait("a list of all", lambda: listed(editor) == 121)


@scenario(text=manuscript(120), settings={"maxChanges": 0}, only=("emacs",))
def the_list_can_be_turned_off(editor):
    editor.wait("no list", lambda: editor.wire.results("editor", "initialize"))
    editor.insert_at_end_of_line("Paragraph")
    editor.type(" So it was.")
    editor.rests()
    assert listed(editor) in (None, 0), listed(editor)


@scenario(text=manuscript(400), only=("emacs",))
def everything_is_accepted_and_taken_back_and_tracking_goes_on(editor):
    editor.command("critic-accept-all")
    has_text(editor, clean(editor.original))
    editor.undo()
    has_text(editor, editor.original)
    editor.insert_before("burned")
    editor.type("still ")
    has_text(editor, editor.original.replace("burned", "{++still ++}burned"))


@scenario(text=manuscript(400), only=("emacs",))
def everything_is_accepted_over_a_slow_line_and_taken_back(editor):
    editor.insert_before("burned")
    editor.type("always ")
    has_text(editor, editor.original.replace("burned", "{++always ++}burned"))
    editor.undo()
    has_text(editor, editor.original)
    editor.rests()
    editor.stop_listening()
    editor.command("critic-accept-all")
    editor.wait("the edit", lambda: editor.wire.sent("server", "workspace/applyEdit"))
    # Emacs reads the answer while it waits to write what the edit has changed.
    editor.pause(1)
    editor.listen()
    has_text(editor, clean(editor.original))
    editor.undo()
    has_text(editor, editor.original)
    editor.insert_before("burned")
    editor.type("still ")
    has_text(editor, editor.original.replace("burned", "{++still ++}burned"))


EVENTS = '(format "a log of %d" (buffer-size (jsonrpc-events-buffer (eglot-current-server))))'


@scenario(only=("emacs-28", "emacs-30"))
def eglot_keeps_no_log_of_what_is_said(editor):
    editor.command("pp-eval-expression")
    editor.press(EVENTS, "Enter")
    editor.sees("a log of 0")


@scenario(only=("emacs-28", "emacs-30"), init="(setq critic-log-messages t)\n(global-critic-mode)\n")
def eglot_keeps_a_log_if_it_is_wanted(editor):
    editor.command("eglot-events-buffer")
    # The last messages, whatever they are.
    editor.sees("jsonrpc")
