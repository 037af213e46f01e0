-- Shows the clean text of files that have their marks in them: what is read, and read anew. The text that is read is
-- replaced before anybody sees it, so that all that Neovim knows of a file is as it is without us.

local bytes = require('critic.bytes')
local clean = require('critic.clean')
local hidden = require('critic.hidden')
local options = require('critic.options')
local server = require('critic.server')
local writing = require('critic.writing')

local M = {}

-- How far a buffer is that is being read: `to_hide` when Neovim begins to read it, `hidden` once its text is clean.
---@type table<integer, 'to_hide' | 'hidden'>
local phases = {}

-- Buffers in which the user has asked for the text that the file has.
local shown = {}

-- Buffers whose hooks are there.
local hooked = {}

-- Does something with a text that may not be changed by the user, or not yet.
local function unlocked(buffer, change)
  local options_of = vim.bo[buffer]
  local modifiable, readonly = options_of.modifiable, options_of.readonly
  options_of.modifiable, options_of.readonly = true, false
  change()
  options_of.modifiable, options_of.readonly, options_of.modified = modifiable, readonly, false
end

-- Replaces all lines but some at the end, with no way back to any text before.
local function replace_for_good(buffer, lines, left)
  local levels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels = -1
  vim.api.nvim_buf_set_lines(buffer, 0, -1 - left, false, lines)
  vim.bo[buffer].undolevels = levels
end

-- Lets no undo lead to any text before this one.
local function forget_undo(buffer)
  unlocked(buffer, function() replace_for_good(buffer, vim.api.nvim_buf_get_lines(buffer, 0, -1, true), 0) end)
end

-- Replaces the text that was read. Where Neovim lets undo lead to what was there before it was read anew, that stays,
-- and is one step from here. Each line is replaced, be it the same: what the swap file does not hold Neovim would
-- recover from the file.
local function replace(buffer, lines)
  local function last() return vim.api.nvim_buf_call(buffer, vim.fn.undotree).seq_last end
  local before = last()
  vim.api.nvim_buf_call(buffer, function() pcall(vim.cmd, 'undojoin') end)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  if last() ~= before then
    replace_for_good(buffer, lines, 0)
  end
end

--- What a buffer has read.
---@class critic.Read
---@field text string the clean text, byte for byte
---@field lines string[]
---@field has_end boolean whether the last line has an end
---@field is_recovering boolean whether Neovim has read it to compare it with what it is about to recover

-- Whether Neovim has read a file to compare it with what it recovers: then an empty line comes behind its text.
local function is_recovering(buffer, text)
  return bytes.of(buffer) == text .. bytes.line_end(buffer)
end

-- Whether a clean text reads as one with marks: such marks were typed as text, and stand outside code.
local function looks_marked(text) return text:find('{[+=~>-][+=~>-]') ~= nil and clean.of('-', text) ~= text end

