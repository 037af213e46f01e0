-- What a review shows of a change, at the bottom of the window: what it would become, its comments, and the keys.

local changes = require('critic.changes')
local notes = require('critic.notes')
local threads = require('critic.threads')

local M = {}

local KEYS = 'a accept  r reject  c comment  e edit here  s skip  b back  q quit'
local END_KEYS = 'b back  q quit'
-- More of a change, and of a comment, is not shown, in characters.
local MOST = 600

local namespace = vim.api.nvim_create_namespace('critic-board')
local buffer, window

local function cut(text) return vim.fn.strchars(text) > MOST and vim.fn.strcharpart(text, 0, MOST) .. ' …' or text end

local function given(text) return type(text) == 'string' and text ~= '' and text or nil end

-- What it is, what it would become, and what is said about it.
local function lines_of(change, count)
  local head = { ('%d of %d'):format(change.number, count), change.kind }
  table.insert(head, given(change.author))
  table.insert(head, notes.date(given(change.date)))
  local lines = { table.concat(head, ' · '), cut(changes.quoted(change)) }
  for _, comment in ipairs(changes.comments(change)) do
    local said = threads.head(comment)
    local who = table.concat({ said.author or 'comment', notes.date(said.date) }, ' ')
    table.insert(lines, cut(who .. ': ' .. (said.text:gsub('%s*\n%s*', ' '))))
  end
  return lines
end

-- How many rows lines take.
local function height_of(lines, width)
  local height = 0
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return height
end

-- Shows lines at the bottom of a window; the last are the keys, with the hint where there is one.
local function show(over, lines, keys, hint)
  table.insert(lines, hint and hint .. ' — ' .. keys or keys)
  if not buffer or not vim.api.nvim_buf_is_valid(buffer) then
    buffer = vim.api.nvim_create_buf(false, true)
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  local width = math.max(1, vim.api.nvim_win_get_width(over) - 2)
  local most = math.max(1, vim.api.nvim_win_get_height(over) - 4)
  local where = {
    relative = 'win',
    win = over,
    anchor = 'SW',
    row = vim.api.nvim_win_get_height(over),
    col = 0,
    width = width,
    height = math.min(most, height_of(lines, width)),
    style = 'minimal',
    border = 'single',
    focusable = false,
  }
  if window and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_win_set_config(window, where)
  else
    where.noautocmd = true
    window = vim.api.nvim_open_win(buffer, false, where)
    vim.api.nvim_win_call(window, function() vim.cmd('setlocal wrap') end)
  end
  -- The keys are always in sight.
  vim.api.nvim_win_set_cursor(window, { #lines, 0 })
  vim.api.nvim_buf_clear_namespace(buffer, -1, 0, -1)
  local function colour(row, group)
    local last = #lines[row + 1]
    vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { end_row = row, end_col = last, hl_group = group })
  end
  colour(0, 'Title')
  colour(#lines - 1, hint and 'WarningMsg' or 'Comment')
end

--- Shows a change, and the keys.
---@param over integer the window
---@param change critic.Change
---@param count integer how many changes there are
---@param hint? string
function M.show(over, change, count, hint) show(over, lines_of(change, count), KEYS, hint) end

--- Shows that there are no more changes.
---@param over integer the window
---@param told string
---@param hint? string
function M.finish(over, told, hint) show(over, { told }, END_KEYS, hint) end

--- Takes it away.
function M.hide()
  if window and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_win_close(window, true)
  end
  if buffer and vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  window, buffer = nil, nil
end

return M
