-- Starts a server that has died again, before the next key: what was typed meanwhile is recorded then.

local server = require('critic.server')

local M = {}

-- A server that dies more often than this within a minute is left dead.
local MOST, WITHIN = 3, 60000

-- When servers died, in milliseconds.
---@type integer[]
local deaths = {}

-- The buffers of a client that has ended, which Neovim forgets a moment later.
local function buffers(client, id)
  if client and client.attached_buffers then
    return vim.tbl_keys(client.attached_buffers)
  end
  return vim.lsp.get_buffers_by_client_id(id)
end

-- Neovim tells of the end in several lines, which stop somebody who types with a prompt; ours is one.
local function hush()
  local notify = vim.notify
  local function ours(text, ...)
    if not tostring(text):find('^Client %S+ quit with') then
      return notify(text, ...)
    end
  end
  vim.notify = ours
  -- Neovim's message comes in what is scheduled by now, or right after.
  vim.schedule(function()
    vim.schedule(function()
      if vim.notify == ours then
        vim.notify = notify
      end
    end)
  end)
end

local function start(client, attached)
  for _, buffer in ipairs(attached) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.start and client then
      vim.lsp.start(client.config, { bufnr = buffer })
    elseif vim.api.nvim_buf_is_loaded(buffer) then
      require('critic').attach(buffer)
    end
  end
end

--- A server has ended. One that was told to ends with 0 or, where it did not listen, with SIGTERM.
---@param code integer
---@param signal integer
---@param id integer
function M.on_exit(code, signal, id)
  if code == 0 and signal == 0 or signal == 15 or vim.v.exiting ~= vim.NIL then
    return
  end
  local client = vim.lsp.get_client_by_id(id)
  local attached = buffers(client, id)
  local now = math.floor((vim.uv or vim.loop).hrtime() / 1e6)
  deaths = vim.tbl_filter(function(time) return now - time < WITHIN end, deaths)
  table.insert(deaths, now)
  hush()
  vim.schedule(function()
    if #deaths > MOST then
      return server.tell('the server died again and is not started any more; nothing is recorded until :edit', 'ERROR')
    end
    start(client, attached)
    server.tell('the server died and was started again')
  end)
end

return M
