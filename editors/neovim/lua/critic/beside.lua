-- Marks that lie beside the text: the buffer is clean, so the changes are asked for and drawn as extmarks, which move
-- along with the text. Nothing is put into the buffer.

local changes = require('critic.changes')
local columns = require('critic.columns')
local looks = require('critic.looks')
local notes = require('critic.notes')
local options = require('critic.options')
local place = require('critic.place')
local rest = require('critic.rest')
local server = require('critic.server')
local threads = require('critic.threads')

local M = {}

--- A change, and where it is by now: rows and bytes from 0.
---@class critic.Placed: critic.Stretch
---@field change critic.Change

-- How long the list of changes must have been the same before it is asked for, in milliseconds.
local PAUSE = 150
-- A longer one is asked for when the text is read and saved, and not in between.
local LONG = 2000
-- Above what Treesitter and the server colour.
local PRIORITY = 150
-- More bytes of what is deleted are not shown.
local MOST_BYTES = 1000

-- What the text of a change looks like.
local GROUPS = { addition = 'CriticAddition', substitution = 'CriticSubstitutionNew', highlight = 'CriticHighlight' }

local namespace = vim.api.nvim_create_namespace('critic-beside')

--- What is known of a buffer.
---@class critic.Beside
---@field drawn fun() called when the changes have been drawn, or taken away
---@field is_beside? boolean whether its marks lie beside it; nil where that is to be asked
---@field tick integer the text's version when it was read
---@field is_long? boolean whether it has very many changes
---@field has_moved? boolean whether its marks were moved, so that undo and redo move them, too
---@field placed? table<integer, critic.Change> by extmark: what is drawn; nil where the marks are in the text

---@type table<integer, critic.Beside>
local known = {}

--- Text for one place in a line, beside what is written there: at its place where it can be, else behind the line.
---@param buffer integer
---@param chunks table[] as `virt_text` takes them
---@return table options for `nvim_buf_set_extmark`
function M.virtual(buffer, chunks)
  if columns.can_be_between(buffer) then
    return { virt_text = chunks, virt_text_pos = 'inline', hl_mode = 'combine' }
  end
  return { virt_text = chunks, hl_mode = 'combine' }
end

-- What is deleted, as it is shown.
local function gone(buffer, change, author)
  local group = change.kind == 'deletion' and 'CriticDeletion' or 'CriticSubstitutionOld'
  local text = changes.flat(notes.beginning(change.old, MOST_BYTES)):gsub('%c', ' ')
  local chunks = { { text, author and { group, author } or group } }
  if change.kind == 'substitution' and columns.can_be_between(buffer) then
    table.insert(chunks, { vim.o.ambiwidth == 'double' and '>' or '→', 'CriticDelimiter' })
  end
  return M.virtual(buffer, chunks)
end

-- Draws a change; returns the extmark by which its place is known.
local function draw_one(buffer, change)
  local at = place.stretch(buffer, change.range)
  local author = type(change.author) == 'string' and looks.author(change.author) or nil
  local function put(extmark, priority)
    extmark.priority = PRIORITY + priority
    return vim.api.nvim_buf_set_extmark(buffer, namespace, at.row, at.column, extmark)
  end
  local function cover(group, priority)
    return put({
      end_row = at.end_row,
      end_col = at.end_column,
      hl_group = options.highlight and group or nil,
      -- What is written at its end is a part of it most of the time.
      end_right_gravity = change.kind == 'addition',
    }, priority)
  end
  local has_old = change.kind == 'deletion' or change.kind == 'substitution'
  local shows_old = has_old and options.highlight and options.conceal ~= 'deleted'
  local old = shows_old and gone(buffer, change, author) or {}
  -- What is written there comes behind it.
  old.right_gravity = false
  if not GROUPS[change.kind] then
    return put(old, 0)
  elseif shows_old then
    put(old, 0)
  end
  if author then
    cover(author, 1)
  end
  return cover(GROUPS[change.kind], 0)
end

-- Draws a list of changes in the place of what was drawn; nil takes all away.
local function draw(buffer, list)
  local one = known[buffer]
  if not list and not one.placed then
    return
  end
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  one.placed = list and {}
  columns.set_format(buffer, list ~= nil)
  for _, change in ipairs(list or {}) do
    one.placed[draw_one(buffer, change)] = change
  end
  one.drawn()
end

local note

-- Asks for the changes, and draws them if the text is still the same then.
local function ask_for_changes(buffer)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  server.execute(buffer, 'changes', {}, function(list)
    local one = known[buffer]
    if not one or not one.is_beside or not server.client(buffer) then
      return
    elseif vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
      return note(buffer)
    end
    one.is_long = #list > LONG
    draw(buffer, list)
  end)