-- Reads the clean text of the file that a buffer has read; returns that, or nil and what is wrong.
local function read(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local text = bytes.read(file)
  local encoding, recovers = vim.bo[buffer].fileencoding, text ~= nil and is_recovering(buffer, text)
  if encoding ~= 'utf-8' and encoding ~= '' or text ~= bytes.of(buffer) and not recovers then
    return nil, 'it is not UTF-8, or its line ends differ'
  end
  local found, problem = clean.of(file)
  if not found then
    return nil, problem
  elseif bytes.read(file) ~= text then
    return nil, 'it was changed just now'
  elseif looks_marked(found) then
    return nil, 'its text looks as if it had others'
  end
  local lines, has_end = bytes.lines(buffer, found)
  if not lines then
    return nil, 'its line ends differ'
  elseif lines[1] and not has_end and not bytes.gets_end(buffer) then
    -- The server counts one there, as Neovim tells its changes.
    return nil, 'its last line has no end'
  end
  return { text = found, lines = lines, has_end = has_end, is_recovering = recovers }
end

-- Leaves the text as it was read.
local function give_up(buffer)
  local was_hidden = hidden.of(buffer) ~= nil
  M.show_file(buffer)
  if was_hidden then
    -- Undo would lead to a text without marks.
    forget_undo(buffer)
  end
end

-- Shows the clean text of the file that a buffer has read.
local function hide(buffer)
  local was_hidden = hidden.of(buffer) ~= nil
  local found, problem = read(buffer)
  if not found then
    give_up(buffer)
    shown[buffer] = true
    return server.tell('the marks are shown: ' .. problem, 'WARN')
  end
  -- First of all, so that nothing but the server can write a text without marks.
  M.hook(buffer)
  unlocked(buffer, function()
    if was_hidden and not found.is_recovering and vim.fn.undotree().entries[1] then
      replace(buffer, found.lines)
    else
      replace_for_good(buffer, found.lines, found.is_recovering and 1 or 0)
    end
    -- An empty text has no line that could have none.
    vim.bo[buffer].endofline = found.has_end or not found.lines[1]
  end)
  hidden.add(buffer, found.text)
  writing.recall_undo(buffer)
end

-- Whether a buffer is one whose file has marks in it, or may get some.
local function suits(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  return not shown[buffer]
    and vim.fn.filereadable(file) == 1
    and vim.fn.getftype(file .. '.critic') == ''
    and not vim.endswith(file, '.critic')
end

-- Neovim recovers a text that was shown clean when it died, and does not know that. Taken for the text of the file it
-- would be written over the marks.
local function watch_recovery(buffer)
  local text = suits(buffer) and bytes.read(vim.api.nvim_buf_get_name(buffer))
  if not text or not is_recovering(buffer, text) then
    return
  end
  vim.api.nvim_create_autocmd('BufReadPost', {
    buffer = buffer,
    once = true,
    callback = function()
      local recovered, found = bytes.of(buffer), clean.of(vim.api.nvim_buf_get_name(buffer))
      if found and found ~= text and recovered ~= text and clean.of('-', recovered) == recovered then
        M.hook(buffer)
        hidden.add(buffer, found)
        server.open_anew(buffer, hidden.of(buffer).file)
        server.tell('what was recovered has no marks; the file keeps its own')
      end
    end,
  })
end

--- A buffer has a type for which the server is about to be started: its text is to be clean by then.
---@param buffer integer
function M.prepare(buffer)
  if not options.hide and not hidden.of(buffer) and not phases[buffer] then
    return watch_recovery(buffer)
  end
  local is_new = options.hide and not hidden.of(buffer) and phases[buffer] ~= 'hidden' and not vim.bo[buffer].modified
  if phases[buffer] == 'to_hide' or is_new then
    phases[buffer] = phases[buffer] and 'hidden'
    if suits(buffer) then
      hide(buffer)
    else
      give_up(buffer)
    end
  end
end

-- Neovim has read the text of a hidden buffer from its swap file. It is clean, as it is there; but a text that somebody
-- has recovered who saw the marks has them.
local function recover(buffer)
  local one, text = hidden.of(buffer), bytes.of(buffer)
  if vim.bo[buffer].modified and clean.of('-', text) ~= text then
    one.is_unsure = true
    server.tell('marks are in what was recovered: :CriticShow if they are marks, :CriticHide if they are text', 'WARN')
  end
  -- It was told of the text of the file.
  server.open_anew(buffer, one.file)
end

-- Reads the file of a buffer anew, as soon as Neovim lets us. It could do so by itself; but then it would tell servers
-- of lines that it has not told them of before.
local function read_soon(buffer, loses_changes)
  vim.schedule(function()
    if hidden.of(buffer) and (loses_changes or not vim.bo[buffer].modified) then
      vim.api.nvim_buf_call(buffer, function()
        local view = vim.fn.winsaveview()
        vim.cmd('edit!')
        vim.fn.winrestview(view)
      end)
    end
  end)
end

-- Asks what Neovim asks; the text that is there stays unless the user says otherwise.
local function ask(buffer)
  local name = vim.fn.fnamemodify(hidden.of(buffer).file, ':~:.')
  local also = vim.bo[buffer].modified and ' and the buffer was changed in Neovim as well' or ' since editing started'
  local question = ('Warning: File "%s" has changed%s'):format(name, also)
  if vim.fn.confirm(question, '&OK\n&Load File', 1, 'Warning') == 2 then
    read_soon(buffer, true)
  end
end

-- The file of a hidden buffer has another date or size. What the server has written leaves the clean text as it was;
-- so does a program that has changed nothing but marks, of which the server is to hear.
local function on_change(buffer)
  local one = hidden.of(buffer)
  vim.v.fcs_choice = ''
  if vim.v.fcs_reason == 'deleted' then
    vim.v.fcs_choice = 'ask'
  elseif clean.of(one.file) == one.clean then
    M.compare(buffer)
  elseif one.autoread and not vim.bo[buffer].modified then
    read_soon(buffer, false)
  else
    ask(buffer)
  end
end

-- How long the server may take to write what it knows already, in milliseconds.
local WRITING = 500

--- Has the server take the marks from the file anew if they are others than those that it knows.
---@param buffer integer
---@param is_again? boolean whether they were others a moment ago
function M.compare(buffer, is_again)
  local client = hidden.of(buffer) and server.client(buffer)
  if not client or vim.bo[buffer].modified or not hidden.is_known(buffer) then
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  server.request(client, buffer, 'export', { variant = 'markup' }, function(record)
    local one = hidden.of(buffer)
    if not record or not one or vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
      return
    end
    local text = bytes.read(one.file)
    if not text or bytes.plain(text) == bytes.plain(record) then
      return
    elseif is_again then
      server.open_anew(buffer, one.file)
    else
      vim.defer_fn(function() M.compare(buffer, true) end, WRITING)
    end
  end)
end

--- Watches a hidden buffer: what is read into it, and written.
---@param buffer integer
function M.hook(buffer)
  if hooked[buffer] then
    return
  end
  hooked[buffer] = true
  local group = vim.api.nvim_create_augroup('critic-hiding-' .. buffer, {})
  local function on(events, callback, nested)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback, nested = nested })
  end
  on('BufReadPre', function() phases[buffer] = 'to_hide' end)
  on('BufReadPost', function()
    M.prepare(buffer)
    local phase = phases[buffer]
    phases[buffer] = nil
    if not phase and hidden.of(buffer) then
      recover(buffer)
    end
  end)
  on('FileChangedShell', function() on_change(buffer) end)
  on('BufWriteCmd', function(event) writing.write(buffer, event.match) end, true)
  on({ 'FileWriteCmd', 'FileAppendCmd' }, function(event) writing.write_part(buffer, event) end, true)
  on('BufModifiedSet', function() writing.restore(buffer) end)
  on('BufUnload', function() writing.keep_undo(buffer) end)
  vim.api.nvim_create_autocmd('VimLeavePre', { group = group, callback = function() writing.keep_undo(buffer) end })
  on('BufDelete', function() M.show_file(buffer) end)
