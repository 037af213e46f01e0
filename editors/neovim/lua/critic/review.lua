-- `:CriticReview`: from change to change, each decided with one key. Keys are read one by one, so none ever gets into
-- the text.

local board = require('critic.board')
local place = require('critic.place')
local server = require('critic.server')

local M = {}

local namespace = vim.api.nvim_create_namespace('critic-review')

-- How long it may take until the changes are known, in milliseconds.
local PATIENCE = 5000

--- A review under way.
---@class critic.Review
---@field buffer integer
---@field window integer
---@field changes critic.Change[]
---@field tick integer the version of the text that they are of
---@field is_clean? boolean whether the marks are not in the text
---@field index integer which one is decided
---@field mark? integer the extmark where it begins
---@field hint? string what is said about the last key
---@field is_over? boolean
---@field message? string what is said at the end

local function tick_of(walk) return vim.api.nvim_buf_get_changedtick(walk.buffer) end

-- Reads the changes; an error ends the walk.
local function read(walk)
  if not server.client(walk.buffer) then
    error('the server does not run in this buffer', 0)
  end
  walk.tick = tick_of(walk)
  local changes, problem = server.ask(walk.buffer, 'changes', {}, PATIENCE)
  if problem then
    error(problem, 0)
  end
  walk.changes = changes or {}
end

local function is_before(position, other)
  return position.line < other.line or position.line == other.line and position.character < other.character
end

-- The first change that ends after a place; those at it count too.
local function index_from(walk, position)
  for index, change in ipairs(walk.changes) do
    if not is_before(change.range.start, position) or is_before(position, change.range['end']) then
      return index
    end
  end
end

-- Where the change that is decided began, as the text is now.
local function position_of(walk)
  local row, column = unpack(vim.api.nvim_buf_get_extmark_by_id(walk.buffer, namespace, walk.mark, {}))
  return place.position(walk.buffer, row, column)
end

-- Reads the changes anew, and goes on where the walk was.
local function read_again(walk)
  local position = position_of(walk)
  read(walk)
  walk.index = index_from(walk, position) or #walk.changes + 1
end

-- Shows the change in the middle of the window, and what it is.
local function show(walk)
  local change = walk.changes[walk.index]
  local at = place.stretch(walk.buffer, change.range)
  vim.api.nvim_win_set_cursor(walk.window, { at.row + 1, at.column })
  vim.cmd('normal! zvzz')
  vim.api.nvim_buf_clear_namespace(walk.buffer, namespace, 0, -1)
  walk.mark = vim.api.nvim_buf_set_extmark(walk.buffer, namespace, at.row, at.column, { right_gravity = false })
  vim.api.nvim_buf_set_extmark(walk.buffer, namespace, at.row, at.column, {
    end_row = at.end_row,
    end_col = at.end_column,
    hl_group = 'CriticReviewed',
    priority = 200,
  })
  board.show(walk.window, change, #walk.changes, walk.hint)
  walk.hint = nil
  -- Signs and comments come after what is drawn first.
  vim.cmd('redraw')
  vim.wait(1)
  vim.cmd('redraw')
end

-- Has the server do something; returns whether anything has changed by it, and what is wrong.
local function edit(walk, command, arguments)
  local tick, before = tick_of(walk), walk.changes
  return server.edit_at_once(walk.buffer, command, arguments, function()
    if tick_of(walk) ~= tick then
      return true
    elseif not walk.is_clean then
      return false
    end
    -- The text may stay as it is.
    read(walk)
    return not vim.deep_equal(walk.changes, before)
  end)
end

local function decide(command)
  return function(walk)
    local change = walk.changes[walk.index]
    local is_changed, problem = edit(walk, command, { range = change.range })
    if not is_changed then
      walk.hint = problem or 'this is not changed by that'
      return
    end
    read_again(walk)
  end
end

local function comment(walk)
  local is_given, text = pcall(vim.fn.input, 'Comment: ')
  if not is_given or text == '' then
    walk.hint = 'no comment'
    return
  end
  local position = position_of(walk)
  local arguments = { range = { start = position, ['end'] = position }, text = text }
  local is_changed, problem = edit(walk, 'comment', arguments)
  if not is_changed then
    walk.hint = problem or 'there is no comment'
  end
  read_again(walk)
end

local function skip(walk) walk.index = walk.index + 1 end

local function back(walk)
  walk.hint = walk.index == 1 and 'this is the first change' or nil
  walk.index = math.max(1, walk.index - 1)
end

local function quit(walk) walk.is_over = true end

local ACTIONS = {
  a = decide('accept'),
  r = decide('reject'),
  c = comment,
  e = quit,
  s = skip,
  [' '] = skip,
  b = back,
  q = quit,
  ['\27'] = quit,
  ['\3'] = quit,
}

-- The next key; the one that interrupts is one too.
local function read_key()
  local is_read, key = pcall(vim.fn.getcharstr)
  return is_read and key or '\3'
end

local function told_key(key) return ('%s is no key here'):format(vim.fn.strtrans(key):sub(1, 8)) end

local function is_left(walk)
  return not vim.api.nvim_win_is_valid(walk.window)
    or vim.api.nvim_get_current_win() ~= walk.window
    or vim.api.nvim_win_get_buf(walk.window) ~= walk.buffer
end

-- Past the last change: keys that were pressed too often must not get into the text, so that the end is confirmed.
local ENDS = { q = true, e = true, ['\r'] = true, ['\27'] = true, ['\3'] = true }

local function finish(walk)
  local left = #walk.changes
  local told = left == 0 and 'no changes are left' or ('that was the last change; %d are left'):format(left)
  board.finish(walk.window, told, walk.hint)
  vim.cmd('redraw')
  walk.hint = nil
  local key = read_key()
  if ENDS[key] then
    walk.is_over, walk.message = true, told
  elseif key == 'b' and left > 0 then
    read_again(walk)
    walk.index = #walk.changes
  else
    walk.hint = told_key(key)
  end
end

-- One key: it decides the change that is shown, if the text is still what it was then.
local function step(walk)
  show(walk)
  local key = read_key()
  if is_left(walk) then
    walk.is_over, walk.message = true, 'the review has ended: another text is shown'
  elseif not server.client(walk.buffer) then
    error('the server does not run in this buffer', 0)
  elseif tick_of(walk) ~= walk.tick and key ~= 'q' and key ~= 'e' then
    walk.hint = 'the text has changed meanwhile; press the key again'
    read_again(walk)
  elseif ACTIONS[key] then
    ACTIONS[key](walk)
  else
    walk.hint = told_key(key)
  end
end

local function take(walk)
  read(walk)
  if #walk.changes == 0 then
    walk.message = 'no changes'
    return
  end
  walk.is_clean = server.is_clean(walk.buffer)
  walk.index = index_from(walk, place.caret(walk.buffer)) or 1
  vim.cmd("normal! m'")
  while not walk.is_over do
    if walk.changes[walk.index] then
      step(walk)
    else
      finish(walk)
    end
  end
end

--- Goes through the changes of the current buffer from the caret on. An error ends it with a message.
---@param buffer integer
function M.start(buffer)
  local walk = { buffer = buffer, window = vim.api.nvim_get_current_win() }
  local is_done, problem = pcall(take, walk)
  board.hide()
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  end
  if not is_done then
    -- What was typed ahead was meant for the review.
    while vim.fn.getchar(0) ~= 0 do
    end
    server.tell('the review has ended: ' .. tostring(problem):gsub('^[^\n]-%.lua:%d+: ', ''), 'WARN')
  elseif walk.message then
    server.tell(walk.message)
  end
end

return M
