-- What a window shows of a text, and some lines around it: its marks and threads. A long document costs no more than a
-- short one.

local beside = require('critic.beside')
local reading = require('critic.reading')
local threads = require('critic.threads')

local M = {}

--- A part of a buffer that was read.
---@class critic.Sight
---@field buffer integer
---@field tick integer the text's version
---@field top integer it may be used for windows from this row
---@field bottom number to this one
---@field first integer the row of its first line
---@field lines string[]
---@field starts integer[] where each line begins in the text, from 1
---@field text string
---@field marks critic.Mark[]
---@field placed? critic.Placed[] the changes, where the marks lie beside the text
---@field threads critic.Thread[]
---@field heads table<critic.Mark, critic.Head>
---@field rows? table[] what is coloured in each line

-- How many lines around what is shown are read, to find where its marks begin and end.
local AROUND = 100
-- More than this is not read: the lines are too long.
local MOST_BYTES = 256 * 1024

-- By window: what was read last, as long as the text is that.
---@type table<integer, critic.Sight>
local read = {}

local function size(lines)
  local bytes = 0
  for _, line in ipairs(lines) do
    bytes = bytes + #line
  end
  return bytes
end

--- The line of the text, from 1, that a byte is in.
---@param sight critic.Sight
---@param byte integer
---@return integer
function M.row(sight, byte)
  local low, high = 1, #sight.starts
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if sight.starts[middle] <= byte then
      low = middle
    else
      high = middle - 1
    end
  end
  return low
end

-- Whether a paragraph ends before a line; what a mark begins with does not hide that.
local function begins_another(line)
  line = line:gsub('^%s*{[+=~-][+=~-]', '')
  return line:find('^%s*$')
    or line:find('^%s*[*+-]%s')
    or line:find('^%s*%d+[.)]%s')
    or line:find('^%s*#+%s')
    or line:find('^%s*```')
    or line:find('^%s*~~~')
end

-- The line that is the last of the paragraph or the item that a line is in, from 1. An empty one that is being written
-- belongs to what is above it.
local function last_of_paragraph(lines, row, written)
  if lines[row]:find('^%s*#+%s') then
    return row
  end
  while lines[row + 1] and (not begins_another(lines[row + 1]) or row + 1 == written) do
    row = row + 1
  end
  return row
end

-- Counts threads, each in its paragraph.
local function number(sight, written)
  local counts = {}
  for _, thread in ipairs(sight.threads) do
    local row = last_of_paragraph(sight.lines, M.row(sight, thread.stop - 1), written)
    counts[row] = (counts[row] or 0) + 1
    thread.number, thread.row = counts[row], row - 1
  end
end

-- The line that is being written, from 1 of those that are read.
local function written_line(buffer, first)
  if vim.api.nvim_get_current_buf() == buffer and vim.api.nvim_get_mode().mode:find('^i') then
    return vim.api.nvim_win_get_cursor(0)[1] - first
  end
end

--- Reads what a window shows, unless that is known.
---@param window integer
---@param buffer integer
---@param top integer the first row that is shown
---@param bottom integer the last one
---@return critic.Sight
function M.read(window, buffer, top, bottom)
  local tick, known = vim.api.nvim_buf_get_changedtick(buffer), read[window]
  if
    known
    and known.buffer == buffer
    and known.tick == tick
    and top >= known.top
    and bottom <= known.bottom
  then
    return known
  end
  local count = vim.api.nvim_buf_line_count(buffer)
  local first = math.max(0, top - AROUND)
  local last = math.min(count, bottom + AROUND)
  local lines = vim.api.nvim_buf_get_lines(buffer, first, last, false)
  local sight = {
    buffer = buffer,
    tick = tick,
    -- It must be read anew before the window comes to where marks may begin outside.
    top = first == 0 and 0 or first + AROUND / 2,
    bottom = last == count and math.huge or last - AROUND / 2,
    first = first,
    lines = size(lines) <= MOST_BYTES and lines or {},
    starts = {},
  }
  local at = 1
  for index, line in ipairs(sight.lines) do
    sight.starts[index] = at
    at = at + #line + 1
  end
  sight.text = table.concat(sight.lines, '\n')
  sight.placed = beside.within(buffer, first, first + #sight.lines)
  if sight.placed then
    -- What looks like a mark is text.
    sight.marks, sight.heads, sight.threads = {}, {}, beside.threads(sight.placed, sight)
  else
    sight.marks = reading.marks(sight.text)
    sight.threads, sight.heads = threads.of(sight.text, sight.marks)
  end
  number(sight, written_line(buffer, first))
  read[window] = sight
  return sight
end

--- What is known of a window by now.
---@param window integer
---@return critic.Sight?
function M.known(window) return read[window] end

--- Has all windows of a buffer read anew, and forgets those that are closed.
---@param buffer integer
function M.forget(buffer)
  for window, sight in pairs(read) do
    if sight.buffer == buffer or not vim.api.nvim_win_is_valid(window) then
      read[window] = nil
    end
  end
end

return M
