-- What was changed while nobody recorded it: the server asks what to do with that.

local server = require('critic.server')

local M = {}

-- The server's answers, and the commands that give them later.
local COMMANDS = {
  ['Record what was changed meanwhile'] = 'recordMeanwhile',
  ['Take as original'] = 'takeAsOriginal',
}

--- Handles `window/showMessageRequest`. The server has its answer at once, none: a prompt would take the keys of
--- somebody who types. What they choose then is sent as a command, and so is what they choose later.
function M.ask(_, request, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local buffer = vim.api.nvim_get_current_buf()
  local titles = vim.tbl_map(function(action) return action.title end, request.actions or {})
  server.tell(request.message)
  if #titles > 1 and client and vim.fn.mode() == 'n' and server.client(buffer) then
    vim.schedule(function()
      vim.ui.select(titles, { prompt = request.message }, function(title)
        if title then
          server.execute(buffer, COMMANDS[title], {})
        end
      end)
    end)
  end
  return vim.NIL
end

return M
