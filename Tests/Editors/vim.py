"""Vim: its configuration and keys. The client is vim/autoload/lsp.vim, the rest of it what we tell the user of vim-lsp."""

import json
import re

from manual import read_me
from modal import Vi
from session import HERE, TOP

# As a user has it who wants to see the mode, here in the status line, and no files beside the document. It tells, too, how
# often the document was saved, and how often Vim was asked whether it has taken all keys.
BASICS = """
set encoding=utf-8 backspace=indent,eol,start noswapfile viminfo= shortmess+=I updatetime=300
let g:saved = 0
let g:asked = 0
set laststatus=2 statusline=mode\\ %{mode()}\\ %t\\ saved\\ %{g:saved}\\ asked\\ %{g:asked}
noremap <C-_> <Cmd>let g:asked += 1 \\| redrawstatus<CR>
inoremap <C-_> <Cmd>let g:asked += 1 \\| redrawstatus<CR>
autocmd BufWritePost * let g:saved += 1 | redrawstatus
set nojoinspaces ttimeout ttimeoutlen=10 t_RV= t_u7= t_RB= t_RF=
autocmd ModeChanged * redrawstatus
filetype plugin on
"""

# The status line tells, too, whether the server knows of all changes.
CLIENT = """
set runtimepath^=FOLDER
set statusline+=\\ %{lsp#is_told()?'told':'untold'}
nnoremap ga :LspCodeAction<CR>
xnoremap ga :LspCodeAction<CR>
"""

REQUEST = (
    "{'method': 'workspace/executeCommand', 'params': {'command': 'critic.COMMAND', "
    "'arguments': [lsp#get_text_document_identifier()]}}"
)


class Vim(Vi):
    name = family = "vim"
    hides_line_ends = True
    environment = {"VIMRUNTIME": f"{TOP}/.editors/vim/usr/share/vim/vim90"}

    @property
    def program(self):
        return [f"{TOP}/.editors/vim/run", "-N", "-u", f"{self.folder}/.vimrc"]

    def configure(self):
        vimrc = BASICS
        if not self.options.get("alone"):
            ours = read_me("vim", "vim-lsp", "vim")
            ours = ours.replace("['critic-lsp']", vim(self.server_command))
            ours = ours.replace("{'tracking': 'on'}", vim(self.settings))
            vimrc += CLIENT.replace("FOLDER", f"{HERE}/vim") + ours
        self.write(".vimrc", vimrc + self.options.get("vimrc", ""))

    # The server marks on save, so where a scenario waits for marks the writer saves.

    def becomes(self, text):
        if self.text != text:
            self.lets_mark()
        super().becomes(text)

    def settles(self, clean=None):
        self.lets_mark()
        return super().settles(clean)

    def rests(self):
        self.lets_mark()

    def can_press(self, keys):
        """To save in visual mode is to leave it, and in Replace mode it becomes insert mode; a motion meets the mark.

        Of a closer that is told with its line, `+}` can be what Delete has left, or `x` on the second sign.
        """
        return not (keys.startswith(("v", "R")) and "|" in keys or "| w" in keys or "N |" in keys and "| DC" in keys)

    def lets_mark(self):
        """Saves, and goes on in the mode in which Vim is."""
        self.takes_keys()
        inserts, at_start = self.shows(self.inserting), self.terminal.caret[0] == 0
        self.escape()
        self.save()
        if inserts:
            self.insert("i" if at_start else "a")

    def takes_keys(self):
        """Waits until Vim has taken all keys: what it shows before that is the mode that it was in."""
        self.press_until("asked", "\x1f")

    def save(self):
        self.press_until("saved", ":w\r")

    def press_until(self, name, keys):
        """Presses keys, and waits until the number of this name in the status line is another one."""
        before = self.count(name)
        self.press(keys)
        self.wait(f"another number of {name}", lambda: self.count(name) != before)

    def count(self, name):
        """The number of this name in the status line."""
        return re.findall(rf"{name} (\d+)", "\n".join(self.terminal.screen))[-1:]

    def stays(self, idle_delays=1):
        """Vim tells of what was done in normal mode some time later; no idle timer marks it then."""
        if self.is_normal:
            self.sees(" told")
        return super().stays(idle_delays)

    def our_key(self, key):
        """A key that we tell the user of."""
        self.press("\\" + key)

    def execute(self, command):
        """Has the server execute a command of ours on the document."""
        self.command(f"call lsp#send_request('critic', {REQUEST.replace('COMMAND', command)})")

    def hover(self):
        self.command("LspHover")

    def outline(self):
        self.command("LspDocumentSymbol")

    def go_to_definition(self):
        self.command("LspDefinition")


def vim(value):
    """The value as Vim script."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{key}': {vim(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(vim, value)) + "]"
    if isinstance(value, bool):
        return "v:true" if value else "v:false"
    return json.dumps(value)
