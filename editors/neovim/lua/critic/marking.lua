-- When changes are put into marks, and how the server's edits are taken.

local busy = require('critic.busy')
local caret = require('critic.caret')
local options = require('critic.options')
local server = require('critic.server')
local steps = require('critic.steps')

local M = {}

-- The server knows this reason: it is no failure, and it does not try again by itself.
M.BUSY = 'the editor is busy'

-- As many edits at once are made with the diagnostics out of the way.
local MANY = 64

-- Buffers in which an edit was refused because the editor was busy.
local refused = {}

--- Marks what was typed in a buffer at the right moments from now on.
---@param buffer integer
function M.watch(buffer)
  caret.watch(buffer)
  local group = vim.api.nvim_create_augroup('critic-' .. buffer, {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buffer, callback = callback })
  end
  if options.mark_on_insert_leave then
    local entered
    -- Only what was typed: what an undo has left unmarked stays so if insert mode is just entered and left.
    on('InsertEnter', function() entered = vim.api.nvim_buf_get_changedtick(buffer) end)
    on('InsertLeave', function()
      if entered ~= vim.api.nvim_buf_get_changedtick(buffer) and server.client(buffer) then
        server.mark(buffer)
      end
    end)
  end
  for _, event in ipairs({ 'ModeChanged', 'CompleteDone', 'CursorMoved', 'CursorMovedI' }) do
    on(event, function() M.ask_again(buffer) end)
  end
  on('BufDelete', function() refused[buffer] = nil end)
  if options.mark_on_save then
    on('BufWritePre', function() M.mark_now(buffer) end)
  end
end

--- Marks what is pending also before others save by themselves: their autocommands write without `BufWritePre`, unless
--- they are `nested`. `ExitPre` comes before Neovim stops the server.
---@param group integer of autocommands
function M.watch_leaving(group)
  if not options.mark_on_save then
    return
  end
  local function on(events, callback) vim.api.nvim_create_autocmd(events, { group = group, callback = callback }) end
  on('BufLeave', function(event) M.mark_before_saving(event.buf) end)
  on({ 'FocusLost', 'ExitPre', 'VimLeavePre' }, function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      M.mark_before_saving(buffer)
    end
  end)
end

--- Marks what is pending in a buffer that others may save now, unless a mark is half typed there.
---@param buffer integer
function M.mark_before_saving(buffer)
  local is_unsaved = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].modified
  if is_unsaved and server.client(buffer) and busy.may_mark(buffer) then
    M.mark_now(buffer)
  end
end

--- Asks for what was refused, once the editor is no longer busy. When `ModeChanged` comes, what ended the mode may not
--- be done yet.
---@param buffer integer
function M.ask_again(buffer)
  if not refused[buffer] then
    return
  end
  vim.schedule(function()
    if refused[buffer] and busy.may_mark(buffer) and server.client(buffer) then
      refused[buffer] = nil
      server.mark(buffer)
    end
  end)
end

--- Marks what is pending, and waits for it. The server answers a request for formatting with the marks alone.
---@param buffer integer
function M.mark_now(buffer)
  local client = server.client(buffer)
  if not client then
    return
  end
  local answer = server.call(client, 'request_sync', 'textDocument/formatting', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    options = { tabSize = vim.bo[buffer].tabstop, insertSpaces = vim.bo[buffer].expandtab },
  }, 1000, buffer)
  if answer and answer.result and #answer.result > 0 then
    M.join_undo(buffer)
    local restore_caret = caret.keep(buffer)
    local version = vim.api.nvim_buf_get_changedtick(buffer)
    vim.lsp.util.apply_text_edits(answer.result, buffer, client.offset_encoding)
    steps.pass(buffer, version)
    restore_caret()
  end
end

--- The server's edits. Neovim's own handler says that an edit was applied also when it was too late for that, and
--- prints a message that can stop the user with a prompt; this one says so to the server, which tries again. And in
--- Neovim 0.7 the caret keeps its column when text around it goes.
---@param problem table?
---@param params table of `workspace/applyEdit`
---@return table answer
function M.apply_edit(problem, params, ...)
  local changes = params.edit.documentChanges
  local document = changes and changes[1] and changes[1].textDocument
  if not document then
    return vim.lsp.handlers['workspace/applyEdit'](problem, params, ...)
  end
  local buffer = vim.uri_to_bufnr(document.uri)
  local newest = (vim.lsp.util.buf_versions or {})[buffer]
  if newest and newest > document.version then
    steps.refuse(buffer, document.version)
    return { applied = false, failureReason = 'the buffer has changed since' }
  end
  local is_own = steps.take(buffer, document.version)
  if not is_own and busy.is(buffer) then
    refused[buffer] = true
    return { applied = false, failureReason = M.BUSY }
  end
  if is_own then
    M.break_undo(buffer)
  else
    M.join_undo(buffer)
  end
  local restore_caret = caret.keep(buffer)
  local show_diagnostics = #changes[1].edits >= MANY and M.hide_diagnostics(buffer)
  local version = vim.api.nvim_buf_get_changedtick(buffer)
  local answer = vim.lsp.handlers['workspace/applyEdit'](problem, params, ...)
  steps.pass(buffer, version)
  restore_caret()
  if show_diagnostics then
    show_diagnostics()
  end
  return answer
end

--- Takes the diagnostics out of the way: Neovim looks through all of them for each edit. Returns what shows them again,
--- once the editor has drawn what the edit made; mostly there are new ones by then.
---@param buffer integer
---@return fun() show
function M.hide_diagnostics(buffer)
  vim.diagnostic.hide(nil, buffer)
  return function()
    vim.schedule(function()
      if vim.api.nvim_buf_is_loaded(buffer) then
        vim.diagnostic.show(nil, buffer)
      end
    end)
  end
end

--- Lets the next edit belong to the undo step of the last change. Right after an undo Neovim refuses that, and the edit
--- is a step of its own.
---@param buffer integer
function M.join_undo(buffer)
  if options.join_undo and vim.api.nvim_buf_is_loaded(buffer) then
    vim.api.nvim_buf_call(buffer, function() pcall(vim.cmd, 'undojoin') end)
  end
end

--- Lets the next edit begin an undo step: while questions are asked one after the other Neovim begins none.
---@param buffer integer
function M.break_undo(buffer)
  vim.api.nvim_buf_call(buffer, function() vim.cmd('let &g:undolevels = &g:undolevels') end)
end

return M
