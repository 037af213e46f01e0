-- For `vim.lsp.enable('critic')`, in Neovim 0.11 and later: the server with all that the plug-in adds.
--
--   vim.lsp.config('critic', { settings = { critic = { tracking = 'on' } } })
--   vim.lsp.enable('critic')

local config = require('critic.config')
local options = require('critic.options')

---@type vim.lsp.Config
return vim.tbl_extend('error', config.client(), {
  filetypes = options.filetypes,
  root_dir = function(buffer, on_dir)
    if config.suits(buffer) then
      require('critic.hiding').prepare(buffer)
      on_dir(config.root(buffer))
    end
  end,
  on_attach = function(_, buffer) require('critic').equip(buffer) end,
})
