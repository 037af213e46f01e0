-- From change to change, and the list of them.

local place = require('critic.place')
local server = require('critic.server')

local M = {}

--- A change as the server lists it.
---@class critic.Change
---@field number integer
---@field kind 'addition' | 'deletion' | 'substitution' | 'highlight' | 'comment' | 'pending'
---@field old string
---@field new string
---@field before string the clean text before it
---@field after string and after it
---@field comments string[]
---@field resolved? boolean
---@field author? string
---@field date? string
---@field range lsp.Range

--- Goes where the server's command `next`, `previous` or `nextUncommented` leads. It waits for the answer, so that what
--- the user types after it counts from there.
---@param buffer integer
---@param command 'next' | 'previous' | 'nextUncommented'
function M.go(buffer, command)
  if not server.client(buffer) then
    return server.tell('the server does not run in this buffer', 'WARN')
  end
  local found, problem = server.ask(buffer, command, { position = place.caret(buffer) })
  if problem then
    server.tell(problem, 'WARN')
  elseif found then
    place.go(buffer, found.range)
  else
    server.tell(command == 'nextUncommented' and 'no change without a comment' or 'no changes')
  end
end

--- All changes of the document in the quickfix list.
---@param buffer integer
function M.quickfix(buffer)
  server.execute(buffer, 'changes', {}, function(changes)
    local items = {}
    for _, change in ipairs(changes) do
      table.insert(items, place.item(buffer, change.range, M.told(change)))
    end
    vim.fn.setqflist({}, ' ', { title = 'Changes', items = items })
    if #items == 0 then
      server.tell('no changes')
    else
      vim.cmd('copen')
    end
  end)
end

--- The change in one line: kind, old → new, comments.
---@param change critic.Change
---@return string
function M.told(change)
  local parts = { change.kind .. ' ' .. M.quoted(change) }
  for _, comment in ipairs(M.comments(change)) do
    table.insert(parts, M.flat(comment))
  end
  return table.concat(parts, ' — ')
end

--- The comments on a change, as they are written.
---@param change critic.Change
---@return string[]
function M.comments(change) return type(change.comments) == 'table' and change.comments or {} end

--- A text on one line.
---@param text string
---@return string
function M.flat(text) return (text:gsub('%s*\n%s*', ' ⏎ ')) end

--- What was changed into what, in one line.
---@param change critic.Change
---@return string
function M.quoted(change)
  local function quoted(text)
    return type(text) == 'string' and text ~= '' and '“' .. M.flat(text) .. '”' or nil
  end
  local old, new = quoted(change.old), quoted(change.new)
  return old and new and old ~= new and old .. ' → ' .. new or new or old or ''
end

return M
