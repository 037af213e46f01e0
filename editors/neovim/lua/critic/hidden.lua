-- The buffers that show the clean text of a file that has its marks in it, and what the server knows of them.

local server = require('critic.server')

local M = {}

--- What is known of such a buffer.
---@class critic.Hidden
---@field file string the file that has the marks
---@field clean string the clean text as it was read or written last, byte for byte
---@field form string how that is written: line ends and so on
---@field is_unsure? boolean whether the text was recovered, and it is not known whether it has its marks in it
---@field taken? integer the client whose server has taken the marks from the file
---@field is_saved? boolean whether its file is being told to have been written
---@field opening? table what it was told last that the document is open
---@field problem? string why a server has not
---@field is_undo_due? boolean whether undo is to be kept with the file for the text that was written
---@field autoread? boolean whether the file is read again when it has changed
---@field undofile? boolean whether undo is kept with the file

---@type table<integer, critic.Hidden>
local all = {}

--- What is known of a buffer; nil where its text is that of its file.
---@param buffer integer
---@return critic.Hidden?
function M.of(buffer) return all[buffer] end

--- Notes that a buffer shows the clean text of its file.
---@param buffer integer
---@param clean string that text, byte for byte
function M.add(buffer, clean)
  local function is_on(name) return vim.fn.getbufvar(buffer, '&' .. name) == 1 end
  all[buffer] = all[buffer] or { autoread = is_on('autoread'), undofile = is_on('undofile') }
  local one = all[buffer]
  one.file, one.is_unsure = vim.api.nvim_buf_get_name(buffer), nil
  -- Neovim would take what the server writes for what another program has written, and keep undo for that text.
  vim.bo[buffer].autoread, vim.bo[buffer].undofile = false, false
  one.clean, one.form = clean, M.form(buffer)
end

--- How a text is written, beside its lines. The server does not hear of changes of that.
---@param buffer integer
---@return string
function M.form(buffer)
  local options = vim.bo[buffer]
  local byte_order, last = options.bomb and 'bomb' or 'nobomb', options.endofline and 'endofline' or 'noendofline'
  return table.concat({ options.fileformat, options.fileencoding, byte_order, last }, ' ')
end

--- Notes that a buffer shows what is in its file.
---@param buffer integer
function M.remove(buffer)
  local one = all[buffer]
  all[buffer] = nil
  if one and vim.api.nvim_buf_is_valid(buffer) then
    vim.bo[buffer].autoread, vim.bo[buffer].undofile = one.autoread, one.undofile
  end
end

--- Whether a server may change the text of a buffer, and write its file: not before it has taken the marks from there.
---@param buffer integer
---@return boolean
function M.is_known(buffer)
  local one, client = all[buffer], server.client(buffer)
  return one == nil or client ~= nil and one.taken == client.id and not one.is_unsure
end

--- Has a server take the marks from the file. What it cannot take is told to the user.
---@param client vim.lsp.Client
---@param buffer integer
function M.take(client, buffer)
  local one = all[buffer]
  one.taken, one.problem = nil, nil
  if one.is_unsure then
    return
  end
  local opening = {}
  one.opening = opening
  local function is_over() return all[buffer] ~= one or one.opening ~= opening end
  local function fail(problem)
    one.problem = problem
    server.tell('the marks of the file: ' .. problem, 'WARN')
  end
  server.request(client, buffer, 'marks', { marks = 'file' }, function(_, problem)
    if is_over() then
      return
    elseif problem then
      return fail(problem)
    end
    -- A server that takes the text itself for one with marks would have them there.
    server.request(client, buffer, 'status', {}, function(status)
      if is_over() then
        return
      elseif status and status.marks == 'file' then
        one.taken = client.id
      else
        fail('the text looks as if it had them')
      end
    end)
  end)
end

--- Whether a message of a server begins with the name of a hidden buffer's file.
---@param message string
---@return boolean
function M.is_named_by(message)
  for _, one in pairs(all) do
    if vim.startswith(message, vim.fn.fnamemodify(one.file, ':t') .. ' ') then
      return true
    end
  end
  return false
end

-- The buffer of a document, if it shows less than its file has.
local function buffer_of(document)
  for buffer in pairs(all) do
    if vim.api.nvim_buf_is_valid(buffer) and vim.uri_from_bufnr(buffer) == document.uri then
      return buffer
    end
  end
end

--- Has a server take the marks of each document from its file right after it is told of it: before it can take the
--- text for one that has lost its marks. Neovim tells of it in several cases, and of none of them to us. And keeps from
--- it that the text was saved where another file was written: it would write this one then.
---@param client vim.lsp.Client
function M.follow(client)
  local notify = client.notify
  client.notify = function(...)
    local method, params = ...
    if method == client then
      method, params = select(2, ...)
    end
    local is_open, is_save = method == 'textDocument/didOpen', method == 'textDocument/didSave'
    local buffer = (is_open or is_save) and buffer_of(params.textDocument)
    if buffer and is_save and not all[buffer].is_saved then
      return true
    end
    local is_sent = notify(...)
    if buffer and is_open then
      M.take(client, buffer)
    end
    return is_sent
  end
end

return M
