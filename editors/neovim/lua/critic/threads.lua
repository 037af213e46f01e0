-- The comments of a text: who wrote each and when, and which answer which. As the server reads them; where both differ,
-- the server's reading counts.

local M = {}

--- What a comment begins with, and what it says.
---@class critic.Head
---@field author? string as it is shown
---@field date? string as it is written
---@field is_resolved boolean
---@field text string all behind the author and the date
---@field is_attribution boolean whether it only says who made the change before it

--- Comments that touch each other: the first, and its answers.
---@class critic.Thread
---@field start integer the first byte of the first
---@field stop integer the byte after the last
---@field is_resolved boolean
---@field comments { mark: critic.Mark, head: critic.Head }[]
---@field subject? critic.Mark what it is about
---@field number integer counted in its paragraph
---@field row integer the last row of that, among the lines that were read, from 0
---@field place? { row: integer, column: integer } where its number belongs, if its marks lie beside the text

local function is_name(word)
  return #word <= 64
    and word:find("^[%w_\128-\255][%w_\128-\255.:/+'@&-]*$") ~= nil
    and word:find('[%w_\128-\255]$') ~= nil
end

local function shown(name) return (name:gsub('_', ' ')) end

-- The name that a comment begins with, what is behind it, and whether a colon is between.
local function name_in(text)
  local word, rest = text:match('^@(%S+)(.*)$')
  if not word then
    return nil
  elseif word:sub(-1) == ':' then
    word = word:sub(1, -2)
    if is_name(word) then
      return shown(word), rest, true
    end
    return nil
  elseif is_name(word) and (rest:find('^%s*$') or rest:find('^%s*|%s') or rest:find('^%s*|$')) then
    return shown(word), rest, false
  end
  local words, behind = text:sub(1, 65):match('^@([^:]+):()%s')
  if not words then
    return nil
  end
  for one in words:gmatch('[^ ]+') do
    if not is_name(one) or not one:find('^[%u\128-\255]') then
      return nil
    end
  end
  return shown(words), text:sub(behind), true
end

-- The date that a text begins with, with its time, and what is behind it and its separator.
local function date_in(text)
  local day, rest = text:match('^(%d%d%d%d%-%d%d%-%d%d)(.*)$')
  if not day then
    return nil
  end
  local time = rest:match('^[T ]%d%d:%d%d[%d:.]*') or ''
  local zone = time ~= '' and (rest:match('^Z', #time + 1) or rest:match('^[+-]%d%d:%d%d', #time + 1)) or ''
  rest = rest:sub(#time + #zone + 1)
  if rest:find('^%s*$') then
    return day .. time .. zone, ''
  end
  local behind = rest:match('^:()%s') or rest:match('^%s*|()%s') or rest:match('^%s*|()$') or rest:match('^:()$')
  if behind then
    return day .. time .. zone, rest:sub(behind), true
  end
end

--- Reads what is between a comment's delimiters.
---@param content string
---@return critic.Head
function M.head(content)
  local text = content:match('^%s*(.*)$')
  local head = { is_resolved = false, is_attribution = false }
  local author, rest, has_colon = name_in(text)
  if author then
    head.author, text = author, rest
    head.is_attribution = not has_colon and rest:find('^%s*$') ~= nil
    local behind = rest:match('^%s*|%s*(.*)$')
    local date, said, has_separator = date_in(behind or '')
    if date then
      head.date, text = date, said
      head.is_attribution = not has_separator
    elseif behind then
      text = behind
    end
  end
  head.text = vim.trim(text)
  head.is_resolved = head.text:sub(1, 10):lower() == '[resolved]'
  return head
end

--- The threads of a text, from the first to the last; and what each comment begins with, but for those in comments.
---@param text string
---@param marks critic.Mark[]
---@return critic.Thread[]
---@return table<critic.Mark, critic.Head>
function M.of(text, marks)
  local starting, ending, comments = {}, {}, {}
  for _, mark in ipairs(marks) do
    if mark.kind == 'comment' then
      starting[mark.start] = mark
      table.insert(comments, mark)
    else
      ending[mark.stop] = mark
    end
  end
  table.sort(comments, function(one, other) return one.start < other.start end)
  local threads, heads, covered = {}, {}, 0
  for _, first in ipairs(comments) do
    if first.start >= covered then
      local thread = { start = first.start, subject = ending[first.start], comments = {} }
      local mark = first
      while mark do
        local head = M.head(text:sub(mark.start + 3, mark.stop - 4))
        heads[mark] = head
        head.is_attribution = head.is_attribution and mark == first and thread.subject ~= nil
        if head.is_attribution then
          thread.start = mark.stop
        else
          table.insert(thread.comments, { mark = mark, head = head })
        end
        covered = mark.stop
        mark = starting[covered]
      end
      if thread.comments[1] then
        thread.stop, thread.is_resolved = covered, thread.comments[1].head.is_resolved
        table.insert(threads, thread)
      end
    end
  end
  return threads, heads
end

return M
