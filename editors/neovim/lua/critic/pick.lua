-- `:CriticPick`: one of the changes, by Telescope or fzf-lua where they are, else by what Neovim asks with.

local place = require('critic.place')
local rows = require('critic.rows')
local server = require('critic.server')

local M = {}

-- Telescope's own way to ask.
local function by_telescope(items, choose)
  local is_there, pickers = pcall(require, 'telescope.pickers')
  if not is_there then
    return false
  end
  local finders, values = require('telescope.finders'), require('telescope.config').values
  local actions, state = require('telescope.actions'), require('telescope.actions.state')
  local function entry(item)
    return {
      value = item,
      display = item.text,
      ordinal = item.text,
      filename = item.filename,
      lnum = item.lnum,
      col = item.col,
    }
  end
  pickers
    .new({}, {
      prompt_title = 'Changes',
      finder = finders.new_table({ results = items, entry_maker = entry }),
      sorter = values.generic_sorter({}),
      previewer = values.grep_previewer({}),
      attach_mappings = function(prompt)
        actions.select_default:replace(function()
          local chosen = state.get_selected_entry()
          actions.close(prompt)
          choose(chosen and chosen.value)
        end)
        return true
      end,
    })
    :find()
  return true
end

local function by_fzf(items, choose)
  local is_there, fzf = pcall(require, 'fzf-lua')
  if not is_there then
    return false
  end
  local lines = {}
  for index, item in ipairs(items) do
    lines[index] = index .. '\t' .. item.text
  end
  fzf.fzf_exec(lines, {
    prompt = 'Changes> ',
    -- The first column says which one it is.
    fzf_opts = { ['--delimiter'] = '\t', ['--with-nth'] = '2..' },
    actions = {
      default = function(selected)
        local index = selected and selected[1] and tonumber(selected[1]:match('^%d+'))
        choose(index and items[index])
      end,
    },
  })
  return true
end

local function by_neovim(items, choose)
  vim.ui.select(items, {
    prompt = 'Change:',
    kind = 'critic',
    format_item = function(item) return item.text end,
  }, choose)
end

--- Asks for one of the changes, and goes there.
---@param buffer integer
function M.pick(buffer)
  local window = vim.api.nvim_get_current_win()
  server.execute(buffer, 'changes', {}, function(changes)
    if not changes or #changes == 0 then
      return server.tell('no changes')
    end
    local tick, items = vim.api.nvim_buf_get_changedtick(buffer), {}
    local lines = rows.lines(changes)
    for index, change in ipairs(changes) do
      items[index] = place.item(buffer, change.range, lines[index])
      items[index].range = change.range
    end
    local function choose(item)
      if not item or not vim.api.nvim_win_is_valid(window) or vim.api.nvim_win_get_buf(window) ~= buffer then
        return
      end
      if vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
        return server.tell('the text has changed meanwhile; pick again', 'WARN')
      end
      vim.api.nvim_set_current_win(window)
      place.go(buffer, item.range)
    end
    if not by_telescope(items, choose) and not by_fzf(items, choose) then
      by_neovim(items, choose)
    end
  end)
end

return M
