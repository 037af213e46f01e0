-- Whether changes are tracked, and how many there are.

local server = require('critic.server')

local loop = vim.uv or vim.loop

local M = {}

-- How many milliseconds after the last change the counts are asked for.
local DELAY = 500

-- By buffer: what a status line shows, whether it is out of date, and whether the server has been asked.
local shown, stale, asked = {}, {}, {}
-- By buffer, while a timer runs: when the text was changed last.
local changed = {}
-- Buffers whose text is watched.
local watched = {}

local function sentence(status)
  return ('tracking %s, %s'):format(status.tracking and 'on' or 'off', status.summary)
end

local function wait(buffer)
  local left = changed[buffer] + DELAY - loop.now()
  if left > 0 then
    return vim.defer_fn(function() wait(buffer) end, left)
  end
  changed[buffer] = nil
  stale[buffer] = true
  vim.cmd('redrawstatus!')
end

-- Draws the status line anew when nothing has been changed for a moment.
local function ask_soon(buffer)
  local is_waiting = changed[buffer]
  changed[buffer] = loop.now()
  if not is_waiting then
    vim.defer_fn(function() wait(buffer) end, DELAY)
  end
end

--- The status line asks when it is drawn for the first time, and when nothing has been changed for a moment. It does
--- not listen to `DiagnosticChanged`, which comes for whatever any server or plug-in has to say.
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
  on('BufDelete', {
    callback = function() shown[buffer], stale[buffer], asked[buffer] = nil, nil, nil end,
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
  server.execute(buffer, 'status', {}, function(status)
    asked[buffer], shown[buffer] = nil, sentence(status)
    vim.cmd('redrawstatus!')
  end, function() asked[buffer] = nil end)
end

--- Shows the status as a message.
---@param buffer integer
function M.tell(buffer)
  server.execute(buffer, 'status', {}, function(status)
    shown[buffer] = sentence(status)
    server.tell(shown[buffer])
    vim.cmd('redrawstatus!')
  end)
end

--- Turns tracking on or off, and says which.
---@param buffer integer
function M.toggle(buffer)
  server.execute(buffer, 'toggleTracking', {}, function() M.tell(buffer) end)
end

return M
