-- `:CriticView`: what the text is without its marks, in a window beside it that follows it.

local reading = require('critic.reading')
local rest = require('critic.rest')
local server = require('critic.server')

local M = {}

-- How long the text must rest before its view is brought up to date, in milliseconds.
local REST = 200
-- By buffer: its open view.
local views = {}

--- The lines of a text that the server gave.
---@param text string
---@return string[]
function M.lines(text)
  local lines = vim.split(text, '\r?\n')
  if lines[#lines] == '' then
    table.remove(lines)
  end
  return lines
end

-- How many lines of the text up to each row are not in the variant.
local function missing(buffer, variant)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  local left_out = { comment = true, [variant == 'clean' and 'deletion' or 'addition'] = true }
  local steps = {}
  for _, mark in ipairs(variant == 'markup' and {} or reading.marks(text)) do
    local start, stop = mark.start, mark.stop
    if mark.divider and variant == 'clean' then
      stop = mark.divider
    elseif mark.divider then
      start = mark.divider
    elseif not left_out[mark.kind] then
      stop = start
    end
    -- What is in another mark is not in order here; it has hardly ever lines of its own.
    if mark.depth > 0 then
      stop = start
    end
    local _, count = text:sub(start, stop - 1):gsub('\n', '')
    if count > 0 then
      table.insert(steps, { stop = stop, count = count })
    end
  end
  local byte = 1
  local rows, total, step = {}, 0, 1
  for row, line in ipairs(vim.split(text, '\n', { plain = true })) do
    byte = byte + #line + 1
    while steps[step] and steps[step].stop <= byte do
      total, step = total + steps[step].count, step + 1
    end
    rows[row] = total
  end
  return rows
end

-- Scrolls the view to where the text is.
local function follow(buffer)
  local view, window = views[buffer], vim.api.nvim_get_current_win()
  if not view or not view.missing or vim.api.nvim_win_get_buf(window) ~= buffer then
    return
  end
  local here = vim.fn.winsaveview()
  local function place(row) return math.max(1, row - (view.missing[row] or 0)) end
  vim.api.nvim_win_call(view.window, function()
    local last = vim.api.nvim_buf_line_count(view.shown)
    vim.fn.winrestview({
      topline = math.min(last, place(here.topline)),
      lnum = math.min(last, place(here.lnum)),
      col = 0,
    })
  end)
end

local function refresh(buffer)
  local view = views[buffer]
  server.execute(buffer, 'export', { variant = view.variant }, function(text)
    -- It may have been closed, or show another variant by now.
    if views[buffer] ~= view then
      return
    end
    vim.bo[view.shown].modifiable = true
    vim.api.nvim_buf_set_lines(view.shown, 0, -1, false, M.lines(text))
    vim.bo[view.shown].modifiable = false
    view.missing = missing(buffer, view.variant)
    follow(buffer)
  end)
end

local refresh_soon = rest.after(REST, function(buffer)
  if views[buffer] then
    refresh(buffer)
  end
end)

local function close(buffer)
  local view = views[buffer]
  if view and vim.api.nvim_buf_is_valid(view.shown) then
    vim.api.nvim_buf_delete(view.shown, { force = true })
  end
end

local function open(buffer, variant)
  local window = vim.api.nvim_get_current_win()
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t')
  local shown = vim.api.nvim_create_buf(false, true)
  vim.cmd('rightbelow vertical sbuffer ' .. shown)
  vim.bo[shown].bufhidden = 'wipe'
  pcall(vim.api.nvim_buf_set_name, shown, 'critic://' .. variant .. '/' .. name)
  views[buffer] = { variant = variant, shown = shown, window = vim.api.nvim_get_current_win() }
  -- Vim's own syntax: with the file type of the text the server would come here too.
  vim.bo[shown].syntax = 'markdown'
  vim.bo[shown].modifiable = false
  vim.api.nvim_buf_set_keymap(shown, 'n', 'q', '<Cmd>close<CR>', { noremap = true, silent = true })
  vim.api.nvim_set_current_win(window)

  local group = vim.api.nvim_create_augroup('critic-view-' .. buffer, {})
  local function on(events, of, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = of, callback = callback })
  end
  on({ 'TextChanged', 'TextChangedI' }, buffer, function() refresh_soon(buffer) end)
  on({ 'CursorMoved', 'CursorMovedI' }, buffer, function() follow(buffer) end)
  vim.api.nvim_create_autocmd('WinScrolled', { group = group, callback = function() follow(buffer) end })
  on('BufWipeout', shown, function()
    views[buffer] = nil
    vim.api.nvim_del_augroup_by_id(group)
  end)
  on('BufDelete', buffer, function() vim.schedule(function() close(buffer) end) end)
  refresh(buffer)
end

--- Opens the view; closes it if it shows this variant already.
---@param buffer integer
---@param variant critic.Variant
function M.toggle(buffer, variant)
  local open_variant = views[buffer] and views[buffer].variant
  close(buffer)
  if open_variant ~= variant and server.client(buffer) then
    open(buffer, variant)
  end
end

return M
