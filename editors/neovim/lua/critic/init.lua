-- Tracked changes in Markdown, through the language server critic-lsp. For Neovim 0.7 and later.
--
--   require('critic').setup({ settings = { tracking = 'on', author = 'anna' } })
--
-- The server needs no plug-in. This one starts it, marks what was typed when insert mode is left, lets one `u` undo a
-- change together with its marks, marks before saving where Neovim does not ask the server by itself (before 0.8),
-- gives the server's commands names and keys, and colours the marks. See `:help critic`.

local options = require('critic.options')
local server = require('critic.server')

local M = {}

function M.setup(given)
  for _, name in ipairs(options.take(given or {})) do
    server.tell('there is no option `' .. name .. '`; see :help critic-options', 'WARN')
  end
  if vim.fn.executable(options.cmd[1]) == 0 then
    return server.tell('found no program ' .. options.cmd[1] .. '; put it on the PATH or set the option `cmd`', 'WARN')
  end
  local keys = require('critic.keys')
  keys.define()
  local group = vim.api.nvim_create_augroup('critic', {})
  require('critic.marking').watch_leaving(group)
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

-- Starts the server for the buffer, or takes the one that runs for its folder.
function M.attach(buffer)
  -- Hover windows and the like are Markdown too, but have no file.
  if vim.bo[buffer].buftype ~= '' or vim.api.nvim_buf_get_name(buffer) == '' then
    return
  end
  local settings = M.settings()
  local config = {
    name = server.NAME,
    cmd = options.cmd,
    root_dir = M.root(buffer),
    init_options = settings,
    settings = { critic = settings },
    capabilities = M.capabilities(),
    on_init = M.on_init,
    handlers = { ['workspace/applyEdit'] = require('critic.marking').apply_edit },
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    vim.lsp.buf_attach_client(buffer, M.running(config) or vim.lsp.start_client(config))
  end
  require('critic.marking').watch(buffer)
  require('critic.commands').define(buffer)
  require('critic.keys').map(buffer)
  require('critic.indent').map(buffer)
  require('critic.status').watch(buffer)
  if options.highlight or options.conceal then
    require('critic.highlighting').attach(buffer)
  end
end

-- Neovim 0.8 and later ask by themselves, but the marks would be an undo step of their own; the plug-in asks instead.
-- Before 0.11 they show each diagnostic as text after the line, which for changes says what is in the line already.
function M.on_init(client)
  if vim.fn.has('nvim-0.11') == 0 then
    vim.diagnostic.config({ virtual_text = false }, vim.lsp.diagnostic.get_namespace(client.id))
  end
  local sync = (client.server_capabilities or {}).textDocumentSync
  if type(sync) == 'table' then
    sync.willSaveWaitUntil = nil
  end
end

-- The server's settings. Its colours are not needed where the plug-in has its own, which cost less in a long document;
-- and Neovim takes a tenth of a second for two thousand diagnostics.
function M.settings()
  return vim.tbl_extend('keep', options.settings, { semanticTokens = not options.highlight, maxChanges = 500 })
end

-- What the server is told of the editor. It need not move the caret: our commands do, and remember where it was.
function M.capabilities()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities = vim.tbl_deep_extend('force', capabilities, options.capabilities)
  capabilities.window = capabilities.window or {}
  capabilities.window.showDocument = { support = false }
  return capabilities
end

-- The nearest folder above the file that holds `.git`, else the file's own.
function M.root(buffer)
  local own = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local folder, above = own, nil
  while folder ~= above do
    if vim.fn.getftype(folder .. '/.git') ~= '' then
      return folder
    end
    folder, above = vim.fn.fnamemodify(folder, ':h'), folder
  end
  return own
end

-- Neovim 0.7: the client that already runs for this folder.
function M.running(config)
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == server.NAME and client.config.root_dir == config.root_dir and not client.is_stopped() then
      return client.id
    end
  end
end

-- Whether changes of the buffer are tracked, and how many there are, for a status line; empty where no server runs.
function M.statusline(buffer)
  return require('critic.status').line(buffer or vim.api.nvim_get_current_buf())
end

return M
