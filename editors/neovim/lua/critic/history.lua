-- Whether the user's last change was an edit, or undo or redo led to the text.

local M = {}

--- Where a buffer is in its history.
---@class critic.History
---@field newest integer the number of the newest change that is known
---@field at integer that of the text when it was looked at last
---@field is_changed boolean whether the user has changed the text since
---@field is_edited boolean whether the last change was an edit that no marks have followed yet
---@field version integer? the `changedtick` of the last change

---@type table<integer, critic.History>
local histories = {}

-- Whether an edit of the server is being made.
local is_ours = false

local function number(buffer)
  if buffer == vim.api.nvim_get_current_buf() then
    return vim.fn.changenr()
  end
  return vim.api.nvim_buf_call(buffer, vim.fn.changenr)
end

-- While Neovim undoes, the number is still the old one, so changes are only noted when they come. A new edit has a
-- higher number than all before; one of the same number belongs to the edit that was there already.
local function look(buffer)
  local history = histories[buffer]
  if history and history.is_changed then
    local now = number(buffer)
    history.is_edited = now > history.newest or now == history.newest and now == history.at
    history.newest, history.at = math.max(now, history.newest), now
    history.is_changed = false
  end
  return history
end

--- Watches the changes of a buffer from now on.
---@param buffer integer
---@param changed fun() called whenever the user has changed the text
function M.watch(buffer, changed)
  if histories[buffer] then
    return
  end
  local now = number(buffer)
  histories[buffer] = { newest = now, at = now, is_changed = false, is_edited = false }
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function(_, _, tick)
      if histories[buffer] then
        histories[buffer].version = tick or histories[buffer].version
      end
    end,
    on_bytes = function()
      if not is_ours and histories[buffer] then
        histories[buffer].is_changed = true
        changed()
      end
    end,
    -- The text was read anew: nobody changed it.
    on_reload = function()
      local history = histories[buffer]
      if history then
        history.at = number(buffer)
        history.newest, history.is_changed, history.is_edited = math.max(history.at, history.newest), false, false
      end
    end,
    on_detach = function() histories[buffer] = nil end,
  })
end

--- The version of the text that the server has been told of, or is about to be; nil if it was not changed yet.
---@param buffer integer
---@return integer?
function M.version(buffer) return histories[buffer] and histories[buffer].version end

--- Notes where the text is, between two commands of the user's.
---@param buffer integer
function M.look(buffer) look(buffer) end

--- Whether the user's last change was an edit, and has no marks yet as far as is known here.
---@param buffer integer
---@return boolean
function M.is_edited(buffer)
  local history = look(buffer)
  return history ~= nil and history.is_edited
end

--- Makes an edit of the server's; returns what `make` returns.
---@generic Result
---@param buffer integer
---@param make fun(): Result
---@param is_beside boolean? whether it leaves what the user has typed without marks as it is
---@return Result
function M.make_ours(buffer, make, is_beside)
  local before = look(buffer)
  local was_edited = before and before.is_edited
  is_ours = true
  local is_made, result = pcall(make)
  is_ours = false
  local history = histories[buffer]
  if history then
    local now = number(buffer)
    history.newest, history.at = math.max(now, history.newest), now
    history.is_edited = is_beside and was_edited or false
  end
  if not is_made then
    error(result, 0)
  end
  return result
end

--- Whether the last command is over for undo as well: a change now would begin a new step. In the middle of a mapping
--- or a macro it would not.
---@return boolean
function M.is_step_over() return vim.fn.undotree().synced == 1 end

return M
