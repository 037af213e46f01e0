-- Does something once nothing has happened for a moment.

local loop = vim.uv or vim.loop

local M = {}

--- A function to call whenever something happens to a buffer: once it has not been called for a moment, `run` is.
---@param delay integer the moment, in milliseconds
---@param run fun(buffer: integer)
---@return fun(buffer: integer) note
---@return fun(buffer: integer): boolean is_waiting whether it has happened and `run` is still to be called
function M.after(delay, run)
  -- By buffer, while a timer runs: when it happened last.
  local last = {}
  local function wait(buffer)
    local left = last[buffer] + delay - loop.now()
    if left > 0 then
      return vim.defer_fn(function() wait(buffer) end, left)
    end
    last[buffer] = nil
    run(buffer)
  end
  local function is_waiting(buffer) return last[buffer] ~= nil end
  local function note(buffer)
    local waits = is_waiting(buffer)
    last[buffer] = loop.now()
    if not waits then
      vim.defer_fn(function() wait(buffer) end, delay)
    end
  end
  return note, is_waiting
end

return M