end

-- Asks what is to be drawn.
local function ask(buffer)
  local one = known[buffer]
  if not one or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  elseif not server.client(buffer) then
    one.is_beside = nil
    return draw(buffer, nil)
  end
  server.execute(buffer, 'status', {}, function(status)
    if known[buffer] ~= one or not vim.api.nvim_buf_is_loaded(buffer) then
      return
    end
    one.is_beside = status.marks == 'beside' or status.marks == 'file'
    if one.is_beside then
      return ask_for_changes(buffer)
    end
    draw(buffer, nil)
  end)
end

note = rest.after(PAUSE, ask)

-- Whether what is drawn may be out of date when the server has told its diagnostics.
local function may_be_stale(buffer)
  local one = known[buffer]
  if one.is_beside then
    return not one.is_long or not server.client(buffer)
  elseif one.has_moved then
    return true
  end
  -- The server looks for a record when the text is open already.
  return one.is_beside == nil or one.tick == vim.api.nvim_buf_get_changedtick(buffer)
end

-- Asks anew where the marks are.
local function forget(buffer)
  known[buffer].is_beside, known[buffer].tick = nil, vim.api.nvim_buf_get_changedtick(buffer)
  note(buffer)
end

--- Has the marks of a buffer beside the text, or in it.
---@param buffer integer
---@param to 'beside' | 'inline'
function M.move(buffer, to)
  server.edit(buffer, 'marks', { marks = to }, function()
    if known[buffer] then
      known[buffer].has_moved = true
      forget(buffer)
    end
  end)
end

--- Draws the changes of a buffer from now on, as long as its marks lie beside it.
---@param buffer integer
---@param drawn fun() called when they have been drawn, or taken away
function M.watch(buffer, drawn)
  known[buffer] = { drawn = drawn, tick = vim.api.nvim_buf_get_changedtick(buffer) }
  local group = vim.api.nvim_create_augroup('critic-beside-' .. buffer, {})
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback })
  end
  -- The server tells its diagnostics whenever the list has changed.
  on('DiagnosticChanged', function(event)
    if may_be_stale(buffer) and server.may_be_ours(event) then
      note(buffer)
    end
  end)
  columns.watch(buffer, group, function() note(buffer) end)
  -- Another program may have moved the marks into the text, or away from it.
  on('BufReadPost', function()
    draw(buffer, nil)
    forget(buffer)
  end)
  on('BufWritePost', function() forget(buffer) end)
  -- A server that was started again.
  if vim.fn.exists('##LspAttach') == 1 then
    on('LspAttach', function() forget(buffer) end)
  end
  on('BufDelete', function()
    known[buffer] = nil
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
    vim.api.nvim_del_augroup_by_id(group)
  end)
end

--- The changes that lie beside some rows, where they are by now; nil where the marks are in the text.
---@param buffer integer
---@param first integer
---@param last integer the row behind them
---@return critic.Placed[]?
function M.within(buffer, first, last)
  local placed = known[buffer] and known[buffer].placed
  if not placed then
    return nil
  end
  local found = {}
  local extmarks = vim.api.nvim_buf_get_extmarks(buffer, namespace, { first, 0 }, { last, 0 }, { details = true })
  for _, extmark in ipairs(extmarks) do
    local id, row, column, details = unpack(extmark)
    if placed[id] and row < last then
      table.insert(found, {
        change = placed[id],
        row = row,
        column = column,
        end_row = details.end_row or row,
        end_column = details.end_col or column,
      })
    end
  end
  return found
end

--- The change at a place; nil where there is none, or the marks are in the text.
---@param buffer integer
---@param row integer
---@param column integer
---@return critic.Change?
function M.at(buffer, row, column)
  for _, one in ipairs(M.within(buffer, row, row + 1) or {}) do
    local is_before_end = one.end_row > row or column < one.end_column
    if one.column <= column and (is_before_end or column == one.column) then
      return one.change
    end
  end
end

--- The threads of changes.
---@param placed critic.Placed[]
---@param seen critic.Sight
---@return critic.Thread[]
function M.threads(placed, seen)
  local found = {}
  for _, one in ipairs(placed) do
    local comments, line = {}, seen.starts[one.end_row - seen.first + 1]
    for _, comment in ipairs(changes.comments(one.change)) do
      table.insert(comments, { head = threads.head(comment) })
    end
    if comments[1] and line then
      table.insert(found, {
        -- The byte before `stop` is in the row of the thread, be that empty.
        start = line + one.end_column,
        stop = line + one.end_column + 1,
        is_resolved = one.change.resolved == true,
        comments = comments,
        place = { row = one.end_row, column = one.end_column },
      })
    end
  end
  return found
end

return M
