-- What is put beside and below the lines that are shown: signs, and comments. Looked at anew when the text has changed
-- or other lines come into sight; what is there already stays.

local beside = require('critic.beside')
local changes = require('critic.changes')
local notes = require('critic.notes')
local options = require('critic.options')
local rest = require('critic.rest')
local sight = require('critic.sight')
local signs = require('critic.signs')

local M = {}

-- How long no key must come in insert mode before comments and signs follow what is written, in milliseconds.
local REST = 500
-- Behind what is deleted there.
local ABOVE = 200

local namespace = vim.api.nvim_create_namespace('critic-page')

--- What is known of a buffer's page.
---@class critic.Page
---@field windows table<integer, { top: integer, bottom: integer }> what each window shows
---@field drawn table<integer, { tick: integer, top: integer, bottom: integer, width: integer }> and what it had then
---@field placed table<integer, string> by extmark: what it shows
---@field is_due? boolean whether it is about to be drawn
---@field count? integer how many lines the text had then

---@type table<integer, critic.Page>
local pages = {}

-- How wide the text of a window is.
local function width_of(window)
  local info = vim.fn.getwininfo(window)[1]
  return vim.api.nvim_win_get_width(window) - (info and info.textoff or 0)
end

local function is_inserting(buffer)
  return vim.api.nvim_get_current_buf() == buffer and vim.api.nvim_get_mode().mode:find('^[iR]') ~= nil
end

-- What lines of text and groups are known by.
local function key_of(lines)
  local key = {}
  for _, line in ipairs(lines) do
    for _, chunk in ipairs(line) do
      local text, groups = unpack(chunk)
      table.insert(key, text)
      vim.list_extend(key, type(groups) == 'table' and groups or { groups })
    end
    table.insert(key, '\n')
  end
  return table.concat(key, '\0')
end

-- What stands in the text for a thread that lies beside it: its number, or what it says.
local function in_text(thread, has_notes)
  if has_notes then
    return { { table.concat(notes.digits(thread.number)), 'CriticCommentHead' } }
  end
  local chunks = {}
  for _, comment in ipairs(thread.comments) do
    local group = thread.is_resolved and 'CriticResolved' or 'CriticComment'
    table.insert(chunks, { '⟨' .. changes.flat(comment.head.text) .. '⟩', group })
  end
  return chunks
end

-- Adds what is wanted beside and below what a window shows, by row and what it is.
local function add_wanted(wanted, buffer, seen, width, has_notes)
  local function add(row, key, extmark, column)
    if row < vim.api.nvim_buf_line_count(buffer) then
      local one = { row = row, column = column or 0, extmark = extmark, key = key }
      wanted[row .. ' ' .. key] = wanted[row .. ' ' .. key] or one
    end
  end
  for row, kind in pairs(options.signs and signs.kinds(seen) or {}) do
    add(seen.first + row - 1, kind, signs.extmark(kind))
  end
  for _, thread in ipairs(seen.threads) do
    local at = thread.place
    if at then
      local chunks = in_text(thread, has_notes)
      -- The text beside it may be coloured.
      local extmark = vim.tbl_extend('force', beside.virtual(buffer, chunks), { priority = ABOVE, hl_mode = 'replace' })
      add(at.row, ('%d %s'):format(at.column, key_of({ chunks })), extmark, at.column)
    end
  end
  local below = {}
  for _, thread in ipairs(has_notes and seen.threads or {}) do
    below[thread.row] = vim.list_extend(below[thread.row] or {}, notes.lines(thread, width))
  end
  for row, lines in pairs(below) do
    add(seen.first + row, key_of(lines), { virt_lines = lines })
  end
end

-- Two windows of different widths would each want lines of their own: the narrowest has its way.
local function narrowest(windows)
  local least
  for _, window in ipairs(windows) do
    local width = width_of(window)
    least = least and math.min(least, width) or width
  end
  return math.max(1, least or 80)
end

local function is_compared(windows)
  for _, window in ipairs(windows) do
    if vim.wo[window].diff then
      return true
    end
  end
  return false
end

