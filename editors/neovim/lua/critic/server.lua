-- Talking to the server.

local steps = require('critic.steps')

local M = {}

M.NAME = 'critic'

-- By client: the server's name and version, as it says.
---@type table<integer, string>
local versions = {}

-- How long after the answer the edit of a command may come, in milliseconds.
local PATIENCE = 5000
-- How long it is waited for by somebody who goes on only then.
local EDIT_PATIENCE = 1000

--- The buffer's client, or nil.
---@param buffer integer
---@return vim.lsp.Client?
function M.client(buffer)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = buffer, name = M.NAME })[1]
  end
  for _, client in pairs(vim.lsp.buf_get_clients(buffer)) do
    if client.name == M.NAME then
      return client
    end
  end
end

--- Calls a client's method, which since Neovim 0.11 wants the client before the arguments.
---@param client vim.lsp.Client
---@param method string
---@param ... any
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- A server has started.
---@param client vim.lsp.Client
---@param info? { name: string, version?: string } what it says of itself
function M.introduce(client, info)
  if info then
    versions[client.id] = ('%s %s'):format(info.name, info.version or '')
  end
end

--- The name and version of a client's server.
---@param client vim.lsp.Client
---@return string
function M.version(client) return versions[client.id] or 'the server' end

-- What a request for `critic.COMMAND` says.
local function params(buffer, command, arguments)
  arguments.uri = vim.uri_from_bufnr(buffer)
  return { command = 'critic.' .. command, arguments = { arguments } }
end

-- A null in an answer is nothing here.
local function value(result)
  if result ~= vim.NIL then
    return result
  end
end

--- Sends `critic.COMMAND` to a client; Neovim sends what was typed before it.
---@param client vim.lsp.Client
---@param buffer integer
---@param command string
---@param arguments table
---@param answered fun(result: any, problem?: string)
function M.request(client, buffer, command, arguments, answered)
  local sent = params(buffer, command, arguments)
  M.call(client, 'request', 'workspace/executeCommand', sent, function(problem, result)
    answered(value(result), problem and problem.message)
  end, buffer)
end

--- Sends `critic.COMMAND`. What can't be done is told to the user, and to `failed` where it is given.
---@param buffer integer
---@param command string
---@param arguments table
---@param done? fun(result: any)
---@param failed? fun()
function M.execute(buffer, command, arguments, done, failed)
  local client = M.client(buffer)
  if not client then
    if failed then
      failed()
    end
    return M.tell('the server does not run in this buffer', 'WARN')
  end
  M.request(client, buffer, command, arguments, function(result, problem)
    if problem then
      M.tell(problem, 'WARN')
      if failed then
        failed()
      end
    elseif done then
      done(result)
    end
  end)
end

--- Sends `critic.COMMAND` and waits for the answer: what it is, or what is wrong.
---@param buffer integer
---@param command string
---@param arguments table
---@param patience? integer how long to wait, in milliseconds
---@return any result
---@return string? problem
function M.ask(buffer, command, arguments, patience)
  local client = M.client(buffer)
  local sent = params(buffer, command, arguments)
  local answer, problem = M.call(client, 'request_sync', 'workspace/executeCommand', sent, patience or 2000, buffer)
  if not answer then
    return nil, 'the server does not answer: ' .. problem
  end
  return value(answer.result), answer.err and answer.err.message
end

--- Tells the server of a buffer's text as if it had just been opened.
---@param buffer integer
---@param file string what it was called when the server was told of it
function M.open_anew(buffer, file)
  local client, notify = M.client(buffer), vim.notify
  if not client then
    return
  end
  local uri = vim.uri_from_fname(file)
  if uri ~= vim.uri_from_bufnr(buffer) then
    M.call(client, 'notify', 'textDocument/didClose', { textDocument = { uri = uri } })
  end
  -- Neovim 0.7 says that it does so.
  vim.notify = function() end
  pcall(vim.lsp.buf_detach_client, buffer, client.id)
  vim.notify = notify
  require('critic').attach(buffer)
end

--- Sends a command whose edit is the user's own, with an undo step of its own.
---@param buffer integer
---@param command string
---@param arguments table
---@param done? fun(result: any)
function M.edit(buffer, command, arguments, done)
  local client = M.client(buffer)
  local step = client and steps.begin(buffer, client.id)
  local function forget() steps.forget(buffer, step) end
  M.execute(buffer, command, arguments, function(...)
    steps.answer(buffer, step)
    vim.defer_fn(forget, PATIENCE)
    if done then
      done(...)
    end
  end, forget)
end

--- Whether the marks are not in the text: then most decisions leave the text as it is, and undo takes none of those
--- back.
---@param buffer integer one that has the server
---@return boolean? is_clean nil where that is not known
---@return string? problem
function M.is_clean(buffer)
  local status, problem = M.ask(buffer, 'status', {})
  if not status then
    return nil, problem
  end
  return status.marks ~= 'inline'
end

--- Sends a command whose edit is the user's own, and waits for the answer and for what comes of it.
---@param buffer integer
---@param command string
---@param arguments table
---@param is_changed fun(): boolean whether it has come
---@return boolean is_changed
---@return string? problem
function M.edit_at_once(buffer, command, arguments, is_changed)
  local step = steps.begin(buffer, M.client(buffer).id)
  local _, problem = M.ask(buffer, command, arguments)
  if problem then
    steps.forget(buffer, step)
    return false, problem
  end
  steps.answer(buffer, step)
  vim.defer_fn(function() steps.forget(buffer, step) end, PATIENCE)
  -- The answer may come before the edit.
  return (vim.wait(EDIT_PATIENCE, is_changed, 5))
end

--- Has the server mark what is pending.
---@param buffer integer
---@param arguments { held?: boolean, halfTyped?: boolean } what to leave out
---@param done? fun() called in any case
function M.mark(buffer, arguments, done)
  local client = M.client(buffer)
  local answered = client and steps.ask_for_marks(client.id)
  local function finish()
    if answered then
      answered()
    end
    if done then
      done()
    end
  end
  M.execute(buffer, 'mark', arguments, finish, finish)
end

--- Has the server mark what is pending, and waits for that.
---@param buffer integer
---@param arguments { held?: boolean, halfTyped?: boolean } what to leave out
---@param patience integer how long to wait, in milliseconds
---@return boolean is_answered
function M.mark_at_once(buffer, arguments, patience)
  local answered = steps.ask_for_marks(M.client(buffer).id)
  local _, problem = M.ask(buffer, 'mark', arguments, patience)
  answered()
  return problem == nil
end

--- A client's settings of the server, as far as Neovim knows them.
---@param client vim.lsp.Client
---@return critic.Settings
function M.settings(client)
  local config = client.config or {}
  return vim.tbl_extend('force', config.init_options or {}, (config.settings or {}).critic or {})
end

--- Whether the diagnostics that an event tells of may be ours; which they are is told since Neovim 0.10.
---@param event table of `DiagnosticChanged`
---@return boolean
function M.may_be_ours(event)
  local first = ((event.data or {}).diagnostics or {})[1]
  return not first or first.source == M.NAME
end

--- Shows the user a message.
---@param text string
---@param level? 'INFO' | 'WARN' | 'ERROR'
function M.tell(text, level)
  vim.notify('critic: ' .. text, vim.log.levels[level or 'INFO'])
end

return M
