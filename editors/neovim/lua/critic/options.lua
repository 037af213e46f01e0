-- What `setup` can be told, with what holds where it is told nothing.

--- What the server is told.
---@class critic.Settings
---@field tracking? 'auto' | 'on' | 'off' whether changes are tracked; 'auto': in documents that have some already
---@field marks? 'inline' | 'beside' where the marks of a text are put that has none yet
---@field marking? 'auto' | 'idle' | 'save' | 'command' when changes are put into marks
---@field idleDelay? integer how many milliseconds without a key count as idle
---@field markWhileTyping? boolean whether marks come in insert mode too, after a pause; else when it is left
---@field author? string new comments begin with it
---@field severity? 'error' | 'warning' | 'information' | 'hint' of the changes among the diagnostics
---@field attribution? 'none'|'author'|'author+date' whether new changes say who made them, and when
---@field maxChanges? integer how many changes the diagnostics and the outline list at most
---@field frontMatter? 'leave' | 'track' what becomes of changes in YAML front matter
---@field semanticTokens? boolean whether the server colours the marks
---@field inlayHints? boolean
---@field codeLens? boolean
---@field rememberTracking? boolean whether it is remembered where tracking is turned on or off

---@class critic.Options
---@field cmd? string[] the server's program and arguments
---@field filetypes? string[] of the buffers to attach to
---@field settings? critic.Settings
---@field capabilities? table what is told of the editor beyond what Neovim tells: that of a completion plug-in, for one
---@field mark_on_insert_leave? boolean mark what was typed when insert mode is left, without waiting for the idle delay
---@field mark_on_save? boolean mark what is pending before the file is written
---@field join_undo? boolean undo a change and its marks in one step
---@field indent? boolean let `<` take back indentation that is in a mark
---@field highlight? boolean colour the five kinds of marks
---@field signs? boolean signs at the left of lines with marks, in the place of those of the diagnostics
---@field comments? boolean show comments below their paragraphs, where the delimiters are hidden
---@field conceal? boolean | 'deleted' hide the delimiters of marks, but in the caret's line; and what is deleted too
---@field hide? boolean show the clean text of files, which keep their marks
---@field keys? boolean | table<string, string> those of `critic.keys`, or some of their names with keys for them
local M = {
  cmd = { 'critic-lsp' },
  filetypes = { 'markdown' },
  settings = {},
  capabilities = {},
  mark_on_insert_leave = true,
  mark_on_save = true,
  join_undo = true,
  indent = false,
  highlight = true,
  signs = true,
  comments = true,
  conceal = true,
  keys = false,
  hide = false,
}

local known = {}
for name in pairs(M) do
  known[name] = true
end

--- Takes over what the user wants; returns the names that there are no options for.
---@param given critic.Options
---@return string[]
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
