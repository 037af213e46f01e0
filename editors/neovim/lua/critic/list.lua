-- `:CriticList`: the changes of a document in a window of their own, where they can be sorted, looked through and
-- decided.

local changes = require('critic.changes')
local looks = require('critic.looks')
local place = require('critic.place')
local rest = require('critic.rest')
local rows = require('critic.rows')
local server = require('critic.server')

local M = {}

-- How long the text must rest before the list is brought up to date, in milliseconds.
local REST = 300
-- Longer lists are brought up to date when they are gone to: each time would hold up the writer.
local LONG = 2000
-- The lines above the first change.
local HEAD = 2
local MOST_ROWS = 12

local SORTS = { 'place', 'kind', 'author', 'date' }

local namespace = vim.api.nvim_create_namespace('critic-list')

--- A list that is open.
---@class critic.List
---@field buffer integer the text's
---@field shown integer the list's
---@field changes critic.Change[] all of them, as the server gave them
---@field rows critic.Change[] those that are shown, as they are
---@field tick? integer the version of the text that they are of
---@field sort string
---@field kind? string only these
---@field author? string
---@field is_open? boolean only changes with a thread that is not resolved

-- By the text's buffer.
---@type table<integer, critic.List>
local lists = {}

-- By the list's buffer, what is coloured in each line.
local colours_of = {}

local function author_of(change) return type(change.author) == 'string' and change.author or '' end

local function has_open_thread(change)
  return #changes.comments(change) > 0 and not change.resolved
end

local function suits(list, change)
  return (not list.kind or change.kind == list.kind)
    and (not list.author or author_of(change) == list.author)
    and (not list.is_open or has_open_thread(change))
end

local KEYS_OF = {
  place = function() return '' end,
  kind = function(change) return change.kind end,
  author = author_of,
  date = function(change) return type(change.date) == 'string' and change.date or '' end,
}

local function sorted(list)
  local chosen = vim.tbl_filter(function(change) return suits(list, change) end, list.changes)
  local key = KEYS_OF[list.sort]
  table.sort(chosen, function(one, other)
    local first, second = key(one), key(other)
    if first ~= second then
      return first < second
    end
    return one.number < other.number
  end)
  return chosen
end

