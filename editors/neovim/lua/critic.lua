-- Tracked changes in Markdown, through the language server critic-lsp. For Neovim 0.7 and later.
--
--   require('critic').setup({ settings = { tracking = 'on', author = 'anna' } })
--
-- The server needs no plug-in. This one starts it, marks what was typed when insert mode is left, lets one `u` undo a
-- change together with its marks, marks before saving where Neovim does not ask the server by itself (before 0.8), and
-- gives the server's commands names.

local M = {}

local NAME = 'critic-lsp'

local options = {
  -- The server.
  cmd = { 'critic-lsp' },
  -- The buffers to attach to.
  filetypes = { 'markdown' },
  -- What the server is told: tracking, marking, idleDelay, author, severity, frontMatter, …
  settings = {},
  -- Mark what was typed when insert mode is left, without waiting for the idle delay.
  mark_on_insert_leave = true,
  -- Mark what is pending before the file is written.
  mark_on_save = true,
  -- Undo a change and its marks in one step.
  join_undo = true,
}

local namespace = vim.api.nvim_create_namespace('critic')
-- Buffers in which a command is under way whose edit is an undo step of its own.
local own_step = {}

function M.setup(given)
  options = vim.tbl_deep_extend('force', options, given or {})
  if vim.fn.executable(options.cmd[1]) == 0 then
    return M.tell('found no program ' .. options.cmd[1] .. '; put it on the PATH or set `cmd`', 'WARN')
  end
  local group = vim.api.nvim_create_augroup('critic', {})
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = options.filetypes,
    callback = function(event) M.attach(event.buf) end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(options.filetypes, vim.bo[buffer].filetype) then
      M.attach(buffer)
    end
  end
end

-- Starts the server for the buffer, or takes the one that runs for its folder.
function M.attach(buffer)
  -- Hover windows and the like are Markdown too, but have no file.
  if vim.bo[buffer].buftype ~= '' or vim.api.nvim_buf_get_name(buffer) == '' then
    return
  end
  local config = {
    name = NAME,
    cmd = options.cmd,
    root_dir = M.root(buffer),
    init_options = vim.tbl_isempty(options.settings) and vim.empty_dict() or options.settings,
    settings = { critic = options.settings },
    handlers = { ['workspace/applyEdit'] = M.apply_edit },
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    vim.lsp.buf_attach_client(buffer, M.running(config) or vim.lsp.start_client(config))
  end
  M.watch(buffer)
  M.define_commands(buffer)
end

-- The nearest folder above the file that holds `.git`, else the file's own.
function M.root(buffer)
  local own = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local folder, above = own, nil
  while folder ~= above do
    if vim.fn.getftype(folder .. '/.git') ~= '' then
      return folder
    end
    folder, above = vim.fn.fnamemodify(folder, ':h'), folder
  end
  return own
end

-- Neovim 0.7: the client that already runs for this folder.
function M.running(config)
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == NAME and client.config.root_dir == config.root_dir and not client.is_stopped() then
      return client.id
    end
  end
end

-- The buffer's client, or nil.
function M.client(buffer)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = buffer, name = NAME })[1]
  end
  for _, client in pairs(vim.lsp.buf_get_clients(buffer)) do
    if client.name == NAME then
      return client
    end
  end
end

-- Marking ---------------------------------------------------------------------------------------------------------

function M.watch(buffer)
  local group = vim.api.nvim_create_augroup('critic-' .. buffer, {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buffer, callback = callback })
  end
  if options.mark_on_insert_leave then
    local entered
    -- Only what was typed: what an undo has left unmarked stays so if insert mode is just entered and left.
    on('InsertEnter', function() entered = vim.api.nvim_buf_get_changedtick(buffer) end)
    on('InsertLeave', function()
      if entered ~= vim.api.nvim_buf_get_changedtick(buffer) and M.client(buffer) then
        M.execute(buffer, 'mark', {})
      end
    end)
  end
  local announced = vim.lsp.protocol.make_client_capabilities().textDocument.synchronization
  if options.mark_on_save and not announced.willSaveWaitUntil then
    on('BufWritePre', function() M.mark_now(buffer) end)
  end
end

-- Marks what is pending, and waits for it. The server answers a request for formatting with the marks alone.
function M.mark_now(buffer)
  local client = M.client(buffer)
  if not client then
    return
  end
  local answer = M.call(client, 'request_sync', 'textDocument/formatting', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    options = { tabSize = vim.bo[buffer].tabstop, insertSpaces = vim.bo[buffer].expandtab },
  }, 1000, buffer)
  if answer and answer.result and #answer.result > 0 then
    M.join_undo(buffer)
    vim.lsp.util.apply_text_edits(answer.result, buffer, client.offset_encoding)
  end
