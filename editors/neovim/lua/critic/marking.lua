-- When changes are put into marks, and how the server's edits are taken.

local busy = require('critic.busy')
local caret = require('critic.caret')
local hidden = require('critic.hidden')
local history = require('critic.history')
local options = require('critic.options')
local server = require('critic.server')
local steps = require('critic.steps')

local loop = vim.uv or vim.loop

local M = {}

-- The server knows this reason: it is no failure, and it does not try again by itself.
M.BUSY = 'the editor is busy'

-- What the server calls an edit that another program asked for. It touches nothing that is being typed.
local OTHERS = 'Made by another program'

-- What it calls an edit that puts marks back which another program left out. They belong to nothing that was typed.
local PUT_BACK = 'Put the marks back'

-- As many edits at once are made with the diagnostics out of the way.
local MANY = 64

-- How long the next key waits for the marks of the step before it, in milliseconds.
local STEP_PATIENCE = 200

-- How long no key waits any more after an answer that did not come in time.
local IMPATIENCE = 5000

-- How often it is looked whether the editor is still busy, in milliseconds.
local RECHECK = 500

-- Keys that leave the text as it is, and those of undo and redo: before all others the last step gets its marks. A
-- block begins at a column that is the same in all lines.
local HARMLESS = {}
for key in ([[h j k l w b e W B E 0 1 2 3 4 5 6 7 8 9 ^ $ % ( ) { } [ ] f F t T ; , n N * # / ? g z ' ` m G H L M u
  <Left> <Right> <Up> <Down> <Home> <End> <PageUp> <PageDown> <ScrollWheelUp> <ScrollWheelDown> <LeftMouse>
  <LeftRelease> <LeftDrag> <Space> <BS> <CR> <Esc> <C-r> <C-d> <C-u> <C-f> <C-b> <C-e> <C-y> <C-o> <C-i> <C-w> <C-l>
  <C-g> <C-n> <C-p> <C-c> <C-v> <C-q>]]):gmatch('%S+') do
  HARMLESS[vim.api.nvim_replace_termcodes(key, true, true, true)] = true
end

local keys = vim.api.nvim_create_namespace('critic-keys')

-- Buffers in which an edit was refused because the editor was busy.
local refused = {}

-- Buffers whose marks the user asked for by name, so that they come in insert mode too.
local asked = {}

-- Buffers that are watched; while a timer runs, when they were changed last; until when no key waits for marks.
local watched, changed, impatient = {}, {}, {}

-- Whether marks come by themselves, and after how many milliseconds.
local function delay(buffer)
  local client = server.client(buffer)
  local settings = client and server.settings(client) or {}
  if client and settings.marking ~= 'save' and settings.marking ~= 'command' then
    return settings.idleDelay or 750
  end
end

-- Whether marks may come by themselves.
local function may_mark(buffer)
  return not busy.is(buffer) and not busy.is_typing(buffer) and not busy.is_half_typed(buffer)
end

-- Asks for the marks of what is finished; those of an undone change only if the user has made it again.
local function mark_finished(buffer)
  server.mark(buffer, { halfTyped = false, held = history.is_edited(buffer) })
end

local function wait(buffer, pause)
  local left = changed[buffer] + pause - loop.now()
  if left > 0 then
    return vim.defer_fn(function() wait(buffer, pause) end, left)
  end
  changed[buffer] = nil
  if not vim.api.nvim_buf_is_valid(buffer) or not server.client(buffer) or not history.is_edited(buffer) then
    return
  end
  if may_mark(buffer) then
    mark_finished(buffer)
  else
    M.put_off(buffer)
  end
end

-- The server marks after a pause by itself, but can't tell a change that was undone and made again from redo.
local function mark_soon(buffer)
  local is_waiting = changed[buffer]
  changed[buffer] = loop.now()
  local pause = not is_waiting and delay(buffer)
  if pause then
    vim.defer_fn(function() wait(buffer, pause) end, pause)
  elseif not is_waiting then
    changed[buffer] = nil
  end
end

-- Each step of undo has its own marks: they are made before the key that may begin the next one.
local function mark_step(key, buffer)
  if HARMLESS[key] or not history.is_edited(buffer) or not history.is_step_over() then
    return
  end
  local pause = not busy.is(buffer) and delay(buffer)
  if not pause or loop.now() < (impatient[buffer] or 0) then
    return
  end
  local is_answered = server.mark_at_once(buffer, { halfTyped = false }, math.min(pause, STEP_PATIENCE))
  impatient[buffer] = not is_answered and loop.now() + IMPATIENCE or nil
  M.break_undo(buffer)
end

local function on_key(key)
  local buffer = vim.api.nvim_get_current_buf()
  if not watched[buffer] then
    return
  end
  if vim.api.nvim_get_mode().mode == 'n' then
    history.look(buffer)
    local is_done, problem = pcall(mark_step, key, buffer)
    if not is_done then
      vim.schedule(function() server.tell(tostring(problem), 'WARN') end)
    end
  end
  caret.note_key(buffer)
end

