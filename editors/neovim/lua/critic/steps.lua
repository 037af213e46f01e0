-- Which of the server's edits are those of the user's own commands: each of these is an undo step of its own, and all
-- others are marks, which belong to what was typed.

local M = {}

--- A command whose edit may still come.
---@class critic.Step
---@field client integer
---@field marks integer how often that client had been asked for marks by then
---@field version? integer the text's version when the answer came, or since then when an edit of the server was made
---@field was_late? boolean whether its edit came too late, so that the server sends it once more

-- By buffer, in the order of the commands.
---@type table<integer, critic.Step[]>
local steps = {}

-- By client: how often it was asked for marks, and how often that was answered.
---@type table<integer, { asked: integer, answered: integer }>
local marks = {}

---@param client integer
local function marks_of(client)
  marks[client] = marks[client] or { asked = 0, answered = 0 }
  return marks[client]
end

--- A client is being asked for marks; the edit that makes them comes before the answer.
---@param client integer
---@return fun() answered
function M.ask_for_marks(client)
  local count = marks_of(client)
  count.asked = count.asked + 1
  return function() count.answered = count.answered + 1 end
end

--- A command has been sent. It is answered after its edit, or before it where the edit has to wait for another one.
---@param buffer integer
---@param client integer
---@return critic.Step
function M.begin(buffer, client)
  local step = { client = client, marks = marks_of(client).asked }
  steps[buffer] = steps[buffer] or {}
  table.insert(steps[buffer], step)
  return step
end

--- A command has been answered.
---@param buffer integer
---@param step critic.Step
function M.answer(buffer, step)
  if vim.api.nvim_buf_is_valid(buffer) then
    step.version = vim.api.nvim_buf_get_changedtick(buffer)
  end
end

--- No edit of a command comes any more.
---@param buffer integer
---@param step critic.Step
function M.forget(buffer, step)
  for index, known in ipairs(steps[buffer] or {}) do
    if known == step then
      return table.remove(steps[buffer], index)
    end
  end
end

-- Whether the edit of a text with this version can be that of the command: not if it was sent before the server knew
-- of the command, nor if it is about what the user has typed since the answer.
---@param step critic.Step
---@param version integer
local function can_be(step, version)
  return step.was_late or not step.version or version <= step.version
end

---@param step critic.Step
local function is_known(step) return marks_of(step.client).answered >= step.marks end

--- Whether an edit that has come, of a text with this version, is that of a command; asked once for each.
---@param buffer integer
---@param version integer
---@return boolean
function M.take(buffer, version)
  local known = steps[buffer] or {}
  while known[1] and is_known(known[1]) do
    local step = table.remove(known, 1)
    if can_be(step, version) then
      return true
    end
    -- It made no edit: accepting what has no mark yet changes nothing.
  end
  return false
end

--- An edit of a text with this version came too late.
---@param buffer integer
---@param version integer
function M.refuse(buffer, version)
  local step = (steps[buffer] or {})[1]
  if step and is_known(step) and can_be(step, version) then
    step.was_late = true
  end
end

--- An edit of the server was made in the text that had this version: the user has typed nothing by that.
---@param buffer integer
---@param version integer
function M.pass(buffer, version)
  for _, step in ipairs(steps[buffer] or {}) do
    if step.version and step.version >= version then
      step.version = vim.api.nvim_buf_get_changedtick(buffer)
    end
  end
end

return M
