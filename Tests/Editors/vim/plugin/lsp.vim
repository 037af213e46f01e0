" Commands and events; see ../autoload/lsp.vim.

augroup lsp
  autocmd!
  autocmd VimEnter * doautocmd <nomodeline> User lsp_setup
  autocmd User lsp_setup silent
  autocmd VimEnter,BufReadPost * call lsp#open()
  autocmd InsertLeave,TextChanged,TextChangedP * call lsp#changed()
  autocmd CursorMoved * call lsp#moved()
  autocmd BufWritePost * call lsp#saved()
augroup END

command! LspDocumentFormatSync call lsp#format()
command! -range LspCodeAction call lsp#code_action(<range>, <line1>, <line2>)
command! LspHover call lsp#hover()
command! LspDefinition call lsp#definition()
command! LspDocumentSymbol call lsp#document_symbol()
