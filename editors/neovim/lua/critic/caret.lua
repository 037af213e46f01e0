-- The caret as a place in the text, while marks are put in around it.

local M = {}

local namespace = vim.api.nvim_create_namespace('critic')
local watched = {}
-- Where the caret was when the last key came in normal mode.
local before
-- By buffer: where the caret is since the last change took the text right before it, until it moves.
local behind = {}

local function caret()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return { row - 1, column }
end

local function is_same(place, other)
  return place ~= nil and other ~= nil and place[1] == other[1] and place[2] == other[2]
end

-- `CursorMoved` would not do: it does not come between keys that were typed ahead.
local function on_key()
  local buffer = vim.api.nvim_get_current_buf()
  if not watched[buffer] then
    return
  end
  local mode = vim.api.nvim_get_mode().mode
  if mode == 'n' then
    before = caret()
    if not is_same(behind[buffer], before) then
      behind[buffer] = nil
    end
  elseif not vim.startswith(mode, 'no') then
    behind[buffer] = nil
  end
end

local function on_bytes(_, buffer, _, row, column, _, rows, columns)
  local is_deletion = rows > 0 or columns > 0
  local stop = { row + rows, rows > 0 and columns or column + columns }
  local is_normal = vim.startswith(vim.api.nvim_get_mode().mode, 'n')
  behind[buffer] = is_normal and is_deletion and is_same(stop, before) and { row, column } or nil
end

function M.watch(buffer)
  if watched[buffer] then
    return
  end
  watched[buffer] = true
  vim.on_key(on_key, namespace)
  vim.api.nvim_buf_attach(buffer, false, {
    on_bytes = on_bytes,
    on_detach = function() watched[buffer], behind[buffer] = nil, nil end,
  })
end

-- Remembers the caret; the result puts it back. In normal mode it sits on a character, and goes with it behind the
-- marks that are put in before that. In insert mode, and where text was deleted backwards, it stays before them, so
-- that the same key goes on there.
function M.keep(buffer)
  if vim.api.nvim_get_current_buf() ~= buffer then
    return function() end
  end
  local view, mode = vim.fn.winsaveview(), vim.api.nvim_get_mode().mode
  local at = caret()
  local was_behind = is_same(behind[buffer], at) and vim.startswith(mode, 'n')
  local stays = was_behind or not vim.startswith(mode, 'n') or vim.startswith(mode, 'ni')
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, at[1], at[2], { right_gravity = not stays })
  return function()
    local place = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, {})
    vim.api.nvim_buf_del_extmark(buffer, namespace, mark)
    -- With the column that the next step up or down aims at: marks in this line are no reason to change it.
    vim.fn.winrestview({ lnum = place[1] + 1, col = place[2], curswant = view.curswant })
    behind[buffer] = was_behind and place or nil
  end
end

return M
