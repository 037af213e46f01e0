-- Colours for the five kinds of marks, and delimiters that can be hidden. Only what a window shows is read, with some
-- lines around it, so that a long document costs no more than a short one.

local options = require('critic.options')
local reading = require('critic.reading')

local M = {}

-- Groups, and what they look like; in this order.
local LOOKS = {
  { 'CriticAddition', 'DiffAdd' },
  { 'CriticDeletion', 'DiffDelete' },
  { 'CriticSubstitutionOld', 'CriticDeletion' },
  { 'CriticSubstitutionNew', 'CriticAddition' },
  { 'CriticHighlight', 'DiffText' },
  { 'CriticComment', 'SpecialComment' },
  { 'CriticDelimiter', 'NonText' },
}

-- How many lines around what is shown are read, to find where its marks begin and end.
local AROUND = 100
-- More than this is not read: the lines are too long.
local MOST_BYTES = 256 * 1024
-- Above what Treesitter and the server colour.
local PRIORITY = 150

local namespace = vim.api.nvim_create_namespace('critic-highlighting')
local attached = {}
-- By buffer: what was read last, as long as the text is that.
local read = {}

-- Neovim 0.7: the colours of a group, as `:highlight` takes them.
local function colours_of(model)
  local gui, terminal = vim.api.nvim_get_hl_by_name(model, true), vim.api.nvim_get_hl_by_name(model, false)
  local told = ''
  for name, key in pairs({ fg = 'foreground', bg = 'background' }) do
    told = told .. (gui[key] and (' gui%s=#%06x'):format(name, gui[key]) or '')
    told = told .. (terminal[key] and (' cterm%s=%d'):format(name, terminal[key]) or '')
  end
  return told
end

-- The groups, unless the user has made them. Where Neovim can, they take the place of what is there, or Treesitter
-- would strike `{~~old~>new~~}` through as a whole.
local function define_groups()
  for _, look in ipairs(LOOKS) do
    local group, model = unpack(look)
    if vim.api.nvim_get_hl then
      local looks = vim.api.nvim_get_hl(0, { name = model, link = false })
      looks.nocombine, looks.default = true, true
      if looks.cterm then
        looks.cterm.nocombine = true
      end
      if group == 'CriticDeletion' then
        looks.strikethrough = true
        looks.cterm = vim.tbl_extend('force', looks.cterm or { nocombine = true }, { strikethrough = true })
      end
      vim.api.nvim_set_hl(0, group, looks)
    elseif group == 'CriticDeletion' then
      vim.cmd('highlight default ' .. group .. ' cterm=strikethrough gui=strikethrough' .. colours_of(model))
    else
      vim.cmd('highlight default link ' .. group .. ' ' .. model)
    end
  end
end

-- Appends a stretch of the text to the rows it is on.
local function add(rows, starts, start, stop, group, depth)
  if start >= stop then
    return
  end
  local low, high = 1, #starts
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if starts[middle] <= start then
      low = middle
    else
      high = middle - 1
    end
  end
  while starts[low] and starts[low] < stop do
    local ends = starts[low + 1] and starts[low + 1] - 1 or math.huge
    rows[low] = rows[low] or {}
    table.insert(rows[low], {
      math.max(start, starts[low]) - starts[low],
      math.min(stop, ends) - starts[low],
      group,
      depth,
    })
    low = low + 1
  end
end

local CONTENT = {
  addition = 'CriticAddition',
  deletion = 'CriticDeletion',
  highlight = 'CriticHighlight',
  comment = 'CriticComment',
}

-- The stretches to colour, by line from 1: first byte, byte after, group, depth.
local function stretches(lines)
  local starts, at = {}, 1
  for index, line in ipairs(lines) do
    starts[index] = at
    at = at + #line + 1
  end
  local rows = {}
  for _, mark in ipairs(reading.marks(table.concat(lines, '\n'))) do
    local first, last, depth = mark.start + 3, mark.stop - 3, mark.depth
    if mark.divider then
      add(rows, starts, first, mark.divider, 'CriticSubstitutionOld', depth)
      add(rows, starts, mark.divider, mark.divider + 2, 'CriticDelimiter', depth)
      add(rows, starts, mark.divider + 2, last, 'CriticSubstitutionNew', depth)
    else
      add(rows, starts, first, last, CONTENT[mark.kind], depth)
    end
    add(rows, starts, mark.start, first, 'CriticDelimiter', depth)
    add(rows, starts, last, mark.stop, 'CriticDelimiter', depth)
  end
  return rows
