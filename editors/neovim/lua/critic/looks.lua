-- The highlight groups: what marks, signs and comments look like, and the colour of each author.

local M = {}

-- Groups, and what they look like; in this order. Where a colour scheme has no colours for what was added and so on,
-- those of a comparison do.
local LOOKS = {
  { 'CriticAddition', 'DiffAdd' },
  { 'CriticDeletion', 'DiffDelete' },
  { 'CriticSubstitutionOld', 'CriticDeletion' },
  { 'CriticSubstitutionNew', 'CriticAddition' },
  { 'CriticHighlight', 'DiffText' },
  { 'CriticComment', 'SpecialComment' },
  { 'CriticResolved', 'NonText' },
  { 'CriticDelimiter', 'NonText' },
  { 'CriticAttribution', 'NonText' },
  { 'CriticCommentHead', 'CriticComment' },
  { 'CriticCommentText', 'Comment' },
  { 'CriticAdditionSign', 'Added', 'DiffAdd' },
  { 'CriticDeletionSign', 'Removed', 'DiffDelete' },
  { 'CriticSubstitutionSign', 'Changed', 'DiffChange' },
  { 'CriticHighlightSign', 'CriticComment' },
  { 'CriticCommentSign', 'CriticComment' },
  { 'CriticReviewed', 'IncSearch' },
}

-- A line in a colour of their own below what each author has changed: those of Okabe and Ito, which colour-blind people
-- tell apart (https://jfly.uni-koeln.de/color/), and the nearest of a terminal's 256.
local AUTHORS = {
  { '#e69f00', 214 },
  { '#56b4e9', 74 },
  { '#009e73', 36 },
  { '#cc79a7', 175 },
  { '#0072b2', 25 },
  { '#d55e00', 166 },
  { '#f0e442', 227 },
  { '#999999', 246 },
}

-- Neovim 0.7: the colours of a group, as `:highlight` takes them.
local function colours_of(model)
  local gui, terminal = vim.api.nvim_get_hl_by_name(model, true), vim.api.nvim_get_hl_by_name(model, false)
  local told = ''
  for name, key in pairs({ fg = 'foreground', bg = 'background' }) do
    told = told .. (gui[key] and (' gui%s=#%06x'):format(name, gui[key]) or '')
    told = told .. (terminal[key] and (' cterm%s=%d'):format(name, terminal[key]) or '')
  end
  return told
end

local function define_authors()
  for index, colour in ipairs(AUTHORS) do
    local look = 'gui=underline guisp=%s cterm=underline ctermfg=%d'
    vim.cmd(('highlight default CriticAuthor%d ' .. look):format(index, unpack(colour)))
  end
end

-- A colour halfway between two.
local function halfway(one, other)
  local mixed = 0
  for _, unit in ipairs({ 65536, 256, 1 }) do
    local both = math.floor(one / unit) % 256 + math.floor(other / unit) % 256
    mixed = mixed + math.floor(both / 2) * unit
  end
  return mixed
end

-- Dim, but not as faint as what need not be read.
local function dim(looks)
  local comment = vim.api.nvim_get_hl(0, { name = 'Comment', link = false })
  if looks.fg and comment.fg then
    looks.fg = halfway(looks.fg, comment.fg)
  end
end

-- The groups, unless the user has made them. Where Neovim can, they take the place of what is there, or Treesitter
-- would strike `{~~old~>new~~}` through as a whole.
local function define_groups()
  for _, look in ipairs(LOOKS) do
    local group, model, other = unpack(look)
    model = other and vim.fn.hlexists(model) == 0 and other or model
    if vim.api.nvim_get_hl then
      local looks = vim.api.nvim_get_hl(0, { name = model, link = false })
      looks.nocombine, looks.default = true, true
      if looks.cterm then
        looks.cterm.nocombine = true
      end
      if group == 'CriticDeletion' then
        looks.strikethrough = true
        looks.cterm = vim.tbl_extend('force', looks.cterm or { nocombine = true }, { strikethrough = true })
      end
      if group == 'CriticResolved' then
        dim(looks)
      end
      vim.api.nvim_set_hl(0, group, looks)
    elseif group == 'CriticDeletion' then
      vim.cmd('highlight default ' .. group .. ' cterm=strikethrough gui=strikethrough' .. colours_of(model))
    else
      vim.cmd('highlight default link ' .. group .. ' ' .. model)
    end
  end
end

--- Makes the groups, unless the user has made them.
function M.define()
  define_groups()
  define_authors()
end

-- By name, as numbers of groups.
local numbers = {}

--- The group of an author: the same in every session, unless two that are met have the same.
---@param author string
---@return string
function M.author(author)
  if not numbers[author] then
    local taken, number = {}, 0
    for _, other in pairs(numbers) do
      taken[other] = true
    end
    for index = 1, #author do
      number = (number * 31 + author:byte(index)) % #AUTHORS
    end
    for _ = 1, #AUTHORS do
      if not taken[number] then
        break
      end
      number = (number + 1) % #AUTHORS
    end
    numbers[author] = number
  end
  return 'CriticAuthor' .. numbers[author] + 1
end

return M
