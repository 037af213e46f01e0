-- Signs at the left of lines with marks, in the place of those of the diagnostics.

local options = require('critic.options')
local server = require('critic.server')
local sight = require('critic.sight')

local M = {}

local SIGNS = { addition = '+', deletion = '−', substitution = '~', highlight = '=', comment = '¶' }
local GROUPS = {
  addition = 'CriticAdditionSign',
  deletion = 'CriticDeletionSign',
  substitution = 'CriticSubstitutionSign',
  highlight = 'CriticHighlightSign',
  comment = 'CriticCommentSign',
}

-- What is a change, against what is said about the text.
local function is_change(kind) return kind ~= 'highlight' and kind ~= 'comment' end

-- What a line shows that has marks of both kinds. A line in which several things were changed was changed.
local function joined(kind, other)
  if not kind or kind == other then
    return other
  elseif is_change(kind) and is_change(other) then
    return 'substitution'
  elseif is_change(kind) or kind == 'highlight' and other == 'comment' then
    return kind
  end
  return other
end

--- What each line that was read shows, by its number from 1.
---@param seen critic.Sight
---@return table<integer, string> kinds
function M.kinds(seen)
  local kinds = {}
  local function add(kind, first, last)
    for row = first, last do
      kinds[row] = joined(kinds[row], kind)
    end
  end
  for _, one in ipairs(seen.placed or {}) do
    local first, last = one.row - seen.first + 1, one.end_row - seen.first + 1
    add(one.change.kind, first, one.end_column == 0 and math.max(first, last - 1) or last)
  end
  for _, mark in ipairs(seen.marks) do
    local head = seen.heads[mark]
    if mark.kind ~= 'comment' or head and not head.is_attribution then
      -- A line break at the end of a mark does not bring it into the next line.
      local first, last = mark.start, math.max(mark.start, mark.stop - 4)
      add(mark.kind, sight.row(seen, first), sight.row(seen, last))
    end
  end
  return kinds
end

--- The sign of a kind, as `nvim_buf_set_extmark` takes it.
---@param kind string
---@return table
function M.extmark(kind)
  local sign = vim.o.ambiwidth == 'double' and kind == 'deletion' and '-' or SIGNS[kind]
  return { sign_text = sign, sign_hl_group = GROUPS[kind], priority = 10 }
end

-- What is shown of the diagnostics of a client, which the user has set for all: only what is wrong, where the changes
-- are less than that.
local function only_problems(client, setting)
  local severity = server.settings(client).severity
  if severity == 'error' or severity == 'warning' then
    return false
  end
  local least = { severity = { min = vim.diagnostic.severity.WARN } }
  return type(setting) == 'table' and vim.tbl_extend('force', setting, least) or least
end

--- Takes the signs and lines of a client's diagnostics away where marks have signs and colours: problems keep them.
---@param client vim.lsp.Client
function M.replace_diagnostics(client)
  local settings, told = vim.diagnostic.config() or {}, {}
  if options.signs and settings.signs ~= false then
    told.signs = only_problems(client, settings.signs)
  end
  if options.highlight and settings.underline ~= false then
    told.underline = only_problems(client, settings.underline)
  end
  -- Before 0.11 each diagnostic is shown as text after the line, which for changes says what is in the line already.
  if vim.fn.has('nvim-0.11') == 0 then
    told.virtual_text = false
  end
  local namespace = vim.lsp.diagnostic.get_namespace
  vim.diagnostic.config(told, namespace(client.id))
  if vim.fn.has('nvim-0.10') == 1 then
    vim.diagnostic.config(told, namespace(client.id, true))
  end
end

return M
