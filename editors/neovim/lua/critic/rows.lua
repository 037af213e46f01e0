-- Changes as rows of a table: number, kind, author, date, the text around, and its comments.

local changes = require('critic.changes')
local notes = require('critic.notes')
local threads = require('critic.threads')

local M = {}

-- How much of the line before and after a change is shown, and of the change, in characters.
local AROUND, MOST = 24, 60

local GROUPS = {
  addition = 'CriticAddition',
  deletion = 'CriticDeletion',
  highlight = 'CriticHighlight',
  comment = 'CriticComment',
}

local function given(text) return type(text) == 'string' and text or '' end

local function flat(text) return changes.flat(given(text)) end

-- Neovim is asked only where characters are not bytes: there may be thousands of rows.
local function is_plain(text) return not text:find('[^\32-\126]') end

local function width_of(text) return is_plain(text) and #text or vim.fn.strdisplaywidth(text) end

local function first(text, count)
  if #text <= count then
    return text
  elseif is_plain(text) then
    return text:sub(1, count) .. '…'
  end
  return vim.fn.strchars(text) > count and vim.fn.strcharpart(text, 0, count) .. '…' or text
end

local function last(text, count)
  if #text <= count then
    return text
  elseif is_plain(text) then
    return '…' .. text:sub(-count)
  end
  local length = vim.fn.strchars(text)
  return length > count and '…' .. vim.fn.strcharpart(text, length - count) or text
end

-- What the comments say, each with its author.
local function comments_of(change)
  local told = {}
  for _, comment in ipairs(changes.comments(change)) do
    local head = threads.head(comment)
    table.insert(told, (head.author and head.author .. ': ' or '') .. changes.flat(head.text))
  end
  return told
end

-- The parts of a row's text: each with its group.
local function parts_of(change)
  local old, new = flat(change.old), flat(change.new)
  if change.kind == 'comment' then
    old, new = '', ''
  end
  local parts = { { last(given(change.before):match('[^\n]*$'), AROUND) } }
  if old ~= '' and old ~= new then
    table.insert(parts, { '“' .. first(old, MOST) .. '”', 'CriticDeletion' })
  end
  if old ~= '' and new ~= '' and old ~= new then
    table.insert(parts, { ' → ' })
  end
  if new ~= '' then
    table.insert(parts, { '“' .. first(new, MOST) .. '”', GROUPS[change.kind] or 'CriticAddition' })
  end
  table.insert(parts, { first(given(change.after):match('^[^\n]*'), AROUND) })
  for _, comment in ipairs(comments_of(change)) do
    table.insert(parts, { ' — ' })
    table.insert(parts, { comment, change.resolved == true and 'CriticResolved' or 'CriticCommentText' })
  end
  return parts
end

-- The columns before the text.
local function columns_of(change)
  return { tostring(change.number), change.kind, given(change.author), notes.date(given(change.date)) or '' }
end

local function padded(text, width) return text .. (' '):rep(width - width_of(text)) end

--- The rows of some changes, and what is coloured in each: bytes from 0.
---@param list critic.Change[]
---@return string[] lines
---@return { from: integer, to: integer, group: string }[][]
function M.lines(list)
  local widths, table_of = {}, {}
  for row, change in ipairs(list) do
    table_of[row] = columns_of(change)
    for column, text in ipairs(table_of[row]) do
      widths[column] = math.max(widths[column] or 0, width_of(text))
    end
  end
  local lines, colours = {}, {}
  for row, change in ipairs(list) do
    local line = ''
    for column, text in ipairs(table_of[row]) do
      if column == 1 then
        line = (' '):rep(widths[1] - #text) .. text
      elseif widths[column] > 0 then
        line = line .. '  ' .. padded(text, widths[column])
      end
    end
    line = line .. '  '
    colours[row] = {}
    for _, part in ipairs(parts_of(change)) do
      if part[2] then
        table.insert(colours[row], { from = #line, to = #line + #part[1], group = part[2] })
      end
      line = line .. part[1]
    end
    lines[row] = line
  end
  return lines, colours
end

return M
