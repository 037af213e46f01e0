-- The commands, `:CriticAccept` and so on, in each buffer that has the server.

local changes = require('critic.changes')
local comments = require('critic.comments')
local place = require('critic.place')
local server = require('critic.server')
local status = require('critic.status')
local view = require('critic.view')

local M = {}

---@alias critic.Variant 'clean' | 'original' | 'markup'

---@type critic.Variant[]
local VARIANTS = { 'clean', 'original', 'markup' }

-- Where the marks can be moved to.
local PLACES = { 'beside', 'inline' }

-- Whether there is such a variant; the user is told if there is not.
local function is_variant(name)
  if vim.tbl_contains(VARIANTS, name) then
    return true
  end
  server.tell('a variant is one of ' .. table.concat(VARIANTS, ', '), 'WARN')
  return false
end

--- Defines the commands in a buffer.
---@param buffer integer
function M.define(buffer)
  local function define(name, does, action, attributes)
    attributes = vim.tbl_extend('force', { desc = does }, attributes or {})
    vim.api.nvim_buf_create_user_command(buffer, 'Critic' .. name, action, attributes)
  end
  -- A server command on the selection, or at the caret without one; `done` is called with its result.
  local function on_range(name, does, command, done)
    define(name, does, function(given)
      if server.client(buffer) then
        server.edit(buffer, command, { range = place.range(buffer, place.given(given)) }, done)
      end
    end, { range = true })
  end
  -- A server command on the whole document.
  local function on_document(name, does, command)
    define(name, does, function()
      if server.client(buffer) then
        server.edit(buffer, command, { position = place.caret(buffer) })
      end
    end)
  end

  on_range('Accept', 'Accept the changes in the selection, or the one at the caret', 'accept')
  on_range('Reject', 'Reject the changes in the selection, or the one at the caret', 'reject')
  -- On to the next change, once the edit is there.
  local function go(found)
    if found and buffer == vim.api.nvim_get_current_buf() then
      place.go(buffer, found.range)
    end
  end
  on_range('AcceptAndNext', 'Accept the change at the caret and go to the next', 'acceptAndNext', go)
  on_range('RejectAndNext', 'Reject the change at the caret and go to the next', 'rejectAndNext', go)
  on_document('AcceptAll', 'Accept all changes', 'acceptAll')
  on_document('RejectAll', 'Reject all changes', 'rejectAll')
  define('Reopen', 'Take the last decision back, where undo does not', function()
    server.edit(buffer, 'reopen', {})
  end)
  define('Marks', 'Have the marks beside the text, or in it', function(given)
    if not vim.tbl_contains(PLACES, given.args) then
      return server.tell('say where the marks are to be: beside, or inline', 'WARN')
    end
    require('critic.beside').move(buffer, given.args)
  end, { nargs = 1, complete = function() return PLACES end })
  on_document('RemoveAnnotations', 'Remove all highlights and comments', 'removeAnnotations')
  on_range('Highlight', 'Highlight the selection', 'highlight')
  on_range('RemoveComment', 'Remove the comment at the caret', 'removeComment')
  on_range('ResolveComment', 'Resolve the comment at the caret with its answers, or reopen it', 'resolveComment')
  define('Comment', 'Comment on the selection, or on the change or the word at the caret', function(given)
    comments.comment(buffer, place.given_or_word(given), given.args)
  end, { range = true, nargs = '*' })
  define('EditComment', 'Write the comment at the caret anew', function(given)
    comments.edit(buffer, place.given(given), given.args)
  end, { range = true, nargs = '*' })
  define('Annotate', 'Comment on one change after the other', function() comments.annotate(buffer) end)
  define('Next', 'Go to the next change', function() changes.go(buffer, 'next') end)
  define('Previous', 'Go to the change before', function() changes.go(buffer, 'previous') end)
  define('NextUncommented', 'Go to the next change without a comment', function()
    changes.go(buffer, 'nextUncommented')
  end)
  define('Comments', 'Show comments below their paragraphs, or in the text again', function()
    require('critic.page').toggle_comments(buffer)
  end)
  define('List', 'List the changes in a window of their own', function() require('critic.list').open(buffer) end)
  define('Quickfix', 'List the changes in the quickfix window', function() changes.quickfix(buffer) end)
  define('Pick', 'Pick a change and go there', function() require('critic.pick').pick(buffer) end)
  define('Review', 'Go from change to change, and decide with one key each', function()
    require('critic.review').start(buffer)
  end)
  define('Mark', 'Put pending changes in marks now', function() require('critic.marking').mark_as_asked(buffer) end)
  define('Toggle', 'Turn tracking on or off in this document', function() status.toggle(buffer) end)
  define('RecordMeanwhile', 'Record what was changed while nobody recorded it', function()
    server.execute(buffer, 'recordMeanwhile', {})
  end)
  define('TakeAsOriginal', 'Take what was changed while nobody recorded it as original text', function()
    server.execute(buffer, 'takeAsOriginal', {})
  end)
  define('Hide', 'Show the text without its marks; the file keeps them', function()
    require('critic.hiding').hide(buffer)
  end)
  define('Show', 'Show the marks in the text again', function() require('critic.hiding').show(buffer) end)
  define('Done', 'Say that the review is done, to the program that waits for it', function()
    server.execute(buffer, 'done', {})
  end)
  define('Status', 'Say whether changes are tracked, and how many', function() status.tell(buffer) end)
  define('Export', 'Show a variant of the document, or write it to a file', function(given)
    M.export(buffer, given.fargs, given.bang)
  end, { nargs = '*', bang = true, complete = M.complete_export })
  define('View', 'Show what the text is without its marks beside it', function(given)
    local variant = given.args == '' and 'clean' or given.args
    if is_variant(variant) then
      view.toggle(buffer, variant)
    end
  end, { nargs = '?', complete = M.complete_variant })