end

-- The server's edits. Neovim's own handler says that an edit was applied also when it was too late for that, and
-- prints a message that can stop the user with a prompt; this one says so to the server, which tries again. And in
-- Neovim 0.7 the caret keeps its column when text around it goes.
function M.apply_edit(problem, params, ...)
  local changes = params.edit.documentChanges
  local document = changes and changes[1] and changes[1].textDocument
  if not document then
    return vim.lsp.handlers['workspace/applyEdit'](problem, params, ...)
  end
  local buffer = vim.uri_to_bufnr(document.uri)
  local newest = (vim.lsp.util.buf_versions or {})[buffer]
  if type(document.version) == 'number' and newest and newest > document.version then
    return { applied = false, failureReason = 'the buffer has changed since' }
  end
  if own_step[buffer] then
    own_step[buffer] = nil
  else
    M.join_undo(buffer)
  end
  local restore_caret = M.keep_caret(buffer)
  local answer = vim.lsp.handlers['workspace/applyEdit'](problem, params, ...)
  restore_caret()
  return answer
end

-- Remembers the caret as a place in the text; the result puts it back there, before what was inserted at it.
function M.keep_caret(buffer)
  if vim.api.nvim_get_current_buf() ~= buffer then
    return function() end
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, row - 1, column, { right_gravity = false })
  return function()
    local place = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, {})
    vim.api.nvim_buf_del_extmark(buffer, namespace, mark)
    vim.api.nvim_win_set_cursor(0, { place[1] + 1, place[2] })
  end
end

-- Lets the next edit belong to the undo step of the last change. Right after an undo Neovim refuses that, and the edit
-- is a step of its own.
function M.join_undo(buffer)
  if options.join_undo and vim.api.nvim_buf_is_loaded(buffer) then
    vim.api.nvim_buf_call(buffer, function() pcall(vim.cmd, 'undojoin') end)
  end
end

-- Commands --------------------------------------------------------------------------------------------------------

function M.define_commands(buffer)
  local function define(name, action, attributes)
    vim.api.nvim_buf_create_user_command(buffer, 'Critic' .. name, action, attributes)
  end
  -- A server command on the selection, or at the caret without one.
  local function on_range(name, does, command)
    define(name, function(given) M.edit(buffer, command, { range = M.range(given) }) end, { desc = does, range = true })
  end
  -- A server command on the whole document.
  local function on_document(name, does, command)
    define(name, function() M.edit(buffer, command, {}) end, { desc = does })
  end

  on_range('Accept', 'Accept the changes in the selection, or the one at the caret', 'accept')
  on_range('Reject', 'Reject the changes in the selection, or the one at the caret', 'reject')
  on_document('AcceptAll', 'Accept all changes', 'acceptAll')
  on_document('RejectAll', 'Reject all changes', 'rejectAll')
  on_range('Highlight', 'Highlight the selection', 'highlight')
  on_range('RemoveComment', 'Remove the comment at the caret', 'removeComment')
  define('Comment', function(given) M.comment(buffer, given) end, {
    desc = 'Comment on the selection, or on the change at the caret',
    range = true,
    nargs = '*',
  })
  define('Mark', function() M.execute(buffer, 'mark', {}) end, { desc = 'Put pending changes in marks now' })
  define('Toggle', function() M.toggle(buffer) end, { desc = 'Turn tracking on or off in this document' })
  define('Status', function() M.show_status(buffer) end, { desc = 'Say whether changes are tracked, and how many' })
  define('List', function() M.list(buffer) end, { desc = 'List the changes in the quickfix window' })
  define('Next', function() M.go(buffer, false) end, { desc = 'Go to the next change' })
  define('Previous', function() M.go(buffer, true) end, { desc = 'Go to the change before' })
end

-- Comments with the text given, or asks for it.
function M.comment(buffer, given)
  local range = M.range(given)
  if given.args ~= '' then
    return M.edit(buffer, 'comment', { range = range, text = given.args })
  end
  -- Marks may come in while the user writes; the extmark moves with the text that is commented on.
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, range.row, range.column, {
    end_row = range.end_row,
    end_col = range.end_column,
    right_gravity = range.row ~= range.end_row or range.column ~= range.end_column,
    end_right_gravity = false,
  })
  vim.ui.input({ prompt = 'Comment: ' }, function(text)
    local row, column, ends = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, { details = true }))
    vim.api.nvim_buf_del_extmark(buffer, namespace, mark)
    if text and text ~= '' then
      local moved = { row = row, column = column, end_row = ends.end_row, end_column = ends.end_col }
      M.edit(buffer, 'comment', { range = moved, text = text })
    end
  end)
