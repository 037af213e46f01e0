-- Tried in Neovim 0.11.4: a Markdown buffer attaches, and a typed word is marked. Leave out this line upstream.
---@brief
---
--- @HOMEPAGE@
---
--- Suggesting mode for Markdown: what is typed, deleted and replaced is recorded as CriticMarkup, and can be accepted,
--- rejected and commented on.
---
--- Tracking is on in documents that have changes. To have it on everywhere:
---
--- ```lua
--- vim.lsp.config('critic', { settings = { critic = { tracking = 'on' } } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'critic-lsp' },
  filetypes = { 'markdown' },
  root_markers = { '.git' },
}
