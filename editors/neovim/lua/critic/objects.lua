-- Text objects: the change at the caret with its delimiters and comments, or what is between its delimiters. Where the
-- marks lie beside the text, both are what it has of the change.

local sight = require('critic.sight')

local M = {}

-- The innermost mark at a byte.
local function mark_at(seen, at)
  local found
  for _, mark in ipairs(seen.marks) do
    if mark.start <= at and at < mark.stop and (not found or mark.depth > found.depth) then
      found = mark
    end
  end
  return found
end

-- Where a change is that lies beside the text at a byte.
local function placed_at(seen, at)
  for _, one in ipairs(seen.placed) do
    local start = seen.starts[one.row - seen.first + 1] + one.column
    local last = seen.starts[one.end_row - seen.first + 1]
    local stop = last and last + one.end_column or #seen.text + 1
    if start <= at and at < stop then
      return start, stop
    end
  end
end

-- From a change to the end of its comments; a comment belongs to its change.
local function around(seen, mark)
  local comments = {}
  for comment in pairs(seen.heads) do
    comments[comment.start] = comment
  end
  for _, thread in ipairs(seen.threads) do
    if thread.subject and mark.kind == 'comment' and thread.start <= mark.start and mark.start < thread.stop then
      mark = thread.subject
    end
  end
  local stop = mark.stop
  while comments[stop] do
    stop = comments[stop].stop
  end
  return mark.start, stop
end

-- What is between the delimiters: of a substitution the text that the caret is in.
local function inside(mark, at)
  local first, last = mark.start + 3, mark.stop - 3
  if mark.divider and at < mark.divider then
    return first, mark.divider
  end
  return mark.divider and mark.divider + 2 or first, last
end

-- The first byte of the object at the caret, the byte after it, and what was read.
local function found(which)
  local window, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  local row, column = unpack(vim.api.nvim_win_get_cursor(window))
  local seen = sight.read(window, buffer, row - 1, row - 1)
  local line = seen.starts[row - seen.first]
  if line and seen.placed then
    local start, stop = placed_at(seen, line + column)
    return start, stop, seen
  end
  local mark = line and mark_at(seen, line + column)
  if not mark then
    return nil
  end
  local start, stop
  if which == 'around' then
    start, stop = around(seen, mark)
  else
    start, stop = inside(mark, line + column)
  end
  if start < stop then
    return start, stop, seen
  end
end

local function go(seen, byte)
  local row = sight.row(seen, byte)
  vim.api.nvim_win_set_cursor(0, { seen.first + row, byte - seen.starts[row] })
end

--- Selects the object at the caret.
---@param which 'inside' | 'around'
function M.select(which)
  local start, stop, seen = found(which)
  if not start then
    return
  end
  if vim.api.nvim_get_mode().mode:find('^[vV\22]') then
    vim.cmd('normal! \27')
  end
  go(seen, start)
  vim.cmd('normal! v')
  go(seen, vim.o.selection == 'exclusive' and stop or stop - 1)
end

--- The keys that select it, for an expression mapping: where there is none, an operator is given up.
---@param which 'inside' | 'around'
---@return fun(): string
function M.keys(which)
  return function()
    if found(which) then
      return ("<Cmd>lua require('critic.objects').select('%s')<CR>"):format(which)
    end
    return vim.startswith(vim.api.nvim_get_mode().mode, 'no') and '<Esc>' or ''
  end
end

return M
