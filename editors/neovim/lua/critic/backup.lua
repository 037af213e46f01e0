-- What Neovim does with 'backup' where it writes a file by itself: the file as it was is kept.

local loop = vim.uv or vim.loop

local M = {}

local function is_skipped(file)
  for _, pattern in ipairs(vim.opt.backupskip:get()) do
    if vim.fn.match(file, vim.fn.glob2regpat(vim.fn.fnamemodify(pattern, ':p'))) >= 0 then
      return true
    end
  end
  return false
end

-- The name of the backup in one of the folders of 'backupdir'.
local function name(file, folder)
  local own = vim.fn.fnamemodify(file, ':t')
  if vim.endswith(folder, '//') then
    own = file:gsub('/', '%%')
  end
  if folder == '.' or vim.startswith(folder, './') then
    folder = vim.fn.fnamemodify(file, ':h') .. folder:sub(2)
  end
  return vim.fn.fnamemodify(folder, ':p') .. '/' .. own .. vim.o.backupext
end

--- Keeps a file as it is in the first folder in which that is possible, if the user wants that.
---@param file string its full name
---@return boolean is_kept or need not be
function M.keep(file)
  if not vim.o.backup or not loop.fs_stat(file) or is_skipped(file) then
    return true
  end
  for _, folder in ipairs(vim.opt.backupdir:get()) do
    if loop.fs_copyfile(file, name(file, folder)) then
      return true
    end
  end
  return false
end

return M