-- Returns whether something was put there or taken away.
local function place(buffer, page, wanted)
  local is_changed = false
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, {})) do
    local id, row = mark[1], mark[2]
    local key = row .. ' ' .. (page.placed[id] or '')
    if page.placed[id] and wanted[key] then
      wanted[key] = nil
    else
      vim.api.nvim_buf_del_extmark(buffer, namespace, id)
      page.placed[id] = nil
      is_changed = true
    end
  end
  for _, one in pairs(wanted) do
    page.placed[vim.api.nvim_buf_set_extmark(buffer, namespace, one.row, one.column, one.extmark)] = one.key
    is_changed = true
  end
  return is_changed
end

--- Puts what belongs there beside and below what is shown of a buffer.
---@param buffer integer
---@return boolean is_changed
function M.draw(buffer)
  local page = pages[buffer]
  if not page or not vim.api.nvim_buf_is_loaded(buffer) then
    return false
  end
  local windows, wanted = vim.fn.win_findbuf(buffer), {}
  local width, has_notes = narrowest(windows), notes.are_shown(buffer) and not is_compared(windows)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  page.drawn, page.count = {}, last + 1
  for _, window in ipairs(windows) do
    local shown = page.windows[window]
    if shown then
      local seen = sight.read(window, buffer, math.min(shown.top, last), math.min(shown.bottom, last))
      page.drawn[window] = { tick = seen.tick, top = seen.top, bottom = seen.bottom, width = width_of(window) }
      add_wanted(wanted, buffer, seen, width, has_notes)
    end
  end
  return place(buffer, page, wanted)
end

-- Draws a page after what is being drawn now.
local function draw_soon(buffer, page)
  if not page.is_due then
    page.is_due = true
    vim.schedule(function()
      page.is_due = nil
      M.draw(buffer)
    end)
  end
end

--- A window is drawn that shows these lines.
---@param window integer
---@param buffer integer
---@param top integer
---@param bottom integer
function M.see(window, buffer, top, bottom)
  local page = pages[buffer]
  if not page then
    return
  end
  page.windows[window] = { top = top, bottom = bottom }
  local drawn = page.drawn[window]
  local is_in = drawn and top >= drawn.top and bottom <= drawn.bottom
  local is_as_wide = drawn and drawn.width == width_of(window)
  local is_new = drawn and drawn.tick ~= vim.api.nvim_buf_get_changedtick(buffer) and not is_inserting(buffer)
  if not is_in or not is_as_wide or is_new then
    draw_soon(buffer, page)
  end
end

local draw_later = rest.after(REST, M.draw)

-- In insert mode the lines stay as they are while keys come, unless there is one more or less of them.
local function on_insert(buffer)
  local page = pages[buffer]
  if page.count ~= vim.api.nvim_buf_line_count(buffer) then
    if M.draw(buffer) and vim.fn.has('nvim-0.8') == 0 then
      -- Neovim 0.7 leaves on the screen what was below the line.
      vim.schedule(function() vim.cmd('redraw!') end)
    end
    return
  end
  draw_later(buffer)
end

--- Puts signs and comments on a buffer's page from now on.
---@param buffer integer
function M.attach(buffer)
  if pages[buffer] then
    return
  end
  pages[buffer] = { windows = {}, drawn = {}, placed = {} }
  local group = vim.api.nvim_create_augroup('critic-page-' .. buffer, {})
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback })
  end
  beside.watch(buffer, function()
    sight.forget(buffer)
    M.draw(buffer)
  end)
  -- Before the change itself is drawn, so that nothing jumps.
  on('TextChanged', function() M.draw(buffer) end)
  -- An empty line that was being written ends its paragraph now.
  on('InsertLeave', function()
    vim.schedule(function()
      sight.forget(buffer)
      M.draw(buffer)
    end)
  end)
  on('TextChangedI', function() on_insert(buffer) end)
  on('BufDelete', function()
    pages[buffer] = nil
    notes.forget(buffer)
    vim.api.nvim_del_augroup_by_id(group)
  end)
end

--- Shows the comments below the paragraphs, or in the text again.
---@param buffer integer
function M.toggle_comments(buffer)
  notes.toggle(buffer)
  sight.forget(buffer)
  M.draw(buffer)
  vim.cmd('redraw!')
end

return M
