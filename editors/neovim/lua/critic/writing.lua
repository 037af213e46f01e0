-- Writes buffers that show less than their file has: the server writes the marks, and without it nothing is written.

local backup = require('critic.backup')
local bytes = require('critic.bytes')
local clean = require('critic.clean')
local hidden = require('critic.hidden')
local server = require('critic.server')

local loop = vim.uv or vim.loop

local M = {}

-- How long a server may take to answer, and how long one is waited for that follows one that has died, in milliseconds.
local PATIENCE, START = 5000, 3000

-- Whether two names are those of one file.
local function is_same_file(one, other)
  local first, second = loop.fs_stat(one), loop.fs_stat(other)
  return one == other or first ~= nil and second ~= nil and first.dev == second.dev and first.ino == second.ino
end

local function short(file) return vim.fn.fnamemodify(file, ':~:.') end

-- As Neovim says it, with what else is to be said.
local function say_written(file, what)
  local size = vim.fn.getfsize(file)
  vim.api.nvim_echo({ { ('"%s" %dB written, %s'):format(short(file), size, what) } }, false, {})
end

-- Asks the server something, and waits; the next one, if it dies meanwhile. Returns the answer, and what is wrong.
local function ask(buffer, command, arguments)
  local one = hidden.of(buffer)
  if one.is_unsure then
    return nil, 'say first :CriticShow or :CriticHide'
  end
  for _ = 1, 2 do
    local has_server = server.client(buffer) ~= nil or one.taken ~= nil
    vim.wait(has_server and START or 0, function() return one.problem ~= nil or hidden.is_known(buffer) end, 10)
    if not hidden.is_known(buffer) then
      one.taken = server.client(buffer) and one.taken
      return nil, one.problem or has_server and 'the server does not answer' or 'the server does not run'
    end
    local answer
    server.request(server.client(buffer), buffer, command, arguments or {}, function(...) answer = { ... } end)
    vim.wait(PATIENCE, function() return answer ~= nil or not hidden.is_known(buffer) end, 5)
    if answer then
      return unpack(answer, 1, 2)
    elseif hidden.is_known(buffer) then
      break
    end
  end
  return nil, 'the server does not answer'
end

-- Notes that the last line has an end where it is written, as Neovim does.
local function end_last_line(buffer) vim.bo[buffer].endofline = vim.bo[buffer].endofline or bytes.gets_end(buffer) end

-- Has the server write the file; returns what is wrong.
local function have_written(buffer)
  local one = hidden.of(buffer)
  if vim.v.cmdarg ~= '' or hidden.form(buffer) ~= one.form then
    return 'line ends and encoding stay while marks are hidden'
  elseif not backup.keep(one.file) then
    return 'there is no backup of the file'
  end
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  local _, problem = ask(buffer, 'write')
  if problem then
    return (problem:gsub('^.- was not written: ', ''):gsub('%.$', ''))
  elseif vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
    return 'the text was changed meanwhile'
  end
  end_last_line(buffer)
  if clean.of(one.file) ~= bytes.of(buffer) then
    return 'what is in the file now is another text'
  end
end

-- Where Neovim would keep undo for the clean text of a file.
local function undo_file(one)
  local name = one.undofile and vim.fn.undofile(one.file .. '.hidden') or ''
  return name ~= '' and vim.fn.fnameescape(name) or nil
end

--- Keeps undo with the file, if that is still to be done for the text that was written.
---@param buffer integer
function M.keep_undo(buffer)
  local one = hidden.of(buffer)
  if not one or not one.is_undo_due or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  one.is_undo_due = nil
  local file = undo_file(one)
  if file and not vim.bo[buffer].modified then
    vim.api.nvim_buf_call(buffer, function() vim.cmd('silent! wundo ' .. file) end)
  end
end

-- Keeps undo once Neovim has noted which text was written: it does so after the autocommand.
local function keep_undo_soon(buffer)
  hidden.of(buffer).is_undo_due = true
  vim.schedule(function() M.keep_undo(buffer) end)
end

--- Takes up what was kept of undo for the clean text that a buffer has read.
---@param buffer integer
function M.recall_undo(buffer)
  local file = undo_file(hidden.of(buffer))
  vim.api.nvim_buf_call(buffer, function()
    if file and not vim.fn.undotree().entries[1] then
      vim.cmd('silent! rundo ' .. file)
    end
  end)
end

-- Writes what the user sees into a file that was not there; returns its name, or nil and what is wrong.
local function write_copy(buffer)
  local one, number = hidden.of(buffer), 1
  local name, text = one.file .. '.clean', bytes.of(buffer)
  local status = loop.fs_stat(one.file)
  while loop.fs_lstat(name) do
    number = number + 1
    name = ('%s.clean.%d'):format(one.file, number)
  end
  local handle, problem = loop.fs_open(name, 'wx', status and status.mode % 512 or 384)
  if not handle then
    return nil, problem
  end
  local size, failure = loop.fs_write(handle, text, 0)
  local is_kept, unkept = loop.fs_fsync(handle)
  loop.fs_close(handle)
  if size ~= #text or not is_kept then
    return nil, failure or unkept or 'not all could be written'
  end
  return name
