-- Colours for the five kinds of marks, and delimiters that are hidden. Only what a window shows is coloured.

local looks = require('critic.looks')
local notes = require('critic.notes')
local options = require('critic.options')
local page = require('critic.page')
local sight = require('critic.sight')

local M = {}

-- Above what Treesitter and the server colour.
local PRIORITY = 150

local namespace = vim.api.nvim_create_namespace('critic-highlighting')
local attached = {}

local CONTENT = {
  addition = 'CriticAddition',
  deletion = 'CriticDeletion',
  highlight = 'CriticHighlight',
  comment = 'CriticComment',
}

-- Signs that some terminals show two cells wide can't stand for a character there.
local function narrow(sign, other) return vim.o.ambiwidth == 'double' and other or sign end

-- Collects stretches to colour or hide, by line from 1: first byte, byte after, group, depth, and what is shown in its
-- place.
local function collector(seen)
  local rows = {}
  return rows,
    function(start, stop, group, depth, cover)
      if start >= stop then
        return
      end
      local starts, row = seen.starts, sight.row(seen, start)
      while starts[row] and starts[row] < stop do
        local ends = starts[row + 1] and starts[row + 1] - 1 or math.huge
        rows[row] = rows[row] or {}
        table.insert(rows[row], {
          math.max(start, starts[row]) - starts[row],
          math.min(stop, ends) - starts[row],
          group,
          depth,
          -- Once, where it begins in several lines.
          cover and (start >= starts[row] and cover or ''),
        })
        row = row + 1
      end
    end
end

-- What is shown in the place of a thread: its number, where its comments are below, or signs around each comment.
local function cover_thread(buffer, thread, add)
  if not notes.are_shown(buffer) then
    for _, comment in ipairs(thread.comments) do
      local mark = comment.mark
      add(mark.start, mark.start + 3, 'CriticDelimiter', mark.depth, narrow('⟨', '<'))
      add(mark.stop - 3, mark.stop, 'CriticDelimiter', mark.depth, narrow('⟩', '>'))
    end
    return
  end
  local at, depth = thread.start, thread.comments[1].mark.depth + 1
  for _, digit in ipairs(notes.digits(thread.number)) do
    add(at, at + 1, 'CriticCommentHead', depth, digit)
    at = at + 1
  end
  add(at, thread.stop, nil, depth, '')
end

-- The stretches of what was read.
local function stretches(seen)
  local rows, add = collector(seen)
  local hides = options.conceal ~= false
  local hidden, hides_deleted = hides and '' or nil, options.conceal == 'deleted'
  local first_comments, resolved = {}, {}
  for mark in pairs(seen.heads) do
    first_comments[mark.start] = mark
  end
  for _, thread in ipairs(seen.threads) do
    for _, comment in ipairs(thread.comments) do
      resolved[comment.mark] = thread.is_resolved
    end
    if hides then
      cover_thread(seen.buffer, thread, add)
    end
  end
  local function add_comment(mark)
    local head = seen.heads[mark]
    if head and head.is_attribution then
      return add(mark.start, mark.stop, 'CriticAttribution', mark.depth, hidden)
    end
    local first, last = mark.start + 3, mark.stop - 3
    add(first, last, resolved[mark] and 'CriticResolved' or CONTENT.comment, mark.depth)
    add(mark.start, first, 'CriticDelimiter', mark.depth)
    add(last, mark.stop, 'CriticDelimiter', mark.depth)
  end
  local function add_change(mark)
    local first, last, depth = mark.start + 3, mark.stop - 3, mark.depth
    local old = hides_deleted and '' or nil
    if mark.divider then
      local is_between = first < mark.divider and mark.divider + 2 < last and not hides_deleted
      add(first, mark.divider, 'CriticSubstitutionOld', depth, old)
      local arrow = hides and is_between and narrow('→', '>')
      add(mark.divider, mark.divider + 2, 'CriticDelimiter', depth, arrow or hidden)
      add(mark.divider + 2, last, 'CriticSubstitutionNew', depth)
    else
      add(first, last, CONTENT[mark.kind], depth, mark.kind == 'deletion' and old or nil)
    end
    add(mark.start, first, 'CriticDelimiter', depth, hidden)
    add(last, mark.stop, 'CriticDelimiter', depth, hidden)
    local comment = first_comments[mark.stop]
    local author = comment and seen.heads[comment].author
    if author then
      local group = looks.author(author)
      add(first, mark.divider or last, group, depth + 1)
      add(mark.divider and mark.divider + 2 or last, last, group, depth + 1)
    end
  end
  for _, mark in ipairs(seen.marks) do
    if mark.kind == 'comment' then
      add_comment(mark)
    else
      add_change(mark)
    end
  end
  return rows
end

-- Reads what a window shows, unless that is known.
local function on_window(_, window, buffer, top, bottom)
  if not attached[buffer] then
    return false
  end
  local seen = sight.read(window, buffer, top, bottom)
  seen.rows = seen.rows or (seen.placed and {} or stretches(seen))
  page.see(window, buffer, top, bottom)
end

local function on_line(_, window, buffer, row)
  local seen = sight.known(window)
  for _, stretch in ipairs(seen and seen.rows and seen.rows[row - seen.first + 1] or {}) do
    local group = options.highlight and stretch[3] or nil
    if group or stretch[5] then
      vim.api.nvim_buf_set_extmark(buffer, namespace, row, stretch[1], {
        end_row = row,
        end_col = stretch[2],
        hl_group = group,
        conceal = stretch[5],
        ephemeral = true,
        priority = PRIORITY + stretch[4],
      })
    end
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
    vim.api.nvim_win_call(window, function() vim.cmd('setlocal conceallevel=2 concealcursor=') end)
  end
end

--- Colours the marks of a buffer from now on.
---@param buffer integer
function M.attach(buffer)
  if not next(attached) then
    vim.api.nvim_set_decoration_provider(namespace, { on_win = on_window, on_line = on_line })
  end
  attached[buffer] = true
  looks.define()
  local group = vim.api.nvim_create_augroup('critic-highlighting-' .. buffer, {})
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = looks.define })
  vim.api.nvim_create_autocmd('BufDelete', {
    group = group,
    buffer = buffer,
    callback = function()
      attached[buffer] = nil
      sight.forget(buffer)
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
