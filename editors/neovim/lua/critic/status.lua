-- Whether changes are tracked, and how many there are.

local server = require('critic.server')

local M = {}

-- By buffer: what a status line shows, and whether it is out of date.
local shown, stale, asked = {}, {}, {}

local function sentence(status)
  return ('tracking %s, %s'):format(status.tracking and 'on' or 'off', status.summary)
end

-- The server lists changes anew after each that counts; the status line asks when it is drawn next.
function M.watch(buffer)
  local group = vim.api.nvim_create_augroup('critic-status-' .. buffer, {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buffer, callback = callback })
  end
  stale[buffer] = true
  on('DiagnosticChanged', function()
    stale[buffer] = true
    vim.schedule(function() vim.cmd('redrawstatus!') end)
  end)
  on('BufDelete', function()
    shown[buffer], stale[buffer], asked[buffer] = nil, nil, nil
  end)
end

-- What is known by now; asks for what is new, and draws the status line again when it has come.
function M.line(buffer)
  if stale[buffer] and not asked[buffer] then
    asked[buffer] = true
    vim.schedule(function() M.ask(buffer) end)
  end
  return shown[buffer] or ''
end

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

function M.tell(buffer)
  server.execute(buffer, 'status', {}, function(status)
    shown[buffer] = sentence(status)
    server.tell(shown[buffer])
    vim.cmd('redrawstatus!')
  end)
end

function M.toggle(buffer)
  server.execute(buffer, 'toggleTracking', {}, function() M.tell(buffer) end)
end

return M
