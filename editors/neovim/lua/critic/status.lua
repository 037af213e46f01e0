-- Whether changes are tracked, which one the caret is at, and how many there are.

local hidden = require('critic.hidden')
local place = require('critic.place')
local rest = require('critic.rest')
local server = require('critic.server')

local M = {}

-- How many milliseconds after the last change, or where the caret was moved, the counts are asked for.
local DELAY, PAUSE = 500, 150

-- By buffer: what a status line shows, whether it is out of date, and whether the server has been asked.
local shown, stale, asked = {}, {}, {}
-- Buffers whose marks are not in the text, so that it stays as it is when a change is decided.
local clean = {}
-- Buffers whose text is watched.
local watched = {}

-- Where the marks are, by what the server calls it; nothing where they are in the text.
local PLACES = { file = '; the marks are in the file, and hidden', beside = '; the marks are beside the text' }

local function sentence(status)
  local place_of_marks = PLACES[status.marks] or ''
  return ('tracking %s, %s%s'):format(status.tracking and 'on' or 'off', status.summary, place_of_marks)
end

local function counted(number, thing) return ('%d %s%s'):format(number, thing, number == 1 and '' or 's') end

-- Row and byte of the caret in a window that shows the buffer, from 0: the current one, if it does.
local function caret_in(buffer)
  local window = vim.api.nvim_get_current_buf() == buffer and 0 or vim.fn.bufwinid(buffer)
  if window >= 0 then
    local row, column = unpack(vim.api.nvim_win_get_cursor(window))
    return row - 1, column
  end
end

-- How many changes others have made.
local function others(buffer, status)
  local client, told = server.client(buffer), {}
  local own = client and server.settings(client).author
  for _, one in ipairs(type(status.authors) == 'table' and status.authors or {}) do
    if one.author ~= own then
      table.insert(told, ('%s %d'):format(one.author, one.changes))
    end
  end
  return told
end

-- As in “5 of 26 · 8 comments · jonas 6”.
local function brief(buffer, status)
  local parts = { not status.tracking and 'tracking off' or nil }
  local at = status.changes > 0 and status.at ~= vim.NIL and status.at
  local changes = status.changes == 0 and 'no changes' or counted(status.changes, 'change')
  table.insert(parts, at and ('%d of %d'):format(at, status.changes) or changes)
  if (status.open or 0) > 0 then
    table.insert(parts, counted(status.open, 'comment'))
  end
  if (status.pending or 0) > 0 then
    table.insert(parts, status.pending .. ' pending')
  end
  vim.list_extend(parts, others(buffer, status))
  if hidden.of(buffer) then
    table.insert(parts, hidden.is_known(buffer) and 'marks hidden' or 'cannot be saved')
  end
  return table.concat(parts, ' · ')
end

local function draw_anew(buffer)
  stale[buffer] = true
  vim.cmd('redrawstatus!')
end

-- Draws the status line anew when nothing has been changed for a moment.
local ask_soon, is_changing = rest.after(DELAY, draw_anew)

-- Where the caret has been moved, the line is out of date once it rests.
local has_moved = rest.after(PAUSE, function(buffer)
  if shown[buffer] and not is_changing(buffer) then
    draw_anew(buffer)
  end
end)

--- The status line asks when it is drawn for the first time, and when nothing has been changed, and the caret has not
--- been moved, for a moment. It does not listen to `DiagnosticChanged`, which comes for whatever any server or plug-in
--- has to say, but where nothing else tells of a decision.
---@param buffer integer
function M.watch(buffer)
  local group = vim.api.nvim_create_augroup('critic-status-' .. buffer, {})
  local function on(event, more)
    vim.api.nvim_create_autocmd(event, vim.tbl_extend('error', { group = group, buffer = buffer }, more))
  end
  local function has_changed() ask_soon(buffer) end
  stale[buffer] = true
  -- Before, there is nobody to ask. Neovim 0.7 does not tell of it.
  if server.client(buffer) then
    has_changed()
  elseif vim.fn.exists('##LspAttach') == 1 then
    on('LspAttach', { callback = has_changed })
  else
    on('DiagnosticChanged', { callback = has_changed, once = true })
  end
  on('CursorMoved', { callback = function() has_moved(buffer) end })
  on('DiagnosticChanged', {
    callback = function(event)
      if clean[buffer] and server.may_be_ours(event) then
        has_changed()
      end
    end,
  })
  on('BufDelete', {
    callback = function() shown[buffer], stale[buffer], asked[buffer], clean[buffer] = nil, nil, nil, nil end,
  })
  if not watched[buffer] then
    watched[buffer] = vim.api.nvim_buf_attach(buffer, false, {
      on_lines = has_changed,
      on_reload = has_changed,
      on_detach = function() watched[buffer] = nil end,
    })
  end
end

--- What is known by now; asks for what is new, and draws the status line again when it has come.
---@param buffer integer
---@return string
function M.line(buffer)
  if stale[buffer] and not asked[buffer] then
    asked[buffer] = true
    vim.schedule(function() M.ask(buffer) end)
  end
  return shown[buffer] or ''
end

--- Asks the server, if it runs, and draws the status line again with the answer.
---@param buffer integer
function M.ask(buffer)
  if not server.client(buffer) then
    asked[buffer] = nil
    return
  end
  stale[buffer] = false
  local row, column = caret_in(buffer)
  local position = row and place.position(buffer, row, column) or nil
  server.execute(buffer, 'status', { position = position }, function(status)
    asked[buffer], shown[buffer], clean[buffer] = nil, brief(buffer, status), status.marks ~= 'inline'
    vim.cmd('redrawstatus!')
  end, function() asked[buffer] = nil end)
end

--- Shows the status as a message.
---@param buffer integer
function M.tell(buffer)
  server.execute(buffer, 'status', {}, function(status)
    server.tell(sentence(status))
    draw_anew(buffer)
  end)
end

--- Turns tracking on or off, and says which.
---@param buffer integer
function M.toggle(buffer)
  server.execute(buffer, 'toggleTracking', {}, function() M.tell(buffer) end)
end

return M
