" A language client for the tests that treats a server as vim-lsp does, which no package archive has. It has the names of
" vim-lsp, so that the configuration that we tell our users runs with it. What it takes over from vim-lsp, however unkind:
"
" - Nothing is told in insert mode. Changes are told some time after the first one outside of it, or after the caret moved,
"   and before a request; as whole lines, from the first changed one to the last, or as the whole text if lines were
"   deleted; and by a change without content when only the number of changes has gone up, as by saving.
" - The version of an edit is not looked at. Edits are made from the last to the first, each by :substitute, and the answer
"   says always that they were. A caret at an edit's end moves after what was inserted.
" - Columns count characters, not units of UTF-16. An edit beyond the end of its line is dropped without a word.
" - The line ends of a file with CRLF are told as LF, and an empty text as an empty line.
" - Requests of the server that it does not know are not answered.
"
" It has one server and one document, the one in the current window.

let s:announced = expand('<sfile>:p:h:h:h:h') .. '/Sessions/initialize/vim_9.0_vim-lsp.json'

" In milliseconds; a third of what vim-lsp waits, that the tests take less time.
let s:told_after = 300
let s:asks_after = 150

let s:server = {}
let s:received = ''
let s:callbacks = {}
let s:last_id = 0
let s:capabilities = {}
let s:document = {}
let s:telling = -1
let s:asking = -1

function! lsp#register_server(server) abort
  let s:server = a:server
endfunction

" Starts the server when the first document of its kind is there, and opens the document once it has answered.
function! lsp#open() abort
  if empty(s:server) || !empty(s:document) || index(s:server.allowlist, &filetype) < 0
    return
  endif
  let s:document = {'buffer': bufnr('%'), 'uri': s:uri(expand('%:p')), 'version': 1, 'changes': [], 'open': 0}
  let s:job = job_start(s:server.cmd(s:server), {'mode': 'raw', 'out_cb': function('s:take_bytes')})
  let params = json_decode(join(readfile(s:announced), "\n"))
  let params.processId = getpid()
  let params.rootPath = getcwd()
  let params.rootUri = s:uri(getcwd())
  let params.initializationOptions = s:server.initialization_options
  call s:request('initialize', params, function('s:opened'))
endfunction

function! s:opened(answer) abort
  let s:capabilities = a:answer.result.capabilities
  call s:notify('initialized', {})
  let s:document.tick = getbufvar(s:document.buffer, 'changedtick')
  let s:document.open = 1
  call s:notify('textDocument/didOpen', {'textDocument': {
    \ 'uri': s:document.uri, 'languageId': &filetype, 'version': s:document.version, 'text': s:text()}})
  call listener_add(function('s:heard'), s:document.buffer)
endfunction

" Telling of changes

function! lsp#changed() abort
  if s:telling < 0
    let s:telling = timer_start(max([s:told_after, &updatetime]), {-> s:tell()})
  endif
endfunction

" vim-lsp asks for code actions wherever the caret comes to rest, to show a sign.
function! lsp#moved() abort
  call timer_stop(s:asking)
  let s:asking = timer_start(s:asks_after, {-> s:ask_at_caret()})
endfunction

function! s:ask_at_caret() abort
  if s:is_open() && mode() ==# 'n'
    let here = lsp#get_position()
    call s:ask('textDocument/codeAction', s:code_action_params(here, here), {-> 0})
  endif
endfunction

