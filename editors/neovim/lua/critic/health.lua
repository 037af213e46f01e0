-- `:checkhealth critic`

local hidden = require('critic.hidden')
local options = require('critic.options')
local server = require('critic.server')

local M = {}

-- The first line that a program writes, or nil.
local function answer(command)
  local lines = vim.fn.systemlist(command)
  return vim.v.shell_error == 0 and lines[1] or nil
end

-- Which servers run in which buffers, as a sentence about each; and the program of one of them.
local function running()
  local files, versions, program = {}, {}, nil
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local client = vim.api.nvim_buf_is_loaded(buffer) and server.client(buffer)
    if client then
      local version = server.version(client)
      if not files[version] then
        files[version] = {}
        table.insert(versions, version)
      end
      local cmd = client.config.cmd
      program = type(cmd) == 'table' and cmd[1] or program
      table.insert(files[version], vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.'))
    end
  end
  local function sentence(version) return version .. ' runs in ' .. table.concat(files[version], ', ') end
  return vim.tbl_map(sentence, versions), program
end

--- Says which versions there are, whether the program is found, and where the server runs.
function M.check()
  -- The names before Neovim 0.10.
  local health = vim.health or require('health')
  local start, ok = health.start or health.report_start, health.ok or health.report_ok
  local warn, problem = health.warn or health.report_warn, health.error or health.report_error
  start('critic')
  local neovim = vim.version()
  ok(('Neovim %d.%d.%d'):format(neovim.major, neovim.minor, neovim.patch))
  local servers, program = running()
  program = program or options.cmd[1]
  if vim.fn.executable(program) == 1 then
    ok(('the program is %s: %s'):format(vim.fn.exepath(program), answer({ program, '--version' }) or 'it does not run'))
  else
    problem('found no program ' .. program .. '; put it on the PATH or set the option `cmd`')
  end
  for _, sentence in ipairs(servers) do
    ok(sentence)
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local one = hidden.of(buffer)
    local file = one and vim.fn.fnamemodify(one.file, ':~:.')
    if one and hidden.is_known(buffer) then
      ok('the marks of ' .. file .. ' are in the file, and hidden')
    elseif one then
      problem(('%s cannot be saved: %s'):format(file, one.problem or 'the server does not know its marks'))
    end
  end
  if #servers == 0 then
    warn("the server runs in no buffer: open a Markdown file; require('critic').setup() starts it there")
  end
end

return M
