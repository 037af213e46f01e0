-- `<` for lines whose indentation was added: it is in a mark, where Neovim sees none.

local options = require('critic.options')

local M = {}

-- How often visual mode's `<` shifts.
local times = 1

-- What stands before a line's added indentation, and that; nil where there is none.
local function added(line)
  local before, indent = line:match('^({%+%+)([ \t]+)')
  if not before then
    before, indent = line:match('^({~~[ \t]*~>)([ \t]+)')
  end
  return before, indent
end

-- The indentation without one more step, as wide as Neovim's own would be.
local function shifted(indent)
  local step, width = vim.fn.shiftwidth(), vim.fn.strdisplaywidth(indent)
  local left = vim.o.shiftround and math.floor((width - 1) / step) * step or math.max(0, width - step)
  if vim.bo.expandtab then
    return (' '):rep(left)
  end
  return ('\t'):rep(math.floor(left / vim.bo.tabstop)) .. (' '):rep(left % vim.bo.tabstop)
end

local function shift(row)
  local line = vim.api.nvim_buf_get_lines(0, row, row + 1, false)[1]
  local before, indent = added(line)
  if not before then
    return vim.cmd('silent keepjumps ' .. row + 1 .. '<')
  end
  local left, start, stop = shifted(indent), #before, #before + #indent
  if left == '' and line:sub(1, stop + 3) == '{++' .. indent .. '++}' then
    start, stop = 0, stop + 3
  end
  vim.api.nvim_buf_set_text(0, row, start, row, stop, { left })
end

--- The operator: shifts the lines from `'[` to `']`.
function M.shift()
  local first, last = vim.api.nvim_buf_get_mark(0, '[')[1], vim.api.nvim_buf_get_mark(0, ']')[1]
  for _ = 1, times do
    for row = first, last do
      shift(row - 1)
    end
  end
  local line = vim.api.nvim_buf_get_lines(0, first - 1, first, false)[1]
  local before, indent = added(line)
  local column = before and #before + #indent or #line:match('^%s*')
  vim.api.nvim_win_set_cursor(0, { first, math.min(column, math.max(0, #line - 1)) })
end

local OPERATOR = "v:lua.require'critic.indent'.shift"

local function operator(counts)
  return function()
    times = counts and vim.v.count1 or 1
    vim.go.operatorfunc = OPERATOR
    return 'g@'
  end
end

-- The key pressed twice means the line.
local function line()
  return vim.v.operator == 'g@' and vim.go.operatorfunc == OPERATOR and '_' or '<'
end

--- The key in a buffer, where the user has none of their own for it.
---@param buffer integer
function M.map(buffer)
  if not options.indent then
    return
  end
  for mode, keys in pairs({ n = operator(false), x = operator(true), o = line }) do
    if vim.tbl_isempty(vim.fn.maparg('<', mode, false, true)) then
      vim.keymap.set(mode, '<', keys, { buffer = buffer, expr = true, desc = 'Shift left, in marks too' })
    end
  end
end

return M
