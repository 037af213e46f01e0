-- `:checkhealth critic`

local options = require('critic.options')
local server = require('critic.server')

local M = {}

function M.check()
  -- The names before Neovim 0.10.
  local health = vim.health or require('health')
  local start, ok = health.start or health.report_start, health.ok or health.report_ok
  local warn, problem = health.warn or health.report_warn, health.error or health.report_error
  start('critic-lsp')
  if vim.fn.executable(options.cmd[1]) == 0 then
    return problem('found no program ' .. options.cmd[1] .. '; put it on the PATH or set the option `cmd`')
  end
  ok('the program is ' .. vim.fn.exepath(options.cmd[1]))
  local running = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and server.client(buffer) then
      table.insert(running, vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.'))
    end
  end
  if #running > 0 then
    ok('the server runs in ' .. table.concat(running, ', '))
  else
    warn("the server runs in no buffer: open a Markdown file, and call require('critic').setup()")
  end
end

return M
