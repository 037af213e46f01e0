-- The clean text of what has marks, as the command line makes it.

local options = require('critic.options')
local server = require('critic.server')

local loop = vim.uv or vim.loop

local M = {}

-- How long the program may take, in milliseconds.
local PATIENCE = 3000

-- How the server was started, or is to be.
local function server_command()
  for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == server.NAME and type(client.config.cmd) == 'table' then
      return client.config.cmd
    end
  end
  return type(options.cmd) == 'table' and options.cmd or {}
end

-- The command line of the program, which comes before what has it serve.
local function program()
  local found = {}
  for _, word in ipairs(server_command()) do
    if word == 'serve' then
      break
    end
    table.insert(found, word)
  end
  return found[1] and found or { 'critic-lsp' }
end

-- Runs a command line with a text to read; returns what it writes, and what is wrong.
local function run(command, input)
  local streams, written, open, code = {}, { {}, {} }, 3, nil
  for number = 1, 3 do
    streams[number] = loop.new_pipe(false)
  end
  local arguments = vim.list_slice(command, 2)
  local process = loop.spawn(command[1], { args = arguments, stdio = streams }, function(exit)
    code, open = exit, open - 1
  end)
  if process then
    for number, pieces in ipairs(written) do
      loop.read_start(streams[number + 1], function(problem, piece)
        if piece then
          table.insert(pieces, piece)
        elseif problem or piece == nil then
          open = open - 1
        end
      end)
    end
    loop.write(streams[1], input, function() loop.shutdown(streams[1]) end)
    vim.wait(PATIENCE, function() return open == 0 end, 2, true)
    if not code then
      process:kill('sigkill')
    end
    process:close()
  end
  for _, stream in ipairs(streams) do
    if not stream:is_closing() then
      stream:close()
    end
  end
  if not process then
    return nil, 'found no program ' .. command[1]
  elseif open > 0 then
    return nil, 'the program does not answer'
  elseif code ~= 0 then
    return nil, (vim.split(table.concat(written[2]), '\n')[1]:gsub('^critic%-lsp: ', ''))
  end
  return table.concat(written[1])
end

--- The clean text of a file, or of a text that is in none.
---@param file string its full name, or `-`
---@param text? string what is in none
---@return string? clean
---@return string? problem
function M.of(file, text)
  local command = vim.list_extend(program(), { 'export', '--clean', file })
  return run(command, text or '')
end

return M