end

local function size(lines)
  local bytes = 0
  for _, line in ipairs(lines) do
    bytes = bytes + #line
  end
  return bytes
end

-- Reads what a window shows, unless that is known.
local function on_window(_, _, buffer, top, bottom)
  if not attached[buffer] then
    return false
  end
  local tick, known = vim.api.nvim_buf_get_changedtick(buffer), read[buffer]
  if known and known.tick == tick and top >= known.top and bottom <= known.bottom then
    return
  end
  local first = math.max(0, top - AROUND)
  local last = math.min(vim.api.nvim_buf_line_count(buffer), bottom + AROUND)
  local lines = vim.api.nvim_buf_get_lines(buffer, first, last, false)
  read[buffer] = {
    tick = tick,
    -- It must be read anew before the window comes to where marks may begin outside.
    top = first == 0 and 0 or first + AROUND / 2,
    bottom = last == vim.api.nvim_buf_line_count(buffer) and math.huge or last - AROUND / 2,
    first = first,
    rows = size(lines) <= MOST_BYTES and stretches(lines) or {},
  }
end

local function is_concealed(group)
  local is_deleted = group == 'CriticDeletion' or group == 'CriticSubstitutionOld'
  return options.conceal and group == 'CriticDelimiter' or options.conceal == 'deleted' and is_deleted
end

local function on_line(_, _, buffer, row)
  local known = read[buffer]
  for _, stretch in ipairs(known and known.rows[row - known.first + 1] or {}) do
    local group = stretch[3]
    vim.api.nvim_buf_set_extmark(buffer, namespace, row, stretch[1], {
      end_row = row,
      end_col = stretch[2],
      hl_group = group,
      conceal = is_concealed(group) and '' or nil,
      ephemeral = true,
      priority = PRIORITY + stretch[4],
    })
  end
end

-- Vim's own syntax of Markdown takes `~~` in a substitution for struck text, and `>` for an error in HTML.
local DELIMITERS = [[/{++\|++}\|{--\|--}\|{\~\~\|\~\~}\|\~>\|{==\|==}\|{>>\|<<}/]]

local function take_delimiters(buffer)
  vim.api.nvim_buf_call(buffer, function()
    vim.cmd('silent! syntax clear CriticDelimiter')
    vim.cmd('syntax match CriticDelimiter ' .. DELIMITERS)
    vim.cmd('syntax cluster markdownInline add=CriticDelimiter')
  end)
end

-- Windows of the buffer hide what is to be concealed, but not in the caret's line.
local function conceal(buffer)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function() vim.cmd('setlocal conceallevel=2') end)
  end
end

--- Colours the marks of a buffer from now on.
---@param buffer integer
function M.attach(buffer)
  if not next(attached) then
    vim.api.nvim_set_decoration_provider(namespace, { on_win = on_window, on_line = on_line })
  end
  attached[buffer] = true
  define_groups()
  local group = vim.api.nvim_create_augroup('critic-highlighting-' .. buffer, {})
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = define_groups })
  vim.api.nvim_create_autocmd('BufDelete', {
    group = group,
    buffer = buffer,
    callback = function()
      attached[buffer], read[buffer] = nil, nil
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
  if vim.bo[buffer].syntax ~= '' then
    take_delimiters(buffer)
  end
  vim.api.nvim_create_autocmd('Syntax', {
    group = group,
    buffer = buffer,
    callback = function() take_delimiters(buffer) end,
  })
  if options.conceal then
    conceal(buffer)
    vim.api.nvim_create_autocmd('BufWinEnter', {
      group = group,
      buffer = buffer,
      callback = function() conceal(buffer) end,
    })
  end
end

return M