end

--- Lets a buffer show what is in its file, from the next time on that it is read.
---@param buffer integer
function M.show_file(buffer)
  hidden.remove(buffer)
  phases[buffer] = nil
  if hooked[buffer] then
    hooked[buffer] = nil
    vim.api.nvim_del_augroup_by_name('critic-hiding-' .. buffer)
  end
end

-- Whether a buffer has nothing that reading its file would lose.
local function is_saved(buffer)
  if vim.bo[buffer].modified then
    server.tell('save first', 'WARN')
  end
  return not vim.bo[buffer].modified
end

--- `:CriticHide`
---@param buffer integer
function M.hide(buffer)
  local one = hidden.of(buffer)
  if one and one.is_unsure then
    one.is_unsure = nil
    local client = server.client(buffer)
    if client then
      hidden.take(client, buffer)
    end
  elseif one then
    return server.tell('the marks are hidden already')
  elseif is_saved(buffer) then
    shown[buffer] = nil
    if not suits(buffer) then
      return server.tell('there is no file, or its marks are beside it', 'WARN')
    end
    M.hook(buffer)
    vim.api.nvim_buf_call(buffer, function() vim.cmd('edit') end)
  end
end

--- `:CriticShow`
---@param buffer integer
function M.show(buffer)
  local one = hidden.of(buffer)
  if not one then
    return server.tell('no marks are hidden here')
  elseif one.is_unsure then
    shown[buffer] = true
    M.show_file(buffer)
  elseif is_saved(buffer) then
    shown[buffer] = true
    M.show_file(buffer)
    vim.api.nvim_buf_call(buffer, function() vim.cmd('edit') end)
    forget_undo(buffer)
  end
end

return M
