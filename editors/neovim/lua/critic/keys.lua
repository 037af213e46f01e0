-- `<Plug>(critic-accept)` and so on; and keys for them, for those who want them.

local objects = require('critic.objects')
local options = require('critic.options')
local repeating = require('critic.repeating')

local M = {}

-- By command: the name in `<Plug>(critic-…)` and in the option `keys`, the modes, the key, and what it does.
local COMMANDS = {
  Accept = { 'accept', { 'n', 'x' }, '<LocalLeader>a', 'Accept change' },
  Reject = { 'reject', { 'n', 'x' }, '<LocalLeader>r', 'Reject change' },
  AcceptAndNext = { 'accept-and-next', { 'n', 'x' }, '<LocalLeader>n', 'Accept change, go to next' },
  RejectAndNext = { 'reject-and-next', { 'n', 'x' }, '<LocalLeader>N', 'Reject change, go to next' },
  AcceptAll = { 'accept-all', { 'n' }, '<LocalLeader>A', 'Accept all changes' },
  RejectAll = { 'reject-all', { 'n' }, '<LocalLeader>R', 'Reject all changes' },
  Reopen = { 'reopen', { 'n' }, '<LocalLeader>u', 'Take the last decision back' },
  RemoveAnnotations = { 'remove-annotations', { 'n' }, '<LocalLeader>D', 'Remove all highlights and comments' },
  Comment = { 'comment', { 'n', 'x' }, '<LocalLeader>c', 'Comment, or answer comment' },
  EditComment = { 'edit-comment', { 'n', 'x' }, '<LocalLeader>e', 'Edit comment' },
  RemoveComment = { 'remove-comment', { 'n', 'x' }, '<LocalLeader>d', 'Remove comment' },
  ResolveComment = { 'resolve-comment', { 'n', 'x' }, '<LocalLeader>x', 'Resolve comment, or reopen it' },
  Highlight = { 'highlight', { 'n', 'x' }, '<LocalLeader>h', 'Highlight' },
  Annotate = { 'annotate', { 'n' }, '<LocalLeader>w', 'Comment on each change without one' },
  Next = { 'next', { 'n' }, ']k', 'Next change' },
  Previous = { 'previous', { 'n' }, '[k', 'Previous change' },
  NextUncommented = { 'next-uncommented', { 'n' }, ']K', 'Next change without comment' },
  Review = { 'review', { 'n' }, '<LocalLeader>v', 'Review change by change' },
  List = { 'list', { 'n' }, '<LocalLeader>l', 'List changes' },
  Quickfix = { 'quickfix', { 'n' }, '<LocalLeader>q', 'Changes in quickfix' },
  Pick = { 'pick', { 'n' }, '<LocalLeader>p', 'Pick a change' },
  Comments = { 'comments', { 'n' }, '<LocalLeader>C', 'Comments below, or in the text' },
  Mark = { 'mark', { 'n' }, '<LocalLeader>m', 'Mark pending changes' },
  Toggle = { 'toggle', { 'n' }, '<LocalLeader>t', 'Turn tracking on or off' },
  Done = { 'done', { 'n' }, '<LocalLeader>.', 'Review is done' },
  Status = { 'status', { 'n' }, '<LocalLeader>s', 'Say how many changes' },
}

-- The text objects: the name, what is selected, the key, and what it is.
local OBJECTS = {
  { 'inside', 'ik', 'text of change' },
  { 'around', 'ak', 'change with marks' },
}

local function plug(name) return '<Plug>(critic-' .. name .. ')' end

-- What a mapping does in a mode. In visual mode the command line begins with the selection.
local function action(command, mode)
  if mode == 'n' and repeating.repeats(command) then
    return repeating.keys(command), { expr = true }
  end
  return (mode == 'n' and '<Cmd>Critic' or ':Critic') .. command .. '<CR>', {}
end

--- Makes the `<Plug>` mappings.
function M.define()
  for command, entry in pairs(COMMANDS) do
    for _, mode in ipairs(entry[2]) do
      local runs, how = action(command, mode)
      vim.keymap.set(mode, plug(entry[1]), runs, vim.tbl_extend('force', { silent = true, desc = entry[4] }, how))
    end
  end
  for _, object in ipairs(OBJECTS) do
    local how = { expr = true, silent = true, desc = object[3] }
    vim.keymap.set({ 'o', 'x' }, plug(object[1]), objects.keys(object[1]), how)
  end
end

-- The key for a name, where the user wants one.
local function key_for(name, usual)
  return options.keys == true and usual or type(options.keys) == 'table' and options.keys[name]
end

--- What a user presses for a command, as a hover names it: the key, or else the command itself.
---@param command string
---@return string
function M.told(command)
  local entry = COMMANDS[command]
  local key = key_for(entry[1], entry[3])
  return key and (key:gsub('<LocalLeader>', vim.g.maplocalleader or '\\')) or ':Critic' .. command
end

--- The keys in a buffer that the user asked for.
---@param buffer integer
function M.map(buffer)
  local function map(modes, name, usual, desc)
    local key = key_for(name, usual)
    if key then
      vim.keymap.set(modes, key, plug(name), { buffer = buffer, remap = true, desc = desc })
    end
  end
  for _, entry in pairs(COMMANDS) do
    map(entry[2], entry[1], entry[3], entry[4])
  end
  for _, object in ipairs(OBJECTS) do
    map({ 'o', 'x' }, object[1], object[2], object[3])
  end
end

return M
