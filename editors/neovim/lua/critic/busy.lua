-- When an edit would come in the way: the editor holds columns that marks would shift.

local M = {}

-- Visual mode and select mode; Replace mode, in which Backspace takes back what was replaced; an operator that waits;
-- the command line and prompts, for `:s` shows there what it would do, takes it back, and asks about one place after
-- the other.
local function is_mode_with_columns(mode) return mode:find('^[vVsS\22\19Rrc]') ~= nil or vim.startswith(mode, 'no') end

-- The tabstops of a snippet (Neovim 0.10) repeat each other, with marks that are put in them.
local function is_snippet_open() return vim.snippet ~= nil and vim.snippet.active() end

--- Whether an edit of the buffer has to wait.
---@param buffer integer
---@return boolean
function M.is(buffer)
  return vim.api.nvim_get_current_buf() == buffer
    and (is_mode_with_columns(vim.api.nvim_get_mode().mode) or vim.fn.pumvisible() == 1 or is_snippet_open())
end

--- Whether a mark is being typed at the caret: the server waits for the rest of it, unless it is told to mark.
---@param buffer integer
---@return boolean
function M.is_half_typed(buffer)
  if vim.api.nvim_get_current_buf() ~= buffer or vim.api.nvim_get_mode().mode ~= 'i' then
    return false
  end
  local typed = vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])
  local rest = typed:match('.*{[+~=>-][+~=>-](.*)$')
  return rest ~= nil and rest:find('[+~=<-][+~=<-]}') == nil
end

--- Whether marks may come by themselves: no edit has to wait, and nothing is half typed.
---@param buffer integer
---@return boolean
function M.may_mark(buffer) return not M.is(buffer) and not M.is_half_typed(buffer) end

return M
