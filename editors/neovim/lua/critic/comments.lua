-- Comments, whose text is asked for where none is given.

local beside = require('critic.beside')
local changes = require('critic.changes')
local place = require('critic.place')
local server = require('critic.server')
local threads = require('critic.threads')

local M = {}

local namespace = vim.api.nvim_create_namespace('critic')

-- What the comment at the caret says, without its author; empty where there is none, or where it has several lines.
local function said(buffer)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local change = beside.at(buffer, row - 1, column)
  if change then
    local comments = changes.comments(change)
    return #comments == 1 and not comments[1]:find('\n') and threads.head(comments[1]).text or ''
  end
  local line = vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1]
  local at = 1
  while true do
    local start, finish, text = line:find('{>>(.-)<<}', at)
    if not start or start > column + 1 then
      return ''
    end
    if column < finish then
      return (text:gsub('^@[^%s:]+:%s*', ''))
    end
    at = finish + 1
  end
end

-- Asks for a text. Marks may come in while the user writes: `done` gets it with the range as it is by then.
local function ask(buffer, range, prompt, done, default)
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, range.row, range.column, {
    end_row = range.end_row,
    end_col = range.end_column,
    right_gravity = range.row ~= range.end_row or range.column ~= range.end_column,
    end_right_gravity = false,
  })
  vim.ui.input({ prompt = prompt, default = default }, function(text)
    local row, column, ends = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, { details = true }))
    vim.api.nvim_buf_del_extmark(buffer, namespace, mark)
    done(text, { row = row, column = column, end_row = ends.end_row, end_column = ends.end_col })
  end)
end

-- Sends a command on a range of rows and bytes with the text given, or asks for it.
local function write(buffer, command, range, text, default)
  if not server.client(buffer) then
    return server.tell('the server does not run in this buffer', 'WARN')
  end
  if text ~= '' then
    return server.edit(buffer, command, { range = place.range(buffer, range), text = text })
  end
  ask(buffer, range, 'Comment: ', function(written, moved)
    if written and written ~= '' then
      server.edit(buffer, command, { range = place.range(buffer, moved), text = written })
    end
  end, default)
end

--- Comments on a range; inside a comment, answers it.
---@param buffer integer
---@param range critic.Stretch
---@param text string '' where it is to be asked for
function M.comment(buffer, range, text) write(buffer, 'comment', range, text) end

--- Writes the comment at a range anew; its author stays.
---@param buffer integer
---@param range critic.Stretch
---@param text string '' where it is to be asked for
function M.edit(buffer, range, text) write(buffer, 'editComment', range, text, said(buffer)) end

--- Asks for a comment on each change that has none, from the caret on and around at the end of the document. An empty
--- text leaves a change without one, Escape ends the pass.
---@param buffer integer
function M.annotate(buffer)
  if not server.client(buffer) then
    return server.tell('the server does not run in this buffer', 'WARN')
  end
  -- How many there are still to ask about; and how many were passed over.
  local left, passed = nil, 0
  local step

  local function finish()
    server.tell(passed == 0 and 'every change has a comment' or passed .. ' left without a comment')
  end

  local function ask_about(found)
    left = left or found and found.left or 0
    if not found or left == 0 then
      return finish()
    end
    place.go(buffer, found.range)
    vim.cmd('redraw')
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    local start = { row = row - 1, column = column, end_row = row - 1, end_column = column }
    local prompt = ('Why %s? (%d to go) '):format(changes.quoted(found), left)
    ask(buffer, start, prompt, function(text, moved)
      if not text then
        return
      end
      left = left - 1
      if text ~= '' then
        return step(server.edit, place.range(buffer, moved).start, text)
      end
      passed = passed + 1
      if left == 0 then
        return finish()
      end
      server.execute(buffer, 'nextUncommented', { position = place.caret(buffer) }, function(following)
        step(server.execute, following and following.range.start or place.caret(buffer))
      end)
    end)
  end

  function step(send, position, text)
    send(buffer, 'annotate', { position = position, text = text }, ask_about)
  end

  step(server.execute, place.caret(buffer))
end

return M
