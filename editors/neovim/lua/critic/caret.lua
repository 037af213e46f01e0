-- The caret as a place in the text, while marks are put in around it.

local reading = require('critic.reading')

local M = {}

local namespace = vim.api.nvim_create_namespace('critic')
-- How many lines around the caret are read for marks.
local AROUND = 50
local watched = {}
-- Where the caret was when the last key came in normal mode.
local before
-- By buffer: the last change made in normal mode, as long as the caret has not moved since. `place` is where it left
-- the caret, once that is known; `after`, where the text was that it took, if that was right before the caret.
local change = {}

local function caret()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return { row - 1, column }
end

local function is_same(place, other)
  return place ~= nil and other ~= nil and place[1] == other[1] and place[2] == other[2]
end

--- Notes where the caret is when a key comes. `CursorMoved` would not do: it does not come between keys that were typed
--- ahead.
---@param buffer integer the current one
function M.note_key(buffer)
  local mode, last = vim.api.nvim_get_mode().mode, change[buffer]
  if mode == 'n' then
    before = caret()
    if last then
      last.place = last.place or before
      change[buffer] = is_same(last.place, before) and last or nil
    end
  elseif not vim.startswith(mode, 'no') then
    change[buffer] = nil
  end
end

local function on_bytes(_, buffer, _, row, column, _, rows, columns)
  if not vim.startswith(vim.api.nvim_get_mode().mode, 'n') then
    change[buffer] = nil
    return
  end
  local stop = { row + rows, rows > 0 and columns or column + columns }
  local is_after = (rows > 0 or columns > 0) and is_same(stop, before)
  change[buffer] = { after = is_after and { row, column } or nil }
end

--- Watches where the caret is when the text changes, from now on.
---@param buffer integer
function M.watch(buffer)
  if watched[buffer] then
    return
  end
  watched[buffer] = true
  vim.api.nvim_buf_attach(buffer, false, {
    on_bytes = on_bytes,
    on_detach = function() watched[buffer], change[buffer] = nil, nil end,
  })
end

-- The stretches of a text that are not in its clean text: first byte and the one after it, in order.
local function hidden(text)
  local stretches = {}
  local function add(start, stop) table.insert(stretches, { start, stop }) end
  for _, mark in ipairs(reading.marks(text)) do
    if mark.kind == 'deletion' or mark.kind == 'comment' then
      add(mark.start, mark.stop)
    else
      add(mark.start, mark.divider and mark.divider + 2 or mark.start + 3)
      add(mark.stop - 3, mark.stop)
    end
  end
  table.sort(stretches, function(one, other) return one[1] < other[1] end)
  return stretches
end

-- The text around a place in the buffer, the place in it, and how many lines are before it.
local function around(buffer, place)
  local first = math.max(0, place[1] - AROUND)
  local lines = vim.api.nvim_buf_get_lines(buffer, first, place[1] + AROUND, false)
  local at = place[2] + 1
  for row = 1, place[1] - first do
    at = at + #lines[row] + 1
  end
  return table.concat(lines, '\n'), at, first
end

-- The place in the buffer of a place in such a text.
local function place_of(text, at, first)
  local head = text:sub(1, at - 1)
  local _, breaks = head:gsub('\n', '')
  return { first + breaks, #head:match('[^\n]*$') }
end

-- Where the caret is in the clean text if it is on a delimiter or on deleted text: on the next character of the line,
-- or where none is left, on the last.
local function shown(buffer, place)
  local text, at, first = around(buffer, place)
  local stretches, from = hidden(text), at
  for _, stretch in ipairs(stretches) do
    if stretch[1] <= at and at < stretch[2] then
      at = stretch[2]
    end
  end
  if at ~= from and (at > #text or text:sub(at, at) == '\n') then
    at = from
    for index = #stretches, 1, -1 do
      local stretch = stretches[index]
      if stretch[1] < at and at <= stretch[2] or stretch[1] == from then
        at = stretch[1]
      end
    end
    local character = text:sub(1, at - 1):match('[^\128-\191\n][\128-\191]*$')
    at = character and at - #character or from
  end
  return place_of(text, at, first)
end

-- Before the deletion that the caret is in or after, or where it is.
local function before_deletion(buffer, place)
  local text, at, first = around(buffer, place)
  for _, mark in ipairs(reading.marks(text)) do
    if mark.kind == 'deletion' and mark.start < at and at <= mark.stop then
      return place_of(text, mark.start, first)
    end
  end
  return place
end

--- Remembers the caret; the result puts it back. In normal mode it sits on a character, and goes with it after the
--- marks that are put in before that. In insert mode, and where text was deleted backwards, it stays before them, so
--- that the same key goes on there.
---@param buffer integer
---@return fun() restore
function M.keep(buffer)
  if vim.api.nvim_get_current_buf() ~= buffer then
    return function() end
  end
  local view, mode, at, last = vim.fn.winsaveview(), vim.api.nvim_get_mode().mode, caret(), change[buffer]
  if last and last.place and not is_same(last.place, at) then
    last = nil
  end
  local is_normal = vim.startswith(mode, 'n') and not vim.startswith(mode, 'ni')
  local is_after = is_normal and last and is_same(last.after, at)
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, at[1], at[2], {
    right_gravity = is_normal and not is_after,
  })
  return function()
    local place = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, {})
    vim.api.nvim_buf_del_extmark(buffer, namespace, mark)
    if is_after then
      place = before_deletion(buffer, place)
    elseif is_normal and last then
      place = shown(buffer, place)
    end
    -- With the column that the next step up or down aims at: marks in this line are no reason to change it.
    vim.fn.winrestview({ lnum = place[1] + 1, col = place[2], curswant = view.curswant })
    change[buffer] = last and { place = caret(), after = is_after and caret() or nil } or nil
  end
end

return M
