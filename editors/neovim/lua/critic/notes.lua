-- Comments below the paragraph that they are in: one line each, longer ones wrapped, answers indented.

local looks = require('critic.looks')
local options = require('critic.options')

local M = {}

-- More lines of a comment are not shown, nor more bytes read.
local MOST_LINES, MOST_BYTES = 12, 4000
-- The text begins on the next line where less than this is left beside the author.
local LEAST = 20

local DIGITS = { [0] = '⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹' }
local MONTHS = { 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec' }

-- By buffer, where the user has said so: whether comments are shown below.
---@type table<integer, boolean>
local shown = {}

--- Whether the comments of a buffer are shown below its paragraphs. Where no delimiters are hidden they are in
--- the text.
---@param buffer integer
---@return boolean
function M.are_shown(buffer)
  if shown[buffer] ~= nil then
    return shown[buffer]
  end
  return options.comments and options.conceal ~= false
end

--- Shows the comments below, or not any more.
---@param buffer integer
function M.toggle(buffer) shown[buffer] = not M.are_shown(buffer) end

--- A buffer is gone.
---@param buffer integer
function M.forget(buffer) shown[buffer] = nil end

--- A number in raised digits.
---@param number integer
---@return string[]
function M.digits(number)
  local digits = {}
  for digit in tostring(number):gmatch('%d') do
    table.insert(digits, vim.o.ambiwidth == 'double' and digit or DIGITS[tonumber(digit)])
  end
  return digits
end

--- A date as it is read: without the year where that is this one.
---@param date? string
---@return string?
function M.date(date)
  local year, month, day = (date or ''):match('^(%d+)-(%d+)-(%d+)')
  if not year or not MONTHS[tonumber(month)] then
    return date
  end
  local told = ('%d %s'):format(tonumber(day), MONTHS[tonumber(month)])
  return year == os.date('%Y') and told or told .. ' ' .. year
end

-- Breaks a word that is wider than a line.
local function broken(word, width)
  local parts, part = {}, ''
  for _, character in ipairs(vim.fn.split(word, '\\zs')) do
    if part ~= '' and vim.fn.strdisplaywidth(part .. character) > width then
      table.insert(parts, part)
      part = ''
    end
    part = part .. character
  end
  table.insert(parts, part)
  return parts
end

-- A text in lines, the first as wide as `first`, the others as wide as `width`.
local function wrapped(text, first, width)
  local lines, line = {}, nil
  local function room() return #lines == 0 and first or width end
  for word in text:gmatch('%S+') do
    for index, part in ipairs(broken(word, width)) do
      local longer = line and (index == 1 and line .. ' ' .. part or line .. part) or part
      if (line or first < width) and vim.fn.strdisplaywidth(longer) > room() then
        table.insert(lines, line or '')
        longer = part
      end
      line = longer
    end
  end
  table.insert(lines, line or '')
  if #lines > MOST_LINES then
    lines = vim.list_slice(lines, 1, MOST_LINES)
    lines[MOST_LINES] = lines[MOST_LINES] .. ' …'
  end
  return lines
end

--- The beginning of a text, not in the middle of a character.
---@param text string
---@param most integer how many bytes
---@return string
function M.beginning(text, most)
  if #text <= most then
    return text
  end
  return (text:sub(1, most):gsub('[\192-\255][\128-\191]*$', '')) .. ' …'
end

-- The lines of one comment: lists of text and group.
local function lines_of(head, sign, indent, width, is_resolved)
  local head_group = is_resolved and 'CriticResolved' or 'CriticCommentHead'
  local text_group = is_resolved and 'CriticResolved' or 'CriticCommentText'
  local who = table.concat({ head.author, M.date(head.date) }, ' ')
  if not head.author then
    who = M.date(head.date) or ''
  end
  local margin = (' '):rep(indent)
  local room = math.max(LEAST, width - indent)
  local taken = who == '' and 0 or vim.fn.strdisplaywidth(who) + 2
  local first = room - taken < LEAST and 0 or room - taken
  local lines = {}
  for index, line in ipairs(wrapped(M.beginning(head.text, MOST_BYTES), first, room)) do
    if index == 1 then
      local before = margin:sub(1, math.max(0, indent - vim.fn.strdisplaywidth(sign))) .. sign
      local author, rest = head.author or '', who == '' and '' or who .. '  '
      local author_groups = head.author and { head_group, looks.author(author) } or head_group
      table.insert(lines, {
        { before, head_group },
        { author, author_groups },
        { rest:sub(#author + 1), head_group },
        { line, text_group },
      })
    else
      table.insert(lines, { { margin, text_group }, { line, text_group } })
    end
  end
  return lines
end

--- The lines of a thread below its paragraph.
---@param thread critic.Thread
---@param width integer of the window's text
---@return table[] lines as `virt_lines` takes them
function M.lines(thread, width)
  local lines = {}
  local sign = table.concat(M.digits(thread.number)) .. ' '
  local indent = vim.fn.strdisplaywidth(sign)
  for index, comment in ipairs(thread.comments) do
    local is_first = index == 1
    local mark, margin = is_first and sign or '', is_first and indent or indent + 2
    vim.list_extend(lines, lines_of(comment.head, mark, margin, width, thread.is_resolved))
  end
  return lines
end

return M
