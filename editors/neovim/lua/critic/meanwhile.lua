-- What was changed while nobody recorded it: the server asks what to do with that, and the user answers by a command.

local server = require('critic.server')

local M = {}

-- The user's commands for what can be done.
local COMMANDS = {
  ['Record what was changed meanwhile'] = ':CriticRecordMeanwhile',
  ['Take as original'] = ':CriticTakeAsOriginal',
  ['Put the marks back'] = ':CriticRecordMeanwhile',
}

--- Handles `window/showMessageRequest`. The server has its answer at once, none: a prompt would take the next keys of
--- the user. What is done without an answer comes last; the command for the other is told.
function M.ask(_, request)
  local first = request.actions and request.actions[1]
  local command = first and COMMANDS[first.title]
  server.tell(command and ('%s (%s)'):format(request.message, command) or request.message)
  return vim.NIL
end

return M
