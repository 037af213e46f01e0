-- Neovim 0.10 and 0.11 stop to listen to a buffer that is edited while it has no client, and believe that they still
-- do: the clients that come later hear of no edit, and the marks of their server would come once more with each save.

local M = {}

-- What Neovim believes, by buffer; nil where it is not as it was in those versions.
local believed

-- The value of a local variable that a function uses; nil if it uses none of this name.
local function variable(user, name)
  for index = 1, user and debug.getinfo(user, 'u').nups or 0 do
    local found, value = debug.getupvalue(user, index)
    if found == name then
      return value
    end
  end
end

-- Buffers that are watched.
---@type table<integer, boolean>
local watched = {}

-- As Neovim asks: a client that is about to start counts.
local function has_client(buffer) return #vim.lsp.get_clients({ bufnr = buffer, _uninitialized = true }) > 0 end

--- Has Neovim listen again with the next client, if the buffer is edited while it has none.
---@param buffer integer
function M.watch(buffer)
  believed = believed or variable(variable(vim.lsp.buf_attach_client, 'buf_attach'), 'attached_buffers')
  if watched[buffer] or type(believed) ~= 'table' then
    return
  end
  watched[buffer] = vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      if not has_client(buffer) then
        believed[buffer] = nil
      end
    end,
    on_detach = function() watched[buffer] = nil end,
  })
end

return M
