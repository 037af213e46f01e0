-- Keys for accepting and rejecting that `.` repeats: to Neovim they are operators.

local M = {}

-- What `.` repeats, by command.
local OPERATOR = "v:lua.require'critic.repeating'."

for _, command in ipairs({ 'Accept', 'Reject', 'AcceptAndNext', 'RejectAndNext' }) do
  M[command] = function()
    -- `.` may be pressed in another buffer.
    if vim.fn.exists(':Critic' .. command) == 2 then
      vim.cmd('Critic' .. command)
    end
  end
end

--- Whether `.` repeats a command.
---@param command string
---@return boolean
function M.repeats(command) return M[command] ~= nil and command:find('^%u') ~= nil end

--- The keys that run a command in normal mode, for an expression mapping. An operator needs a character to work on.
---@param command string
---@return fun(): string
function M.keys(command)
  return function()
    if vim.fn.col('$') == 1 then
      return '<Cmd>Critic' .. command .. '<CR>'
    end
    vim.go.operatorfunc = OPERATOR .. command
    return 'g@l'
  end
end

return M
