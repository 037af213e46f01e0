"""Plug-ins that hold places in the text keep marks waiting: several carets, snippets, and what says so by the hook."""

from scenarios import scenario, sentence
from twin import play, text_of, twin_of

LIST = "- bread\n- coil\n\nThe end.\n"
NEOVIM = dict(text=LIST, only=("neovim",), plug_in=True)
EMACS = dict(text=LIST, only=("emacs",))

# Two carets, as rows and columns, as vim-visual-multi has them. F2 begins, F3 types at both, F4 deletes, F5 ends.
CARETS = """
local carets
local function on(key, action) vim.keymap.set('n', key, action) end
local function begin() carets = { { 0, 2 }, { 1, 2 } }; BEGIN end
local function each(does)
  for _, caret in ipairs(carets) do does(caret[1], caret[2], caret) end
end
on('<F2>', begin)
on('<F3>', function()
  local typed = vim.fn.getcharstr()
  each(function(row, column, caret)
    vim.api.nvim_buf_set_text(0, row, column, row, column, { typed })
    caret[2] = column + 1
  end)
end)
on('<F4>', function()
  each(function(row, column) vim.api.nvim_buf_set_text(0, row, column, row, column + 1, { '' }) end)
end)
on('<F5>', function() carets = nil; END end)
"""


def carets(begin, end):
    return CARETS.replace("BEGIN", begin).replace("END", end)


TOLD = carets("vim.b.critic_busy = true", "vim.b.critic_busy = false")
VISUAL_MULTI = carets("vim.b.visual_multi = 1", "vim.b.visual_multi = nil; vim.cmd('doautocmd <nomodeline> User visual_multi_exit')")
MULTICURSOR = carets(
    "package.loaded['multicursor-nvim'] = { hasCursors = function() return true end }",
    "package.loaded['multicursor-nvim'] = nil",
)


def as_in_the_twin(editor, keys):
    with twin_of(editor) as twin:
        play(editor, keys)
        play(twin, keys, pauses=False)
        editor.settles(clean=text_of(twin))


def rests_as_it_is(editor):
    """No mark may come; the server may ask whether one can."""
    text = editor.text
    editor.rests()
    assert editor.text == text, editor.text


TYPED = "gg F2 F3 s F3 o | F3 m F3 e F3 ␣ | F4 | F4 | F5 |"


@scenario(lua=TOLD, **NEOVIM)
def with_two_carets_nothing_that_is_typed_is_lost(editor):
    as_in_the_twin(editor, TYPED)
    assert "{~~br~>some ~~}ead" in editor.text, editor.text


@scenario(lua=VISUAL_MULTI, **NEOVIM)
def with_visual_multi_nothing_that_is_typed_is_lost(editor):
    as_in_the_twin(editor, TYPED)


@scenario(lua=MULTICURSOR, **NEOVIM)
def with_multicursor_nothing_that_is_typed_is_lost(editor):
    as_in_the_twin(editor, TYPED)


@scenario(lua=TOLD, **NEOVIM)
def what_is_saved_while_places_are_held_is_marked_once_they_are_not(editor):
    editor.press("gg", "F2", "F3", "s")
    typed = "- sbread\n- scoil\n\nThe end.\n"
    editor.becomes(typed)
    editor.save()
    editor.wait("the file", lambda: editor.saved == typed)
    editor.sees("marks wait for b:critic_busy")
    rests_as_it_is(editor)
    editor.press("F3", "o", "F5")
    marked = "- {++so++}bread\n- {++so++}coil\n\nThe end.\n"
    editor.becomes(marked)
    editor.saves(marked)


# The same in Emacs, with places as numbers.
PLACES = """(global-critic-mode)
(defvar carets nil)
(defun carets-begin () (interactive)
  (setq carets (list (save-excursion (goto-char 1) (search-forward "- "))
                     (save-excursion (goto-char 1) (search-forward "- " nil nil 2)))))
(defun carets-type () (interactive)
  (let ((typed (string (read-char))) (shift 0) moved)
    (dolist (place carets)
      (save-excursion (goto-char (+ place shift)) (insert typed)
                      (setq shift (1+ shift))
                      (push (+ place shift) moved)))
    (setq carets (nreverse moved))))
(defun carets-end () (interactive) (setq carets nil))
(global-set-key [f2] 'carets-begin)
(global-set-key [f3] 'carets-type)
(global-set-key [f5] 'carets-end)
"""
HOOK = PLACES + "(add-hook 'critic-busy-functions (lambda () carets))\n"
MODE = PLACES + """(define-minor-mode iedit-mode "As iedit's.")
(advice-add 'carets-begin :after (lambda () (iedit-mode 1)))
(advice-add 'carets-end :after (lambda () (iedit-mode 0)))
"""


def types_at_two_places(editor):
    editor.press("M-<", "F2", "F3", "s", "F3", "o")
    editor.becomes("- sobread\n- socoil\n\nThe end.\n")
    rests_as_it_is(editor)
    for key in "me ":
        editor.press("F3", key)
    editor.becomes("- some bread\n- some coil\n\nThe end.\n")
    rests_as_it_is(editor)


@scenario(init=HOOK, **EMACS)
def what_a_function_says_keeps_marks_waiting(editor):
    types_at_two_places(editor)
    editor.press("F5")
    editor.becomes("- {++some ++}bread\n- {++some ++}coil\n\nThe end.\n")


@scenario(init=MODE, **EMACS)
def iedit_keeps_marks_waiting_also_where_the_file_is_saved(editor):
    types_at_two_places(editor)
    editor.save()
    typed = "- some bread\n- some coil\n\nThe end.\n"
    editor.wait("the file", lambda: editor.saved == typed)
    rests_as_it_is(editor)
    editor.press("F3", "x")
    editor.becomes(typed.replace("some ", "some x"))
    editor.press("F5")
    marked = "- {++some x++}bread\n- {++some x++}coil\n\nThe end.\n"
    editor.becomes(marked)
    editor.saves(marked)


@scenario(only=("emacs",))
def a_change_made_again_after_its_undo_is_marked_in_emacs(editor):
    marked = sentence("The quick {--brown --}fox jumps.")
    original = sentence("The quick brown fox jumps.")
    for _ in range(3):
        editor.find("brown")
        editor.press("C-u", "6", "C-d")
        editor.becomes(marked)
        editor.undo()
        editor.becomes(original)
        editor.press("M-<")
