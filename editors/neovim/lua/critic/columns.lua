-- What is shown between the words of a line, out of the way of commands that count columns: Neovim counts it, too, and
-- other text would come of the same keys.

local M = {}

local FORMAT = "v:lua.require'critic.columns'.format()"
local CAN_BE_INLINE = vim.fn.has('nvim-0.10') == 1

local function keys_of(text) return vim.api.nvim_replace_termcodes(text, true, true, true) end

local BLOCK = keys_of('<C-v>')
-- In insert mode these go to the next column of 'softtabstop', or back to the one before.
local STOPS = { [keys_of('<Tab>')] = true, [keys_of('<BS>')] = true, [keys_of('<C-h>')] = true }

local keys = vim.api.nvim_create_namespace('critic-columns')

--- A buffer in which something may be shown between the words.
---@class critic.Columns
---@field draw fun() has it shown anew, in a moment
---@field is_counting? boolean whether a command that counts columns is under way

---@type table<integer, critic.Columns>
local known = {}

-- The key before the one that is typed.
local last_key

-- What is shown between the words of some rows, as `nvim_buf_get_extmarks` tells it; each with its namespace before it.
local function between(buffer, from, to)
  local found = {}
  for _, name in ipairs({ 'critic-beside', 'critic-page' }) do
    local space = vim.api.nvim_create_namespace(name)
    for _, extmark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, space, from, to, { details = true })) do
      if extmark[4].virt_text_pos == 'inline' then
        table.insert(found, { space, unpack(extmark) })
      end
    end
  end
  return found
end

-- Takes it all away, until it is drawn anew.
local function hide(buffer)
  for _, one in ipairs(between(buffer, 0, -1)) do
    vim.api.nvim_buf_del_extmark(buffer, one[1], one[2])
  end
end

-- Shows nothing between the words of the caret's line while a key does what it does.
local function step_aside(buffer)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local found = between(buffer, { row, 0 }, { row, -1 })
  local function set(one, at_row, column, chunks)
    local details = vim.tbl_extend('force', one[5], { id = one[2], virt_text = chunks })
    details.ns_id = nil
    vim.api.nvim_buf_set_extmark(buffer, one[1], at_row, column, details)
  end
  for _, one in ipairs(found) do
    set(one, one[3], one[4], {})
  end
  if not found[1] then
    return
  end
  vim.schedule(function()
    for _, one in ipairs(vim.api.nvim_buf_is_loaded(buffer) and found or {}) do
      local row_now, column = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer, one[1], one[2], {}))
      if row_now then
        set(one, row_now, column, one[5].virt_text)
      end
    end
  end)
end

-- Has nothing shown between the words while a block is selected, or written into, and while `gw` waits for a motion.
-- What is written into a block comes into its other lines when insert mode is left.
local function on_mode(buffer)
  local one, mode = known[buffer], vim.v.event.new_mode
  if mode == BLOCK or mode:find('^no') and vim.v.operator == 'gw' then
    one.is_counting = true
    hide(buffer)
    if mode == BLOCK and vim.fn.winsaveview().curswant < vim.v.maxcol then
      -- The column that the caret keeps to was counted with what was there.
      vim.fn.winrestview({ curswant = vim.fn.virtcol('.') - 1 })
    end
  elseif one.is_counting then
    vim.schedule(function()
      if known[buffer] == one and vim.api.nvim_get_mode().mode:find('^n') then
        one.is_counting = nil
        one.draw()
      end
    end)
  end
end

-- `gw` of a selection is told by nothing else.
local function on_key(key)
  local buffer = vim.api.nvim_get_current_buf()
  local mode = known[buffer] and vim.api.nvim_get_mode().mode or ''
  if mode:find('^[iR]') and STOPS[key] then
    step_aside(buffer)
  elseif mode:find('^[vV]') and key == 'w' and last_key == 'g' then
    M.format()
  end
  last_key = key
end

--- Watches for commands that count columns from now on.
---@param buffer integer
---@param group integer of autocommands
---@param draw fun() shows what is between the words anew, in a moment
function M.watch(buffer, group, draw)
  if not CAN_BE_INLINE then
    return
  end
  known[buffer] = { draw = draw }
  vim.on_key(on_key, keys)
  vim.api.nvim_create_autocmd('ModeChanged', {
    group = group,
    buffer = buffer,
    callback = function() on_mode(buffer) end,
  })
  vim.api.nvim_create_autocmd('BufDelete', {
    group = group,
    buffer = buffer,
    callback = function() known[buffer] = nil end,
  })
end

--- Whether text can be shown between the words of a buffer: not where Neovim breaks lines by itself, nor while a
--- command counts columns.
---@param buffer integer
---@return boolean
function M.can_be_between(buffer)
  local of = vim.bo[buffer]
  local breaks_lines = of.textwidth > 0 or of.wrapmargin > 0 or of.formatoptions:find('a') ~= nil
  return CAN_BE_INLINE and not breaks_lines and not (known[buffer] and known[buffer].is_counting)
end

--- Has `M.format` asked where Neovim itself would format, or no more.
---@param buffer integer
---@param is_drawn boolean whether something may be between the words
function M.set_format(buffer, is_drawn)
  local of = vim.bo[buffer]
  local is_free = of.formatexpr == '' and of.formatprg == '' and vim.go.formatprg == ''
  if is_drawn and CAN_BE_INLINE and is_free then
    of.formatexpr = FORMAT
  elseif not is_drawn and of.formatexpr == FORMAT then
    of.formatexpr = ''
  end
end

--- For 'formatexpr': has Neovim format as it does without it, with nothing between the words that it would count.
---@return integer
function M.format()
  local buffer = vim.api.nvim_get_current_buf()
  if known[buffer] then
    hide(buffer)
    known[buffer].draw()
  end
  return 1
end

return M
