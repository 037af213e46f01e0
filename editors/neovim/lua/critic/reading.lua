-- Where the marks of a text are. A plain reading for colours, of a part of the document; the server's is the one that
-- counts. What it has in common with it: a closer pairs with the nearest open mark of its kind, marks nest, inside a
-- comment only another comment opens, a backslash or a caret takes an opener its meaning, and in code there are no
-- marks.

local M = {}

--- A mark of a text, in bytes from 1.
---@class critic.Mark
---@field kind 'addition' | 'deletion' | 'substitution' | 'highlight' | 'comment'
---@field start integer its first byte
---@field stop integer the byte after it
---@field depth integer how many marks it is in
---@field divider? integer where a substitution is divided

local OPENERS = {
  ['{++'] = 'addition',
  ['{--'] = 'deletion',
  ['{~~'] = 'substitution',
  ['{=='] = 'highlight',
  ['{>>'] = 'comment',
}
local CLOSERS = {
  ['++}'] = 'addition',
  ['--}'] = 'deletion',
  ['~~}'] = 'substitution',
  ['==}'] = 'highlight',
  ['<<}'] = 'comment',
}

-- Appends the code spans of a paragraph: runs of backticks with the next run of the same length.
local function add_spans(zones, text, first, last)
  local paragraph, at = text:sub(first, last), 1
  while true do
    local start, stop = paragraph:find('`+', at)
    if not start then
      return
    end
    at = stop + 1
    if paragraph:sub(start - 1, start - 1) ~= '\\' then
      local from = at
      repeat
        local closes, ends = paragraph:find('`+', from)
        from = closes and ends + 1
        if closes and ends - closes == stop - start then
          table.insert(zones, { first + start - 1, first + ends })
          at, from = from, nil
        end
      until not from
    end
  end
end

-- The code of a text, each as its first byte and the one after it, from the first to the last.
local function code(text)
  local zones = {}
  local paragraph, fence, at = nil, nil, 1
  while at <= #text do
    local stop = text:find('\n', at, true) or #text + 1
    local line = text:sub(at, stop - 1)
    -- A delimiter before a fence does not hide it; nor do quotes and lists.
    local marks, rest = line:match('^[%s>*-]*[{+=~-]*[%s>]*([`~]*)(.*)$')
    local opens = #marks >= 3 and (marks:find('^`+$') and not rest:find('`', 1, true) or marks:find('^~+$'))
    if fence then
      if opens and marks:sub(1, 1) == fence.marks:sub(1, 1) and #marks >= #fence.marks and rest:find('^%s*$') then
        table.insert(zones, { fence.start, stop })
        fence = nil
      end
    elseif opens or line:find('^%s*$') then
      if paragraph then
        add_spans(zones, text, paragraph, at - 1)
        paragraph = nil
      end
      if opens then
        fence = { marks = marks, start = stop - #marks - #rest }
      end
    else
      paragraph = paragraph or at
    end
    at = stop + 1
  end
  if paragraph then
    add_spans(zones, text, paragraph, #text)
  elseif fence then
    table.insert(zones, { fence.start, #text + 1 })
  end
  return zones
end

-- Whether an opener there is text: behind a caret, or behind backslashes that are not pairs.
local function is_text(text, opener)
  local before = opener - 1
  if text:sub(before, before) == '^' then
    return true
  end
  while text:sub(before, before) == '\\' do
    before = before - 1
  end
  return (opener - 1 - before) % 2 == 1
end

--- The marks of a text, from the first closer to the last.
---@param text string
---@return critic.Mark[]
function M.marks(text)
  local zones, zone = code(text), 1
  local open, marks, at = {}, {}, 1
  -- How many of each kind are open.
  local count = { addition = 0, deletion = 0, substitution = 0, highlight = 0, comment = 0 }

  -- Closes the innermost mark of a kind; those in it that are open still are none.
  local function close(kind, stop)
    local mark
    repeat
      mark = table.remove(open)
      count[mark.kind] = count[mark.kind] - 1
    until mark.kind == kind
    mark.stop, mark.depth = stop, #open
    if mark.kind ~= 'substitution' or mark.divider then
      table.insert(marks, mark)
    end
  end

  while true do
    local from = text:find('[{+~=<-][+~=<>-]', at)
    if not from then
      return marks
    end
    while zones[zone] and zones[zone][2] <= from do
      zone = zone + 1
    end
    local three, top = text:sub(from, from + 2), open[#open]
    local in_comment = top and top.kind == 'comment'
    local opener, closer = OPENERS[three], CLOSERS[three]
    at = from + 1
    if zones[zone] and zones[zone][1] <= from then
      at = zones[zone][2]
    elseif opener then
      local is_brace = text:sub(from + 3, from + 3) == '}' and count[opener] > 0
      if not is_brace and (not in_comment or opener == 'comment') and not is_text(text, from) then
        table.insert(open, { kind = opener, start = from })
        count[opener] = count[opener] + 1
        at = from + 3
      end
    elseif closer then
      if count[closer] > 0 and (not in_comment or closer == 'comment') then
        close(closer, from + 3)
        at = from + 3
      end
    elseif top and top.kind == 'substitution' and not top.divider and three:sub(1, 2) == '~>' then
      top.divider = from
      at = from + 2
    end
  end
end

return M
