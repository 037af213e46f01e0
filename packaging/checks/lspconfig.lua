-- With the folder of nvim-lspconfig on the runtime path: a Markdown buffer attaches, and a typed word is marked.
local function await(what, condition)
  if not vim.wait(10000, condition, 20) then
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    io.stderr:write('lspconfig: waited in vain for ' .. what .. '; the buffer holds: ' .. text .. '\n')
    vim.cmd('cquit 1')
  end
end

-- As the file's documentation says.
vim.lsp.config('critic', { settings = { critic = { tracking = 'on' } } })
vim.lsp.enable('critic')
vim.cmd('filetype on')
vim.cmd.edit('draft.md')

local client
await('the server', function()
  client = vim.lsp.get_clients({ name = 'critic', bufnr = 0 })[1]
  return client ~= nil
end)
await('tracking', function()
  local arguments = { { uri = vim.uri_from_bufnr(0) } }
  local status = client:request_sync(
    'workspace/executeCommand',
    { command = 'critic.status', arguments = arguments },
    1000,
    0
  )
  return status and status.result and status.result.tracking
end)
vim.api.nvim_feedkeys(vim.keycode('A and hens<Esc>'), 'xt', false)
await('the marks', function()
  return vim.api.nvim_get_current_line() == 'Foxes{++ and hens++}'
end)
vim.cmd('qall!')