end

-- What is said and done where the server has not written the file.
local function fail(buffer, problem)
  if vim.v.cmdbang == 0 then
    return server.tell(('not written: %s (:w! writes a copy)'):format(problem), 'WARN')
  end
  local name, failure = write_copy(buffer)
  if name then
    server.tell(('%s; the text without marks is in %s'):format(problem, short(name)), 'WARN')
  else
    server.tell(('not written: %s; %s'):format(problem, failure), 'WARN')
  end
end

-- Autocommands of others. They may close the buffer.
local function fire(buffer, event, file)
  vim.api.nvim_exec_autocmds(event, { pattern = file, modeline = false })
  return hidden.of(buffer) ~= nil
end

-- Writes what the user sees as Neovim does.
local function write_as_it_is(file, range, appends)
  local ignored = vim.o.eventignore
  vim.opt.eventignore:append({ 'BufWriteCmd', 'FileWriteCmd', 'FileAppendCmd' })
  local is_written, problem = pcall(vim.cmd, ('silent keepalt %swrite%s %s %s%s'):format(
    range,
    vim.v.cmdbang == 1 and '!' or '',
    vim.v.cmdarg,
    appends and '>> ' or '',
    vim.fn.fnameescape(file)
  ))
  vim.o.eventignore = ignored
  if not is_written then
    server.tell(tostring(problem):gsub('^.-(E%d+:)', '%1'), 'WARN')
  end
  return is_written
end

-- The user has written the clean text into a file of another name, which the buffer goes by from now on.
local function follow(buffer)
  local before = hidden.of(buffer).file
  end_last_line(buffer)
  hidden.add(buffer, bytes.of(buffer))
  server.open_anew(buffer, before)
end

-- Whether a command has moved the marks into the text, or into a record that is there.
local function are_moved(buffer, status)
  if status.marks == 'inline' then
    local record = ask(buffer, 'export', { variant = 'markup' })
    return record ~= nil and bytes.plain(record) == bytes.plain(bytes.of(buffer))
  end
  return status.marks == 'beside' and loop.fs_stat(hidden.of(buffer).file .. '.critic') ~= nil
end

--- Handles `BufWriteCmd`: the whole text is to be written.
---@param buffer integer
---@param file string
function M.write(buffer, file)
  local one = hidden.of(buffer)
  if not one then
    return server.tell('not written: the file was not read', 'WARN')
  elseif not is_same_file(file, one.file) then
    local is_written = write_as_it_is(file, '', false)
    if is_written and file == vim.api.nvim_buf_get_name(buffer) then
      follow(buffer)
    end
    return is_written and say_written(file, 'without marks')
  end
  local status, problem = ask(buffer, 'status')
  if status and are_moved(buffer, status) then
    require('critic.hiding').show_file(buffer)
    return write_as_it_is(file, '', false) and say_written(file, 'as it is')
  elseif status and not fire(buffer, 'BufWritePre', file) then
    return
  end
  problem = problem or have_written(buffer)
  if problem then
    return fail(buffer, problem)
  end
  vim.bo[buffer].modified = false
  hidden.add(buffer, bytes.of(buffer))
  keep_undo_soon(buffer)
  say_written(file, 'with its marks')
  one.is_saved = true
  fire(buffer, 'BufWritePost', file)
  one.is_saved = nil
end

--- Puts the marks back into a file that Neovim has just written without them, for it was told to run no autocommand.
--- Nothing else is in the file then but the text of the buffer.
---@param buffer integer
function M.restore(buffer)
  local one, text = hidden.of(buffer), bytes.of(buffer)
  if not one or vim.bo[buffer].modified or text == one.clean then
    return
  end
  local written = bytes.read(one.file)
  -- Neovim writes an end behind the last line, where the file had none.
  if written ~= text and written ~= text .. bytes.line_end(buffer) then
    return
  end
  local record = ask(buffer, 'export', { variant = 'markup' })
  local mark = text:sub(1, #text - #bytes.without_mark(text))
  local marked = record and mark .. bytes.without_mark(record)
  end_last_line(buffer)
  text = bytes.of(buffer)
  local handle = marked and clean.of('-', marked) == text and loop.fs_open(one.file, 'r+', 0)
  if not handle then
    vim.bo[buffer].modified = true
    return server.tell('the file was written without its marks, past the plug-in', 'ERROR')
  end
  loop.fs_write(handle, marked, 0)
  loop.fs_ftruncate(handle, #marked)
  loop.fs_close(handle)
  hidden.add(buffer, text)
  server.open_anew(buffer, one.file)
  server.tell('the file was written past the plug-in, and has its marks again')
end

--- Handles `FileWriteCmd` and `FileAppendCmd`: a part of the text is to be written, or the text behind another.
---@param buffer integer
---@param event table
function M.write_part(buffer, event)
  if is_same_file(event.match, hidden.of(buffer).file) then
    return server.tell('not written: a part without marks would take the place of all', 'WARN')
  end
  if write_as_it_is(event.match, "'[,']", event.event == 'FileAppendCmd') then
    say_written(event.match, 'without marks')
  end
end

return M
