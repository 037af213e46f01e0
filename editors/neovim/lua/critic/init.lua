-- Tracked changes in Markdown, through the language server critic-lsp. For Neovim 0.7 and later.
--
--   require('critic').setup({ settings = { tracking = 'on', author = 'anna' } })
--
-- The server needs no plug-in. This one starts it, marks what was typed when insert mode is left and never before, lets
-- one `u` undo a change together with its marks, keeps marks waiting where they would come in the way, marks before
-- saving where Neovim does not ask the server by itself (before 0.8), gives the server's commands names and keys,
-- colours the marks and hides their delimiters, and shows comments below their paragraphs. See `:help critic`.

local config = require('critic.config')
local options = require('critic.options')
local server = require('critic.server')

local M = {}

-- Whether what does not belong to one buffer is there.
local is_prepared = false

--- Starts the server for Markdown files, those that are open and those to come. In Neovim 0.11 and later
--- `vim.lsp.enable('critic')` does so too; then this is for options.
---@param given? critic.Options
function M.setup(given)
  for _, name in ipairs(options.take(given or {})) do
    server.tell('there is no option `' .. name .. '`; see :help critic-options', 'WARN')
  end
  if vim.fn.executable(options.cmd[1]) == 0 then
    return server.tell('found no program ' .. options.cmd[1] .. '; put it on the PATH or set the option `cmd`', 'WARN')
  end
  local group = M.prepare()
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = options.filetypes,
    callback = function(event) M.attach(event.buf) end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(options.filetypes, vim.bo[buffer].filetype) then
      M.attach(buffer)
    end
  end
end

--- Makes the `<Plug>` mappings, and watches for the editor to be left.
---@return integer group of autocommands
function M.prepare()
  local group = vim.api.nvim_create_augroup('critic', {})
  require('critic.keys').define()
  require('critic.marking').watch_leaving(group)
  is_prepared = true
  return group
end

--- Starts the server for a buffer, or takes the one that runs for its folder.
---@param buffer integer
function M.attach(buffer)
  if not config.suits(buffer) then
    return
  end
  require('critic.hiding').prepare(buffer)
  local client = config.client()
  client.root_dir = config.root(buffer)
  if vim.lsp.start then
    vim.lsp.start(client, { bufnr = buffer })
  else
    vim.lsp.buf_attach_client(buffer, config.start(client))
  end
  M.equip(buffer)
end

--- Gives a buffer that has the server, or is about to, all else: marks at the right moment, commands, keys, colours.
---@param buffer integer
function M.equip(buffer)
  if not is_prepared then
    M.prepare()
  end
  require('critic.listening').watch(buffer)
  require('critic.marking').watch(buffer)
  require('critic.commands').define(buffer)
  require('critic.keys').map(buffer)
  require('critic.indent').map(buffer)
  require('critic.status').watch(buffer)
  if options.highlight or options.conceal or options.signs or options.comments then
    require('critic.highlighting').attach(buffer)
    require('critic.page').attach(buffer)
  end
end

--- Whether changes of the buffer are tracked, and how many there are, for a status line; empty where no server runs.
---@param buffer? integer the current one where it is left out
---@return string
function M.statusline(buffer)
  return require('critic.status').line(buffer or vim.api.nvim_get_current_buf())
end

return M