function! lsp#saved() abort
  if s:is_open()
    call s:tell()
    call s:notify('textDocument/didSave', {'textDocument': lsp#get_text_document_identifier()})
  endif
endfunction

" Whether the server has been told of all changes.
function! lsp#is_told() abort
  return s:is_open() && s:document.tick == getbufvar(s:document.buffer, 'changedtick')
endfunction

function! s:heard(buffer, start, end, added, changes) abort
  let s:document.changes += a:changes
endfunction

function! s:tell() abort
  call timer_stop(s:telling)
  let s:telling = -1
  if !s:is_open() || lsp#is_told()
    return
  endif
  call listener_flush(s:document.buffer)
  let changes = remove(s:document, 'changes')
  let s:document.changes = []
  let s:document.tick = getbufvar(s:document.buffer, 'changedtick')
  let s:document.version += 1
  call s:notify('textDocument/didChange', {
    \ 'textDocument': {'uri': s:document.uri, 'version': s:document.version}, 'contentChanges': s:events(changes)})
  redrawstatus
endfunction

" What Vim has said of the changes, as LSP's events: at most one. A change of Vim's replaces the lines before `end`, from
" `lnum` on, and makes `added` more of them.
function! s:events(changes) abort
  if empty(a:changes)
    return []
  endif
  let added = s:each(a:changes, 'added')
  if len(added) > 1 && min(added) < 0
    return [{'text': s:text()}]
  endif
  let first = min(s:each(a:changes, 'lnum'))
  let end = max(s:each(a:changes, 'end'))
  let lines = getbufline(s:document.buffer, first, end + reduce(added, {sum, more -> sum + more}) - 1)
  return [{
    \ 'range': {'start': {'line': first - 1, 'character': 0}, 'end': {'line': end - 1, 'character': 0}},
    \ 'text': join(map(lines, {_, line -> line .. "\n"}), '')}]
endfunction

function! s:each(items, key) abort
  return map(copy(a:items), {_, item -> item[a:key]})
endfunction

function! s:text() abort
  let ending = &fixendofline || &endofline ? "\n" : ''
  return join(getbufline(s:document.buffer, 1, '$'), "\n") .. ending
endfunction

" Requests of the user

function! lsp#format() abort
  let options = {'tabSize': shiftwidth(), 'insertSpaces': &expandtab ? v:true : v:false}
  let answer = s:wait('textDocument/formatting',
    \ {'textDocument': lsp#get_text_document_identifier(), 'options': options})
  if type(get(answer, 'result')) == v:t_list
    call s:apply(answer.result)
  endif
endfunction

function! lsp#code_action(range, first, last) abort
  let [start, end] = [lsp#get_position(), lsp#get_position()]
  if a:range > 0
    let start = {'line': a:first - 1, 'character': charcol("'<") - 1}
    let end = {'line': a:last - 1, 'character': min([charcol("'>"), strchars(getline(a:last))])}
  endif
  let actions = s:wait('textDocument/codeAction', s:code_action_params(start, end)).result
  call filter(actions, {_, action -> !has_key(action, 'disabled')})
  let chosen = inputlist(['Code action:'] + map(copy(actions), {number, action -> number + 1 .. ': ' .. action.title}))
  if chosen < 1 || chosen > len(actions)
    return
  endif
  let action = actions[chosen - 1]
  if has_key(action, 'edit')
    call s:apply_everywhere(action.edit)
  endif
  if has_key(action, 'command')
    call s:ask('workspace/executeCommand', action.command, {-> 0})
  endif
endfunction

function! s:code_action_params(start, end) abort
  return {
    \ 'textDocument': lsp#get_text_document_identifier(),
    \ 'range': {'start': a:start, 'end': a:end},
    \ 'context': {'diagnostics': [], 'only': ['', 'quickfix', 'refactor', 'refactor.extract', 'refactor.inline',
    \   'refactor.rewrite', 'source', 'source.organizeImports']}}
endfunction

function! lsp#hover() abort
  let hover = s:wait('textDocument/hover', s:here()).result
  if type(hover) == v:t_dict
    call popup_atcursor(split(hover.contents.value, "\n"), {})
  endif
endfunction

function! lsp#definition() abort
  let places = s:wait('textDocument/definition', s:here()).result
  if !empty(places)
    let place = type(places) == v:t_list ? places[0] : places
    let start = has_key(place, 'range') ? place.range.start : place.targetSelectionRange.start
    call setcursorcharpos(start.line + 1, start.character + 1)
  endif
endfunction

function! lsp#document_symbol() abort
  let symbols = s:wait('textDocument/documentSymbol', {'textDocument': lsp#get_text_document_identifier()}).result
  call setqflist(map(symbols, {_, symbol -> {
    \ 'bufnr': s:document.buffer, 'lnum': symbol.location.range.start.line + 1, 'text': symbol.name}}))
  copen
endfunction

" For scripts: sends a request of this `method` with these `params`, and calls `on_notification` with the answer.
function! lsp#send_request(server, request) abort
  call s:ask(a:request.method, a:request.params, get(a:request, 'on_notification', {-> 0}))
endfunction

function! lsp#get_text_document_identifier() abort
  return {'uri': s:document.uri}
endfunction

function! lsp#get_position() abort
  return {'line': line('.') - 1, 'character': charcol('.') - 1}
endfunction

function! s:here() abort
  return {'textDocument': lsp#get_text_document_identifier(), 'position': lsp#get_position()}
endfunction

" Edits of the server

function! s:apply_everywhere(workspace_edit) abort
  for changed in get(a:workspace_edit, 'documentChanges', [])
    call s:apply(changed.edits)
  endfor
  for edits in values(get(a:workspace_edit, 'changes', {}))
    call s:apply(edits)
  endfor
endfunction

function! s:apply(edits) abort
  let caret = lsp#get_position()
  let view = winsaveview()
  let folds = &l:foldenable
  setlocal nofoldenable
  let drops_last_line = 0
  for edit in reverse(sort(copy(a:edits), {one, other -> s:compare(one.range.start, other.range.start)}))
    let drops_last_line = s:end_with_text(edit) || drops_last_line
    let [line, column] = s:place(edit.range.start)
    let [end_line, end_column] = s:place(edit.range.end)
    let new = edit.newText
    execute 'noautocmd keeppatterns keepjumps silent ' .. line .. 'substitute/'
      \ .. '\%' .. line .. 'l\%' .. column .. 'c\_.\{-}\%' .. end_line .. 'l\%' .. end_column .. 'c/\=new/e'
    call s:move(caret, edit)
  endfor
  if drops_last_line && getline('$') ==# ''
    noautocmd keeppatterns keepjumps silent $delete _
  endif
  let &l:foldenable = folds
  call winrestview(view)
  call setcursorcharpos(caret.line + 1, caret.character + 1)
endfunction

function! s:compare(one, other) abort
  return a:one.line != a:other.line ? a:one.line - a:other.line : a:one.character - a:other.character
endfunction

" Line and byte from 1; the byte is 0, where no text is, for a column beyond the line's end.
function! s:place(position) abort
  return [a:position.line + 1, byteidx(getline(a:position.line + 1), a:position.character) + 1]
endfunction

" For Vim there is no line after the last line break. Puts what an edit does there at the end of the last line, and says
" whether it was there.
function! s:end_with_text(edit) abort
  let last = line('$') - 1
  let end = {'line': last, 'character': strchars(getline('$'))}
  let is_beyond = a:edit.range.end.line > last
  if a:edit.range.start.line > last
    let a:edit.range.start = copy(end)
    let a:edit.newText = "\n" .. a:edit.newText
  endif
  if is_beyond
    let a:edit.range.end = end
  endif
  return is_beyond && &fixendofline
endfunction

" Moves the caret with the text, as an edit before it does that ends at it or before it.
function! s:move(caret, edit) abort
  let [start, end] = [a:edit.range.start, a:edit.range.end]
  if s:compare(end, a:caret) > 0
    return
  endif
  let lines = split(a:edit.newText, "\n", 1)
  if a:caret.line == end.line
    let a:caret.character += strchars(lines[-1]) - end.character + (len(lines) == 1 ? start.character : 0)
  endif
  let a:caret.line += len(lines) - 1 - (end.line - start.line)
endfunction

" Messages

function! s:take_bytes(channel, bytes) abort
  let s:received ..= a:bytes
  let start = stridx(s:received, "\r\n\r\n") + 4
  while start > 3
    let length = matchstr(s:received[: start - 1], '\cContent-Length: *\zs\d\+') + 0
    if strlen(s:received) < start + length
      return
    endif
    let message = json_decode(strpart(s:received, start, length))
    let s:received = strpart(s:received, start + length)
    call s:take(message)
    let start = stridx(s:received, "\r\n\r\n") + 4
  endwhile
endfunction

function! s:take(message) abort
  if !has_key(a:message, 'id')
    if a:message.method ==# 'window/showMessage'
      echomsg a:message.params.message
    endif
  elseif !has_key(a:message, 'method')
    call remove(s:callbacks, a:message.id)(a:message)
  elseif a:message.method ==# 'workspace/applyEdit'
    call s:apply_everywhere(a:message.params.edit)
    call s:answer(a:message, {'applied': v:true})
  elseif a:message.method ==# 'workspace/configuration'
    call s:answer(a:message, map(a:message.params.items, {-> v:null}))
  elseif a:message.method ==# 'window/workDoneProgress/create'
    call s:answer(a:message, v:null)
  endif
endfunction

function! s:answer(request, result) abort
  call s:send({'id': a:request.id, 'result': a:result})
endfunction

" Tells of the changes, sends a request, and waits for its answer; other messages are taken meanwhile.
function! s:wait(method, params) abort
  let answers = []
  call s:ask(a:method, a:params, {answer -> add(answers, answer)})
  while empty(answers)
    sleep 1m
  endwhile
  return answers[0]
endfunction

function! s:ask(method, params, callback) abort
  call s:tell()
  call s:request(a:method, a:params, a:callback)
endfunction

function! s:request(method, params, callback) abort
  let s:last_id += 1
  let s:callbacks[s:last_id] = a:callback
  call s:send({'id': s:last_id, 'method': a:method, 'params': a:params})
endfunction

function! s:notify(method, params) abort
  call s:send({'method': a:method, 'params': a:params})
endfunction

function! s:send(message) abort
  let body = json_encode(extend({'jsonrpc': '2.0'}, a:message))
  call ch_sendraw(s:job, 'Content-Length: ' .. strlen(body) .. "\r\n\r\n" .. body)
endfunction

function! s:is_open() abort
  return get(s:document, 'open') && s:document.buffer == bufnr('%')
endfunction

function! s:uri(path) abort
  return 'file://' .. substitute(a:path, '[^A-Za-z0-9/._~-]', {match -> printf('%%%02X', char2nr(match[0]))}, 'g')
endfunction
