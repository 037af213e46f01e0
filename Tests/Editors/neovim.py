"""Neovim: its configuration and keys."""

import json
import os
import shutil

from manual import read_me
from modal import Vi
from session import TOP

# The mode stands in the status line, where a script can see it.
BASICS = """
vim.o.swapfile = false
vim.o.shadafile = 'NONE'
vim.o.laststatus = 2
vim.o.statusline = 'mode %{mode()} %t'
vim.o.shortmess = vim.o.shortmess .. 'I'
"""

# As a user without our plug-in writes it.
ATTACH_011 = """
vim.lsp.config('critic', { cmd = CMD, filetypes = { 'markdown' }, init_options = OPTIONS })
vim.lsp.enable('critic')
vim.api.nvim_create_autocmd('LspAttach', { callback = function(event)
  vim.lsp.completion.enable(true, event.data.client_id, event.buf)
end })
vim.keymap.set({ 'n', 'x' }, 'ga', vim.lsp.buf.code_action)
"""

ATTACH_07 = """
vim.api.nvim_create_autocmd('FileType', { pattern = 'markdown', callback = function(event)
  local client = vim.lsp.start_client({ name = 'critic', cmd = CMD, init_options = OPTIONS })
  vim.lsp.buf_attach_client(event.buf, client)
  vim.bo[event.buf].omnifunc = 'v:lua.vim.lsp.omnifunc'
end })
vim.keymap.set('n', 'ga', vim.lsp.buf.code_action)
vim.keymap.set('x', 'ga', ':<C-u>lua vim.lsp.buf.range_code_action()<CR>')
"""

# Writes down what Neovim would warn of.
NOTE_DEPRECATED = """
vim.deprecate = function(name) vim.fn.writefile({ name .. debug.traceback() }, 'deprecated', 'a') end
"""

# The program is that of the test.
PROGRAM = "vim.lsp.config('critic', { cmd = CMD })\n"

# Delimiters are shown, so that the screen can be compared with the text.
SHOWN = """
vim.api.nvim_create_autocmd({ 'VimEnter', 'BufWinEnter', 'FileType' }, { callback = function()
  vim.schedule(function() vim.wo.conceallevel = 0 end)
end })
pcall(vim.api.nvim_create_autocmd, 'LspAttach', { callback = function()
  vim.schedule(function() vim.wo.conceallevel = 0 end)
end })
"""

PLUG_IN = "require('critic').setup({ cmd = CMD, settings = OPTIONS, MORE })\n"


class Neovim(Vi):
    family = "neovim"
    attach = ""

    def configure(self):
        attach = self.attach
        if self.options.get("plug_in"):
            attach = NOTE_DEPRECATED + self.start_of_plug_in() + ("" if self.options.get("hides") else SHOWN)
            shutil.copytree(os.path.join(TOP, "editors/neovim"), os.path.join(self.folder, self.place_of_plug_in))
        if self.options.get("alone"):
            attach = ""
        attach = attach.replace("CMD", lua(self.server_command)).replace("OPTIONS", lua(self.settings))
        self.write(".config/nvim/init.lua", BASICS + attach + self.options.get("lua", ""))

    @property
    def place_of_plug_in(self):
        if self.options.get("beside"):
            return "src/critic-lsp/editors/neovim"
        return ".local/share/nvim/site/pack/critic/start/critic"

    def start_of_plug_in(self):
        """What a user writes to have it."""
        if heading := self.options.get("enabled"):
            return PROGRAM + read_me("neovim", heading, "lua")
        path = read_me("neovim", "From a clone", "lua") if self.options.get("beside") else ""
        return path + PLUG_IN.replace("MORE", self.options.get("more", ""))

    def gives_name(self, file):
        """With a function of the scenario's, as plug-ins have one."""
        self.command(f"lua Rename('{file}')")

    def hover(self):
        self.command("lua vim.lsp.buf.hover()")

    def outline(self):
        self.command("lua vim.lsp.buf.document_symbol()")

    def go_to_definition(self):
        self.command("lua vim.lsp.buf.definition()")

    def complete(self, typed, label):
        """In insert mode, types this and takes the first completion, which must have this label."""
        self.type(typed)
        self.press("C-x", "C-o")
        self.sees(label)
        self.look()
        self.press("C-y")

    @property
    def deprecated(self):
        """What Neovim would have warned of."""
        path = os.path.join(self.folder, "deprecated")
        if os.path.exists(path):
            with open(path) as file:
                return file.read()
        return ""


class Neovim011(Neovim):
    name = "neovim-0.11"
    version = "0.11.4"
    attach = ATTACH_011
    program = [f"{TOP}/.editors/neovim-0.11/bin/nvim"]
    environment = {}


class Neovim07(Neovim):
    name = "neovim-0.7"
    version = "0.7.2"
    attach = ATTACH_07
    program = [f"{TOP}/.editors/neovim-0.7/run"]
    environment = {"VIMRUNTIME": f"{TOP}/.editors/neovim-0.7/usr/share/nvim/runtime"}


def lua(value):
    """The value as Lua."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {lua(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "{ " + ", ".join(map(lua, value)) + " }"
    return json.dumps(value)
