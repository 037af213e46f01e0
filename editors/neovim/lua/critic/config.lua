-- How Neovim runs the server: what `vim.lsp.start` and `vim.lsp.config` are told.

local keys = require('critic.keys')
local options = require('critic.options')
local server = require('critic.server')

local M = {}

--- What both are told, without the folder.
---@return vim.lsp.ClientConfig
function M.client()
  return {
    name = server.NAME,
    cmd = options.cmd,
    settings = { critic = M.settings() },
    capabilities = M.capabilities(),
    before_init = M.before_init,
    on_init = M.on_init,
    on_exit = require('critic.restart').on_exit,
    handlers = {
      ['workspace/applyEdit'] = require('critic.marking').apply_edit,
      ['window/showMessage'] = M.show_message,
      ['window/showMessageRequest'] = require('critic.meanwhile').ask,
    },
  }
end

-- By what LSP calls the type of a message.
local LEVELS = { 'ERROR', 'WARN' }

--- Shows a message of the server. What Neovim 0.11 does by itself stops the user with a prompt.
---@param message table
function M.show_message(_, message) server.tell(message.message:gsub('critic%.done', ':CriticDone'), LEVELS[message.type]) end

--- The server is told its settings when it starts: where Neovim sends them later, a document is open by then. It sends
--- the list of changes by itself: Neovim asks for it when the text has changed, but the list changes without the text
--- where marks lie beside it.
---@param params table of `initialize`
---@param config vim.lsp.ClientConfig
function M.before_init(params, config)
  local settings = (config.settings or {}).critic or {}
  params.initializationOptions = vim.tbl_extend('force', settings, config.init_options or {})
  local capabilities = params.capabilities.textDocument or {}
  capabilities.diagnostic = nil
end

--- Neovim 0.8 and later ask by themselves before they save, but the marks would be an undo step of their own; the
--- plug-in asks instead.
---@param client vim.lsp.Client
---@param result table the answer to `initialize`
function M.on_init(client, result)
  server.introduce(client, result.serverInfo)
  require('critic.hidden').follow(client)
  require('critic.signs').replace_diagnostics(client)
  local sync = (client.server_capabilities or {}).textDocumentSync
  if type(sync) == 'table' then
    sync.willSaveWaitUntil = nil
  end
end

--- The server's settings. Its colours are not needed where the plug-in has its own, which cost less in a long document;
--- and Neovim takes a tenth of a second for two thousand diagnostics.
---@return critic.Settings
function M.settings()
  return vim.tbl_extend('keep', options.settings, {
    semanticTokens = not options.highlight,
    maxChanges = 500,
    acceptKey = keys.told('Accept'),
    rejectKey = keys.told('Reject'),
  })
end

--- What the server is told of the editor. It need not move the caret: our commands do, and remember where it was.
---@return lsp.ClientCapabilities
function M.capabilities()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities = vim.tbl_deep_extend('force', capabilities, options.capabilities)
  capabilities.window = capabilities.window or {}
  capabilities.window.showDocument = { support = false }
  return capabilities
end

--- Whether the server can run for a buffer: hover windows and the like are Markdown too, but have no file.
---@param buffer integer
---@return boolean
function M.suits(buffer) return vim.bo[buffer].buftype == '' and vim.api.nvim_buf_get_name(buffer) ~= '' end

--- The nearest folder above the file that holds `.git`, else the file's own.
---@param buffer integer
---@return string
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

-- Neovim 0.7: by folder, the client that was started there last.
---@type table<string, integer>
local started = {}

--- Neovim 0.7: the client that already runs for a folder, or is about to, else a new one.
---@param config vim.lsp.ClientConfig
---@return integer
function M.start(config)
  local client = vim.lsp.get_client_by_id(started[config.root_dir] or 0)
  if not client or client.is_stopped() then
    started[config.root_dir] = vim.lsp.start_client(config)
  end
  return started[config.root_dir]
end

return M
