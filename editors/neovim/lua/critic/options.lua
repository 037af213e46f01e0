-- What `setup` can be told, with what holds where it is told nothing.

local M = {
  -- The server.
  cmd = { 'critic-lsp' },
  -- The buffers to attach to.
  filetypes = { 'markdown' },
  -- What the server is told: tracking, marking, idleDelay, author, severity, frontMatter, …
  settings = {},
  -- What is told of the editor, beyond what Neovim itself tells: that of a completion plug-in, for one.
  capabilities = {},
  -- Mark what was typed when insert mode is left, without waiting for the idle delay.
  mark_on_insert_leave = true,
  -- Mark what is pending before the file is written.
  mark_on_save = true,
  -- Undo a change and its marks in one step.
  join_undo = true,
  -- Let `<` take back indentation that is in a mark.
  indent = true,
  -- Colour the five kinds of marks.
  highlight = true,
  -- Hide the delimiters of marks, but in the caret's line; 'deleted' hides what is deleted too.
  conceal = false,
  -- Keys: true for those of `critic.keys`, or a table with some of its names.
  keys = false,
}

local known = {}
for name in pairs(M) do
  known[name] = true
end

-- Takes over what the user wants; returns the names that there are no options for.
function M.take(given)
  local unknown = {}
  for name, value in pairs(given) do
    if not known[name] then
      table.insert(unknown, name)
    elseif name == 'settings' or name == 'capabilities' then
      M[name] = vim.tbl_deep_extend('force', M[name], value)
    else
      M[name] = value
    end
  end
  return unknown
end

return M
