-- What was changed while nobody recorded it: the server asks what to do with that, and the user answers by a command.

local hidden = require('critic.hidden')
local server = require('critic.server')

local M = {}

-- What can be done where a text has lost its marks. One whose marks we hide has not.
local PUT_BACK = 'Put the marks back'

-- The user's commands for what can be done.
local COMMANDS = {
  ['Record what was changed meanwhile'] = ':CriticRecordMeanwhile',
  ['Take as original'] = ':CriticTakeAsOriginal',
  [PUT_BACK] = ':CriticRecordMeanwhile',
}

--- Handles `window/showMessageRequest`. The server has its answer at once, none: a prompt would take the next keys of
--- the user. What is done without an answer comes last; the command for the other is told.
function M.ask(_, request)
  local first = request.actions and request.actions[1]
  if first and first.title == PUT_BACK and hidden.is_named_by(request.message) then
    return vim.NIL
  end
  local command = first and COMMANDS[first.title]
  server.tell(command and ('%s (%s)'):format(request.message, command) or request.message)
  return vim.NIL
end

return M
