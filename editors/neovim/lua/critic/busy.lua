-- When an edit would come in the way: the editor or a plug-in holds columns that marks would shift.

local server = require('critic.server')

local M = {}

-- Visual mode and select mode; Replace mode, in which Backspace takes back what was replaced; an operator that waits;
-- the command line and prompts, for `:s` shows there what it would do, takes it back, and asks about one place after
-- the other.
local function is_mode_with_columns(mode) return mode:find('^[vVsS\22\19Rrc]') ~= nil or vim.startswith(mode, 'no') end

-- What is recorded counts columns that will have no marks when it is played.
local function is_macro() return vim.fn.reg_recording() ~= '' or vim.fn.reg_executing() ~= '' end

local function loaded(module, name)
  local value = package.loaded[module]
  return type(value) == 'table' and value[name] or nil
end

-- Plug-ins that edit several places at once, by what they say themselves. One that is not here sets `b:critic_busy`.
local HOLDERS = {
  ['vim-visual-multi'] = function(buffer) return vim.b[buffer].visual_multi ~= nil end,
  ['multicursor.nvim'] = function()
    local has_cursors = loaded('multicursor-nvim', 'hasCursors')
    return has_cursors and has_cursors()
  end,
  ['iedit.nvim'] = function(buffer)
    local places = vim.b[buffer].iedit_data
    return type(places) == 'table' and not vim.tbl_isempty(places)
  end,
}

-- Snippets: their tabstops repeat each other, with the marks that are put in them.
local SNIPPETS = {
  ['vim.snippet'] = function() return vim.snippet and vim.snippet.active() end,
  LuaSnip = function()
    local can_jump = loaded('luasnip', 'locally_jumpable')
    return can_jump and can_jump(1)
  end,
  ['nvim-snippy'] = function()
    local is_active = loaded('snippy', 'is_active')
    return is_active and is_active()
  end,
  ['mini.snippets'] = function()
    local session = loaded('mini.snippets', 'session')
    return session and session.get() ~= nil
  end,
  ['vim-vsnip'] = function() return vim.g.loaded_vsnip and vim.fn['vsnip#jumpable'](1) == 1 end,
  UltiSnips = function()
    return vim.fn.exists('*UltiSnips#CanJumpForwards') == 1 and vim.fn['UltiSnips#CanJumpForwards']() == 1
  end,
}

-- Whatever a function of another plug-in does, marks go on.
local function answering(plugins, buffer)
  for name, holds in pairs(plugins) do
    local is_answered, answer = pcall(holds, buffer)
    if is_answered and answer then
      return name
    end
  end
end

-- `b:critic_busy`, as Vim takes a value for true, or a number of those who hold places.
local function is_told(value) return value ~= nil and value ~= false and value ~= 0 and value ~= '' end

--- The plug-in that edits several places of a buffer at once, if one does: marks wait, also where the file is written.
---@param buffer integer
---@return string?
function M.holder(buffer)
  if not vim.api.nvim_buf_is_valid(buffer) then
    return nil
  end
  if is_told(vim.b[buffer].critic_busy) then
    return 'b:critic_busy'
  end
  return vim.api.nvim_get_current_buf() == buffer and answering(HOLDERS, buffer) or nil
end

--- Whether an edit of the buffer has to wait.
---@param buffer integer
---@return boolean
function M.is(buffer)
  if M.holder(buffer) then
    return true
  end
  return vim.api.nvim_get_current_buf() == buffer
    and (
      is_mode_with_columns(vim.api.nvim_get_mode().mode)
      or vim.fn.pumvisible() == 1
      or is_macro()
      or answering(SNIPPETS, buffer) ~= nil
    )
end

--- Whether the user is typing in the buffer, where marks that nobody asked for would come in the way.
---@param buffer integer
---@return boolean
function M.is_typing(buffer)
  local client = server.client(buffer)
  return vim.api.nvim_get_current_buf() == buffer
    and vim.api.nvim_get_mode().mode:find('^n?i') ~= nil
    and not (client and server.settings(client).markWhileTyping)
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

return M
