-- What the text of a buffer is in a file, byte for byte, and back.

local M = {}

local ENDS = { unix = '\n', dos = '\r\n', mac = '\r' }
local BYTE_ORDER_MARK = '\239\187\191'

-- What is written before the text.
local function byte_order_mark(buffer) return vim.bo[buffer].bomb and BYTE_ORDER_MARK or '' end

-- A buffer without a line looks like one with an empty line.
local function is_empty(buffer) return vim.api.nvim_buf_call(buffer, vim.fn.wordcount).bytes == 0 end

--- What a line of a buffer ends with in a file.
---@param buffer integer
---@return string
function M.line_end(buffer) return ENDS[vim.bo[buffer].fileformat] end

--- Whether Neovim writes an end behind a last line that has none.
---@param buffer integer
---@return boolean
function M.gets_end(buffer) return vim.bo[buffer].fixendofline and not vim.bo[buffer].binary end

--- What the text of a buffer would be in a file.
---@param buffer integer
---@return string
function M.of(buffer)
  local mark, line_end = byte_order_mark(buffer), M.line_end(buffer)
  if is_empty(buffer) then
    return mark
  end
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  return mark .. table.concat(lines, line_end) .. (vim.bo[buffer].endofline and line_end or '')
end

--- The lines of a text in the line ends of a buffer, and whether the last one has an end; nil if a buffer with this
--- byte order mark and these line ends cannot be exactly this text.
---@param buffer integer
---@param text string
---@return string[]?
---@return boolean? has_end
function M.lines(buffer, text)
  local mark, line_end = byte_order_mark(buffer), M.line_end(buffer)
  if not vim.startswith(text, mark) then
    return nil
  end
  local lines = vim.split(text:sub(#mark + 1), line_end, { plain = true })
  local has_end = #lines > 1 and lines[#lines] == ''
  -- An empty text has no line.
  if has_end or #lines == 1 and lines[1] == '' then
    table.remove(lines)
  end
  for _, line in ipairs(lines) do
    if line:find('\n', 1, true) then
      return nil
    end
  end
  return lines, has_end
end

--- A text without byte order mark.
---@param text string
---@return string
function M.without_mark(text) return (text:gsub('^' .. BYTE_ORDER_MARK, '')) end

--- A text without byte order mark, in the line ends of Unix.
---@param text string
---@return string
function M.plain(text) return (M.without_mark(text):gsub('\r\n', '\n')) end

--- What is in a file; nil where it cannot be read.
---@param file string
---@return string?
function M.read(file)
  local handle = io.open(file, 'rb')
  local text = handle and handle:read('*a')
  if handle then
    handle:close()
  end
  return text
end

return M