end

--- `:CriticExport [clean|original|markup] [FILE]`
---@param buffer integer
---@param given string[]
---@param overwrites boolean whether a file may be there already
function M.export(buffer, given, overwrites)
  local variant, file = given[1] or 'clean', given[2] and vim.fn.expand(table.concat(given, ' ', 2))
  if not is_variant(variant) then
    return
  end
  if file and not overwrites and vim.fn.getftype(file) ~= '' then
    return server.tell(file .. ' is there already; :CriticExport! writes over it', 'WARN')
  end
  server.execute(buffer, 'export', { variant = variant }, function(text)
    if file then
      M.write(file, text)
    else
      M.show(buffer, variant, text)
    end
  end)
end

--- Writes a text into a file, byte for byte.
---@param file string
---@param text string
function M.write(file, text)
  local handle, problem = io.open(file, 'wb')
  if not handle then
    return server.tell(problem, 'ERROR')
  end
  handle:write(text)
  handle:close()
  server.tell('wrote ' .. file)
end

--- The text in a window of its own, in a buffer that is gone with it.
---@param buffer integer
---@param variant critic.Variant
---@param text string
function M.show(buffer, variant, text)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t')
  vim.cmd('new')
  local shown = vim.api.nvim_get_current_buf()
  vim.bo[shown].buftype = 'nofile'
  vim.bo[shown].bufhidden = 'wipe'
  vim.bo[shown].swapfile = false
  vim.api.nvim_buf_set_lines(shown, 0, -1, false, view.lines(text))
  pcall(vim.api.nvim_buf_set_name, shown, 'critic://' .. variant .. '/' .. name)
  vim.bo[shown].filetype = vim.bo[buffer].filetype
  vim.bo[shown].modified = false
end

--- What `:CriticExport` can go on with.
---@param lead string
---@param line string
---@return string[]
function M.complete_export(lead, line)
  local given = vim.split(vim.trim(line:gsub('^.-CriticExport!?', '')), '%s+')
  if #given > 1 or given[1] ~= lead then
    return vim.fn.getcompletion(lead, 'file')
  end
  return M.complete_variant(lead)
end

--- The variants that begin with what is typed.
---@param lead string
---@return string[]
function M.complete_variant(lead)
  return vim.tbl_filter(function(variant) return vim.startswith(variant, lead) end, VARIANTS)
end

return M
