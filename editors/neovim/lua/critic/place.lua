-- Places in a buffer: rows and bytes from 0 as Neovim counts them, and LSP's positions.

local server = require('critic.server')

local M = {}

--- A stretch of a buffer: rows and bytes from 0, the end exclusive.
---@class critic.Stretch
---@field row integer
---@field column integer
---@field end_row integer
---@field end_column integer

--- An LSP position, in the units that this client and the server agreed on.
---@param buffer integer
---@param row integer
---@param column integer
---@return lsp.Position
function M.position(buffer, row, column)
  local encoding = server.client(buffer).offset_encoding
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ''
  local units = 0
  for index = 1, math.min(column, #line) do
    local byte = line:byte(index)
    if encoding == 'utf-8' or byte < 0x80 or byte >= 0xC0 then
      units = units + 1
    end
    if encoding == 'utf-16' and byte >= 0xF0 then
      units = units + 1
    end
  end
  return { line = row, character = units }
end

-- Where an LSP position is: row and byte from 0, at most at the end of the line.
local function byte_at(buffer, position)
  local encoding = server.client(buffer).offset_encoding
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ''
  if encoding == 'utf-8' then
    return position.line, math.min(position.character, #line)
  end
  local units = 0
  for index = 1, #line do
    local byte = line:byte(index)
    if byte < 0x80 or byte >= 0xC0 then
      if units >= position.character then
        return position.line, index - 1
      end
      units = units + (encoding == 'utf-16' and byte >= 0xF0 and 2 or 1)
    end
  end
  return position.line, #line
end

--- Where an LSP range is.
---@param buffer integer
---@param range lsp.Range
---@return critic.Stretch
function M.stretch(buffer, range)
  local row, column = byte_at(buffer, range.start)
  local end_row, end_column = byte_at(buffer, range['end'])
  local count = vim.api.nvim_buf_line_count(buffer)
  -- The end of a text that ends with a line break is in no line of Neovim's.
  if end_row >= count then
    end_row = count - 1
    end_column = #vim.api.nvim_buf_get_lines(buffer, end_row, count, false)[1]
  end
  return { row = math.min(row, count - 1), column = column, end_row = end_row, end_column = end_column }
end

--- An LSP range; the end is the start where none is told.
---@param buffer integer
---@param range critic.Stretch
---@return lsp.Range
function M.range(buffer, range)
  return {
    start = M.position(buffer, range.row, range.column),
    ['end'] = M.position(buffer, range.end_row, range.end_column),
  }
end

--- Where the caret is, as an LSP position.
---@param buffer integer
---@return lsp.Position
function M.caret(buffer)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return M.position(buffer, row - 1, column)
end

-- The range of the word that the caret is on, or the caret.
local function word()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local _, start, finish = unpack(vim.fn.matchstrpos(vim.fn.getline('.'), ([[\k*\%%%dc\k\+]]):format(column + 1)))
  if start < 0 then
    start, finish = column, column
  end
  return { row = row - 1, column = start, end_row = row - 1, end_column = finish }
end

--- The range that a command was given, or else the word that the caret is on.
---@param given vim.api.keyset.create_user_command.command_args
---@return critic.Stretch
function M.given_or_word(given) return given.range == 0 and word() or M.given(given) end

--- The range that a command was given: the selection as it was made, whole lines, or the caret.
---@param given vim.api.keyset.create_user_command.command_args
---@return critic.Stretch
function M.given(given)
  if given.range == 0 then
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    return { row = row - 1, column = column, end_row = row - 1, end_column = column }
  end
  local first, last = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  local last_line = vim.fn.getline(given.line2)
  local selected = first[2] == given.line1 and last[2] == given.line2 and vim.fn.visualmode() ~= 'V'
  if not selected then
    return { row = given.line1 - 1, column = 0, end_row = given.line2 - 1, end_column = #last_line }
  end
  local end_column = math.min(last[3] - 1, #last_line)
  if vim.o.selection ~= 'exclusive' then
    end_column = end_column + #vim.fn.matchstr(last_line, '.', end_column)
  end
  return { row = first[2] - 1, column = first[3] - 1, end_row = last[2] - 1, end_column = end_column }
end

--- An LSP range of the buffer as an item of the quickfix list.
---@param buffer integer
---@param range lsp.Range
---@param text? string
---@return table item
function M.item(buffer, range, text)
  local location = { uri = vim.uri_from_bufnr(buffer), range = range }
  local item = vim.lsp.util.locations_to_items({ location }, server.client(buffer).offset_encoding)[1]
  item.text = text
  return item
end

--- Puts the caret at the beginning of an LSP range, and opens folds there. It remembers where the caret was.
---@param buffer integer
---@param range lsp.Range
function M.go(buffer, range)
  local item = M.item(buffer, range)
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { item.lnum, item.col - 1 })
  vim.cmd('normal! zv')
end

return M
