"""What the recordings in the README show: Neovim with our plug-in.

`DEMO` is a writer alone, `HANDOVER` one who settles what an agent proposes; both with the name of their files.
"""

import json

from recording import COLUMNS, LAST, ROWS
from scenarios.agents import calls, told, waits

TEXT = """\
# The Lighthouse

All night the lamp burned, and Mara counted
the ships as they passed.

At dawn the fog came in, thick and grey.
There was nothing left to count.
"""

# Marks come when insert mode is left, and after a pause that is too long for a slow machine to make between two letters.
SETTINGS = {"tracking": "on", "idleDelay": 5000}

LOOKS = """
vim.o.statusline = " %t   %{v:lua.require'critic'.statusline()}%=%l:%c "
vim.o.signcolumn = 'yes'
vim.o.fillchars = 'eob: '
vim.o.termguicolors = true
vim.o.hlsearch = false
vim.cmd('highlight Normal guibg=NONE | highlight SignColumn guibg=NONE | highlight NonText guifg=#8f9099')
vim.api.nvim_create_autocmd('FileType', { pattern = 'critic-list', command = 'resize 5' })
-- After an undo the last line would say how many seconds ago that change was made.
vim.api.nvim_create_autocmd('TextChanged', { command = "echo ''" })
"""

OPTIONS = {
    "text": TEXT, "settings": SETTINGS, "size": (COLUMNS, ROWS), "file_name": "draft.md",
    "plug_in": True, "hides": True, "more": "keys = true", "lua": LOOKS,
}


def write_and_settle(film):
    film.shows("no changes", 1.8, "A draft in Neovim, with tracking on")

    film.types("/burned", "Enter", "i", "quietly ")
    film.presses("Escape", sees="{++quietly ++}", seconds=1.6, say="What you type is an addition")

    film.types("/ships", "Enter", "cw", "boats")
    film.presses("Escape", sees="{~~ships~>boats~~}", seconds=1.6, say="What you replace is a substitution")

    film.presses("\\c", sees="Comment:", seconds=0.6, say="Comment on it")
    film.types("ships keep far out")
    film.presses("Enter", sees="far out<<}", seconds=1.6, say="The comment stands behind the change")

    film.types("/, thick", "Enter")
    film.presses("dt.", sees="came in.", seconds=0.7)
    film.shows("{--, thick and grey--}", 1.6, "After a pause, what you deleted is a deletion")

    film.presses("gg", sees="1:1", seconds=0.5)
    film.presses("]k", sees="3:20", seconds=1, say="Go to the next change")
    film.presses("\\a", sees="lamp quietly burned", seconds=1.5, say="Accept it")
    film.presses("]k", sees="4:5", seconds=0.8, say="Go on")
    film.presses("]k", sees="6:24", seconds=0.8, say="Go on")
    film.presses("\\r", sees="came in, thick and grey.", seconds=1.5, say="Reject it")
    film.presses("u", sees="{--, thick and grey--}", seconds=1.5, say="Undo that")
    film.presses("\\l", sees="Changes in draft.md", seconds=LAST, say="The list of changes")


EDITS = [
    {"old": "as they passed", "new": "on their way out", "reason": "a ship that passes is gone"},
    {"old": ", thick and grey", "new": "", "reason": "fog is"},
    {"insert_after": "nothing left to count.", "new": " She counted the gulls.", "reason": "an end"},
]


def settle_what_an_agent_proposes(film):
    editor = film.editor
    film.shows("no changes", 1.8, "A draft in Neovim; elsewhere an agent proposes edits, with reasons:")
    told(calls(editor, "propose", "--author", "ai:editor", "--in-place", given=json.dumps(EDITS)))
    film.shows("on their way out", 2.4, "$ critic-lsp propose draft.md --author ai:editor --in-place")
    thread, outcome = waits(editor, "--timeout", "600", author="ai:editor", form="text")
    film.shows("ai:editor waits", 2, "$ critic-lsp wait draft.md")
    film.presses("gg", sees="1:1", seconds=0.5)
    film.presses("]k", sees="4:11", seconds=1.2, say="Go to the first change")
    film.presses("\\a", sees="the ships on their way out.", seconds=1.5, say="Accept it")
    film.presses("]k", sees="6:24", seconds=1.2, say="Go on")
    film.presses("\\r", sees="came in, thick and grey.", seconds=1.5, say="Reject it")
    film.types("/gulls", "Enter", "cw", "waves")
    film.presses("Escape", sees="waves", seconds=1.6, say="Put it differently")
    film.presses("\\.", sees="review done", seconds=1.4, say="Say that you are done")
    thread.join()
    told(outcome[0])
    *lines, last = outcome[0].stdout.replace(f"{editor.folder}/", "").splitlines()
    for line in lines:
        film.take(1.2, "", line)
    film.take(LAST, "", last)


DEMO = ("docs/demo", write_and_settle)
HANDOVER = ("docs/handover", settle_what_an_agent_proposes)