end

function M.toggle(buffer)
  M.execute(buffer, 'toggleTracking', {}, function() M.show_status(buffer) end)
end

function M.show_status(buffer)
  M.execute(buffer, 'status', {}, function(status)
    local tracking = status.tracking
    if type(tracking) == 'boolean' then
      tracking = tracking and 'on' or 'off'
    end
    local parts = { 'tracking ' .. tracking, status.changes .. ' changes' }
    if status.commented ~= 0 then
      table.insert(parts, status.commented .. ' commented')
    end
    if status.pending ~= 0 then
      table.insert(parts, status.pending .. ' not marked yet')
    end
    M.tell(table.concat(parts, ', '))
  end)
end

-- All changes of the document in the quickfix list.
function M.list(buffer)
  local client = M.client(buffer)
  M.execute(buffer, 'changes', {}, function(changes)
    local items = {}
    for _, change in ipairs(changes) do
      table.insert(items, M.item(buffer, client, change))
    end
    vim.fn.setqflist({}, ' ', { title = 'Changes', items = items })
    if #items == 0 then
      M.tell('no changes')
    else
      vim.cmd('copen')
    end
  end)
end

-- The change in one line: kind, old → new, comments.
function M.told(change)
  local function quoted(text)
    return type(text) == 'string' and text ~= '' and '“' .. text:gsub('%s*\n%s*', ' ⏎ ') .. '”' or nil
  end
  local old, new = quoted(change.old), quoted(change.new)
  local parts = { change.kind .. ' ' .. (old and new and old .. ' → ' .. new or old or new or '') }
  for _, comment in ipairs(type(change.comments) == 'table' and change.comments or {}) do
    table.insert(parts, comment)
  end
  return table.concat(parts, ' — ')
end

-- Goes to the next change, or the one before, and around at the ends.
function M.go(buffer, backwards)
  local client = M.client(buffer)
  M.execute(buffer, 'changes', {}, function(changes)
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    local items, before, behind = {}, nil, nil
    for index, change in ipairs(changes) do
      local item = M.item(buffer, client, change)
      items[index] = item
      if item.lnum < row or item.lnum == row and item.col - 1 < column then
        before = item
      elseif item.lnum > row or item.col - 1 > column then
        behind = behind or item
      end
    end
    local found = backwards and (before or items[#items]) or not backwards and (behind or items[1])
    if not found then
      return M.tell('no changes')
    end
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { found.lnum, found.col - 1 })
  end)
end

-- A change as an item of the quickfix list.
function M.item(buffer, client, change)
  local place = { uri = vim.uri_from_bufnr(buffer), range = change.range }
  local item = vim.lsp.util.locations_to_items({ place }, client.offset_encoding)[1]
  item.text = M.told(change)
  return item
end

-- Talking to the server -------------------------------------------------------------------------------------------

-- Sends a command whose edit is the user's own, with an undo step of its own.
function M.edit(buffer, command, arguments)
  local client = M.client(buffer)
  local range = arguments.range
  if client and range then
    arguments.range = {
      start = M.position(client, buffer, range.row, range.column),
      ['end'] = M.position(client, buffer, range.end_row, range.end_column),
    }
  end
  own_step[buffer] = true
  M.execute(buffer, command, arguments)
end

-- Sends `critic.COMMAND`; Neovim sends what was typed before it.
function M.execute(buffer, command, arguments, done)
  local client = M.client(buffer)
  if not client then
    return M.tell('the server does not run in this buffer', 'WARN')
  end
  arguments.uri = vim.uri_from_bufnr(buffer)
  local params = { command = 'critic.' .. command, arguments = { arguments } }
  M.call(client, 'request', 'workspace/executeCommand', params, function(problem, result)
    if problem then
      M.tell(problem.message, 'WARN')
    elseif done then
      done(result)
    end
  end, buffer)
end

-- Calls a client's method, which since Neovim 0.11 wants the client before the arguments.
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

-- The range a command was given, in rows and bytes: the selection as it was made, whole lines, or the caret.
function M.range(given)
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

-- An LSP position, in the units that this client and the server agreed on.
function M.position(client, buffer, row, column)
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ''
  local units = 0
  for index = 1, math.min(column, #line) do
    local byte = line:byte(index)
    if client.offset_encoding == 'utf-8' or byte < 0x80 or byte >= 0xC0 then
      units = units + 1
    end
    if client.offset_encoding == 'utf-16' and byte >= 0xF0 then
      units = units + 1
    end
  end
  return { line = row, character = units }
end

function M.tell(text, level)
  vim.notify('critic: ' .. text, vim.log.levels[level or 'INFO'])
end

return M