local function heading(list)
  local parts = { ('%d of %d'):format(#list.rows, #list.changes), 'by ' .. list.sort }
  table.insert(parts, list.kind and 'only ' .. list.kind .. 's' or nil)
  if list.author then
    table.insert(parts, 'only of ' .. (list.author == '' and 'nobody named' or list.author))
  end
  if list.is_open then
    table.insert(parts, 'only with open comments')
  end
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(list.buffer), ':t')
  return ('Changes in %s: %s'):format(name, table.concat(parts, ', '))
end

local KEYS = '⏎ go  a accept  r reject  u undo  s sort  t kind  w who  o open  = all  q close'

-- The change in the caret's line.
local function chosen(list)
  return list.rows[vim.api.nvim_win_get_cursor(0)[1] - HEAD]
end

local function draw(list)
  list.rows = sorted(list)
  local lines, colours = rows.lines(list.rows)
  table.insert(lines, 1, heading(list))
  table.insert(lines, 2, KEYS)
  if #list.rows == 0 then
    table.insert(lines, #list.changes == 0 and 'no changes' or 'none of these; = shows all')
  end
  vim.bo[list.shown].modifiable = true
  vim.api.nvim_buf_set_lines(list.shown, 0, -1, false, lines)
  vim.bo[list.shown].modifiable = false
  table.insert(colours, 1, { { from = 0, to = #lines[1], group = 'Title' } })
  table.insert(colours, 2, { { from = 0, to = #lines[2], group = 'Comment' } })
  colours_of[list.shown] = colours
end

-- Only what is in sight is coloured.
local function colour()
  vim.api.nvim_set_decoration_provider(namespace, {
    on_win = function(_, _, shown) return colours_of[shown] ~= nil end,
    on_line = function(_, _, shown, row)
      for _, one in ipairs(colours_of[shown] and colours_of[shown][row + 1] or {}) do
        vim.api.nvim_buf_set_extmark(shown, namespace, row, one.from, {
          end_row = row,
          end_col = one.to,
          hl_group = one.group,
          ephemeral = true,
        })
      end
    end,
  })
end

local function refresh(buffer, done)
  local list = lists[buffer]
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  server.execute(buffer, 'changes', {}, function(found)
    -- It may have been closed by now.
    if lists[buffer] ~= list or not vim.api.nvim_buf_is_valid(list.shown) then
      return
    end
    list.changes, list.tick = found or {}, tick
    draw(list)
    if done then
      done()
    end
  end)
end

local refresh_soon = rest.after(REST, function(buffer)
  local list = lists[buffer]
  if list and #list.changes <= LONG and server.client(buffer) then
    refresh(buffer)
  end
end)

-- A window that shows the text; the one beside the list, or one above it.
local function window_of(list)
  local window = vim.fn.win_findbuf(list.buffer)[1]
  if not window then
    vim.cmd('leftabove sbuffer ' .. list.buffer)
    window = vim.api.nvim_get_current_win()
  end
  return window
end

-- Whether the list is that of the text as it is now; it is read anew if not.
local function is_current(list)
  if list.tick == vim.api.nvim_buf_get_changedtick(list.buffer) then
    return true
  end
  server.tell('the text has changed; the list is read anew')
  refresh(list.buffer)
  return false
end

local function go(list)
  local change = chosen(list)
  if change and is_current(list) then
    vim.api.nvim_set_current_win(window_of(list))
    place.go(list.buffer, change.range)
  end
end

-- Accepts or rejects the change in the caret's line; the next one is in its place then.
local function decide(list, command)
  local change = chosen(list)
  if not change or not is_current(list) then
    return
  end
  server.edit(list.buffer, command, { range = change.range }, function()
    if lists[list.buffer] == list then
      refresh(list.buffer)
    end
  end)
end

-- Takes the last decision back. Where the marks are not in the text, undo would take back what was typed instead.
local function undo(list)
  local buffer = list.buffer
  if not server.client(buffer) then
    return server.tell('the server does not run in this buffer', 'WARN')
  end
  local is_clean, problem = server.is_clean(buffer)
  if problem then
    return server.tell(problem, 'WARN')
  elseif is_clean then
    return server.edit(buffer, 'reopen', {}, function() refresh(buffer) end)
  end
  vim.api.nvim_buf_call(buffer, function() vim.cmd('silent undo') end)
  refresh(buffer)
end

-- The value that comes after one among those that changes have, in their order; nil after the last.
local function following(list, key, value)
  local values, known = {}, {}
  for _, change in ipairs(list.changes) do
    if not known[key(change)] then
      known[key(change)] = true
      table.insert(values, key(change))
    end
  end
  table.sort(values)
  if value == nil then
    return values[1]
  end
  for index, one in ipairs(values) do
    if one == value then
      return values[index + 1]
    end
  end
end

local ACTIONS = {
  ['<CR>'] = { 'Go to the change', go },
  a = { 'Accept the change', function(list) decide(list, 'accept') end },
  r = { 'Reject the change', function(list) decide(list, 'reject') end },
  u = { 'Take the last decision back', undo },
  s = {
    'Sort by place, kind, author or date',
    function(list)
      local index = vim.fn.index(SORTS, list.sort)
      list.sort = SORTS[(index + 1) % #SORTS + 1]
      draw(list)
    end,
  },
  t = {
    'Only the next kind',
    function(list)
      list.kind = following(list, KEYS_OF.kind, list.kind)
      draw(list)
    end,
  },
  w = {
    'Only the next author',
    function(list)
      list.author = following(list, author_of, list.author)
      draw(list)
    end,
  },
  o = {
    'Only changes with open comments, or all',
    function(list)
      list.is_open = not list.is_open
      draw(list)
    end,
  },
  ['='] = {
    'Show all changes',
    function(list)
      list.kind, list.author, list.is_open = nil, nil, nil
      draw(list)
    end,
  },
  R = { 'Read the list anew', function(list) refresh(list.buffer) end },
  q = { 'Close the list', function() vim.cmd('close') end },
}

local function map(list)
  for key, action in pairs(ACTIONS) do
    vim.keymap.set('n', key, function()
      if vim.api.nvim_buf_is_loaded(list.buffer) and lists[list.buffer] == list then
        action[2](list)
      end
    end, { buffer = list.shown, nowait = true, silent = true, desc = action[1] })
  end
end

local function watch(list)
  local group = vim.api.nvim_create_augroup('critic-list-' .. list.buffer, {})
  local function on(events, of, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = of, callback = callback })
  end
  on('BufEnter', list.shown, function()
    if list.tick ~= vim.api.nvim_buf_get_changedtick(list.buffer) and server.client(list.buffer) then
      refresh(list.buffer)
    end
  end)
  on('BufWipeout', list.shown, function()
    lists[list.buffer], colours_of[list.shown] = nil, nil
    vim.api.nvim_del_augroup_by_id(group)
  end)
  on('BufDelete', list.buffer, function()
    vim.schedule(function()
      if vim.api.nvim_buf_is_valid(list.shown) then
        vim.api.nvim_buf_delete(list.shown, { force = true })
      end
    end)
  end)
  if not list.is_watched then
    -- Edits of the list's own come while the text is not the current buffer, so its autocommands would not tell.
    list.is_watched = vim.api.nvim_buf_attach(list.buffer, false, {
      on_lines = function()
        if lists[list.buffer] ~= list then
          return true
        end
        refresh_soon(list.buffer)
      end,
    })
  end
end

-- Opens the window below the text.
local function show(list)
  vim.cmd('botright sbuffer ' .. list.shown)
  vim.api.nvim_win_set_height(0, math.min(MOST_ROWS, math.max(HEAD + 1, #list.rows + HEAD)))
  vim.cmd('setlocal nowrap nonumber norelativenumber cursorline signcolumn=no nospell nofoldenable')
  vim.api.nvim_win_set_cursor(0, { math.min(HEAD + 1, vim.api.nvim_buf_line_count(list.shown)), 0 })
  vim.bo[list.shown].filetype = 'critic-list'
end

--- Opens the list of a document's changes, or goes to it.
---@param buffer integer
function M.open(buffer)
  local list = lists[buffer]
  local window = list and vim.fn.win_findbuf(list.shown)[1]
  if window then
    vim.api.nvim_set_current_win(window)
    return refresh(buffer)
  end
  if not server.client(buffer) then
    return server.tell('the server does not run in this buffer', 'WARN')
  end
  looks.define()
  colour()
  local shown = vim.api.nvim_create_buf(false, true)
  list = { buffer = buffer, shown = shown, changes = {}, rows = {}, sort = 'place' }
  vim.bo[list.shown].bufhidden = 'wipe'
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t')
  pcall(vim.api.nvim_buf_set_name, list.shown, 'critic://list/' .. name)
  lists[buffer] = list
  refresh(buffer, function()
    if #list.changes == 0 then
      vim.api.nvim_buf_delete(list.shown, { force = true })
      lists[buffer], colours_of[list.shown] = nil, nil
      return server.tell('no changes')
    end
    map(list)
    watch(list)
    show(list)
  end)
end

return M