--- Marks what was typed in a buffer at the right moments from now on.
---@param buffer integer
function M.watch(buffer)
  caret.watch(buffer)
  watched[buffer] = true
  history.watch(buffer, function() mark_soon(buffer) end)
  vim.on_key(on_key, keys)
  local group = vim.api.nvim_create_augroup('critic-' .. buffer, {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buffer, callback = callback })
  end
  if options.mark_on_insert_leave then
    local entered
    -- Only what was typed: what an undo has left unmarked stays so if insert mode is just entered and left.
    on('InsertEnter', function() entered = vim.api.nvim_buf_get_changedtick(buffer) end)
    on('InsertLeave', function()
      if entered == vim.api.nvim_buf_get_changedtick(buffer) or not server.client(buffer) then
        return
      end
      if busy.holder(buffer) then
        M.put_off(buffer)
      else
        server.mark(buffer, { held = history.is_edited(buffer) })
      end
    end)
  end
  for _, event in ipairs({ 'ModeChanged', 'CompleteDone', 'CursorMoved', 'CursorMovedI' }) do
    on(event, function() M.ask_again(buffer) end)
  end
  on('BufDelete', function() refused[buffer], watched[buffer] = nil, nil end)
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
  vim.api.nvim_create_autocmd('User', {
    group = group,
    pattern = 'visual_multi_exit',
    callback = function() M.ask_again(vim.api.nvim_get_current_buf()) end,
  })
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
  if is_unsaved and server.client(buffer) and not busy.is(buffer) and not busy.is_half_typed(buffer) then
    M.mark_now(buffer)
  end
end

--- Has what is pending marked once the editor is no longer busy.
---@param buffer integer
function M.put_off(buffer)
  local is_waiting = refused[buffer]
  refused[buffer] = true
  if not is_waiting then
    M.recheck(buffer)
  end
end

--- Looks every now and then whether the editor is still busy: not everything tells when it is done.
---@param buffer integer
function M.recheck(buffer)
  vim.defer_fn(function()
    if refused[buffer] and vim.api.nvim_buf_is_valid(buffer) and busy.is(buffer) then
      return M.recheck(buffer)
    end
    M.ask_again(buffer)
  end, RECHECK)
end

--- Asks for what was refused, once the editor is no longer busy. When `ModeChanged` comes, what ended the mode may not
--- be done yet.
---@param buffer integer
function M.ask_again(buffer)
  if not refused[buffer] then
    return
  end
  vim.schedule(function()
    if refused[buffer] and may_mark(buffer) and server.client(buffer) then
      refused[buffer] = nil
      mark_finished(buffer)
    end
  end)
end

--- Marks what is pending because the user says so.
---@param buffer integer
function M.mark_as_asked(buffer)
  asked[buffer] = (asked[buffer] or 0) + 1
  server.mark(buffer, {}, function() asked[buffer] = asked[buffer] > 1 and asked[buffer] - 1 or nil end)
end

--- Marks what is pending, and waits for it. The server answers a request for formatting with the marks alone.
---@param buffer integer
function M.mark_now(buffer)
  local client = server.client(buffer)
  if not client or hidden.of(buffer) then
    return
  end
  local holder = busy.holder(buffer)
  if holder then
    M.put_off(buffer)
    -- After Neovim has said that it has written the file.
    return vim.schedule(function() server.tell(('marks wait for %s; save again then'):format(holder), 'WARN') end)
  end
  local answer = server.call(client, 'request_sync', 'textDocument/formatting', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    options = { tabSize = vim.bo[buffer].tabstop, insertSpaces = vim.bo[buffer].expandtab },
  }, 1000, buffer)
  if answer and answer.result and #answer.result > 0 then
    M.join_undo(buffer)
    local restore_caret = caret.keep(buffer)
    local version = vim.api.nvim_buf_get_changedtick(buffer)
    history.make_ours(buffer, function()
      vim.lsp.util.apply_text_edits(answer.result, buffer, client.offset_encoding)
    end)
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
  if not hidden.is_known(buffer) then
    return { applied = false, failureReason = M.BUSY }
  end
  local newest = history.version(buffer)
  if newest and newest > document.version then
    steps.refuse(buffer, document.version)
    return { applied = false, failureReason = 'the buffer has changed since' }
  end
  local is_own = steps.take(buffer, document.version)
  local is_others = params.label == OTHERS
  if not is_own and (busy.is(buffer) or busy.is_typing(buffer) and not is_others and not asked[buffer]) then
    if not is_others then
      M.put_off(buffer)
    end
    return { applied = false, failureReason = M.BUSY }
  end
  if is_own or is_others or params.label == PUT_BACK then
    M.break_undo(buffer)
  else
    M.join_undo(buffer)
  end
  local restore_caret = caret.keep(buffer)
  local show_diagnostics = #changes[1].edits >= MANY and M.hide_diagnostics(buffer)
  local version = vim.api.nvim_buf_get_changedtick(buffer)
  local handler, rest = vim.lsp.handlers['workspace/applyEdit'], { ... }
  local answer = history.make_ours(buffer, function() return handler(problem, params, unpack(rest)) end, is_others)
  if is_others then
    M.break_undo(buffer)
  end
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
