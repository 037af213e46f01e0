-- `<Plug>(critic-accept)` and so on; and keys for them, for those who want them.

local options = require('critic.options')

local M = {}

-- By command: the name in `<Plug>(critic-…)` and in the option `keys`, the modes, and the key.
local COMMANDS = {
  Accept = { 'accept', { 'n', 'x' }, '<LocalLeader>a' },
  Reject = { 'reject', { 'n', 'x' }, '<LocalLeader>r' },
  AcceptAndNext = { 'accept-and-next', { 'n', 'x' }, '<LocalLeader>n' },
  RejectAndNext = { 'reject-and-next', { 'n', 'x' }, '<LocalLeader>N' },
  AcceptAll = { 'accept-all', { 'n' }, '<LocalLeader>A' },
  RejectAll = { 'reject-all', { 'n' }, '<LocalLeader>R' },
  RemoveAnnotations = { 'remove-annotations', { 'n' }, '<LocalLeader>D' },
  Comment = { 'comment', { 'n', 'x' }, '<LocalLeader>c' },
  EditComment = { 'edit-comment', { 'n', 'x' }, '<LocalLeader>e' },
  RemoveComment = { 'remove-comment', { 'n', 'x' }, '<LocalLeader>d' },
  Highlight = { 'highlight', { 'n', 'x' }, '<LocalLeader>h' },
  Annotate = { 'annotate', { 'n' }, '<LocalLeader>w' },
  Next = { 'next', { 'n' }, ']k' },
  Previous = { 'previous', { 'n' }, '[k' },
  NextUncommented = { 'next-uncommented', { 'n' }, ']K' },
  List = { 'list', { 'n' }, '<LocalLeader>l' },
  Mark = { 'mark', { 'n' }, '<LocalLeader>m' },
  Toggle = { 'toggle', { 'n' }, '<LocalLeader>t' },
  Status = { 'status', { 'n' }, '<LocalLeader>s' },
}

local function plug(name) return '<Plug>(critic-' .. name .. ')' end

--- Makes the `<Plug>` mappings.
function M.define()
  for command, entry in pairs(COMMANDS) do
    for _, mode in ipairs(entry[2]) do
      -- In visual mode the command line begins with the selection.
      local runs = mode == 'n' and '<Cmd>Critic' .. command .. '<CR>' or ':Critic' .. command .. '<CR>'
      vim.keymap.set(mode, plug(entry[1]), runs, { silent = true, desc = ':Critic' .. command })
    end
  end
end

--- The keys in a buffer that the user asked for.
---@param buffer integer
function M.map(buffer)
  for command, entry in pairs(COMMANDS) do
    local key = options.keys == true and entry[3] or type(options.keys) == 'table' and options.keys[entry[1]]
    if key then
      vim.keymap.set(entry[2], key, plug(entry[1]), { buffer = buffer, remap = true, desc = ':Critic' .. command })
    end
  end
end

return M
