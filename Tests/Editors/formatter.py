"""A language server that only formats: it makes one space of several. For trying what happens beside another server."""

import json
import re
import sys


def main():
    text = ""
    while message := read():
        method, params = message.get("method"), message.get("params")
        if method == "textDocument/didOpen":
            text = params["textDocument"]["text"]
        elif method == "textDocument/didChange":
            text = params["contentChanges"][-1]["text"]
        elif method == "initialize":
            answer(message, {"capabilities": {"textDocumentSync": 1, "documentFormattingProvider": True}})
        elif method == "textDocument/formatting":
            answer(message, edits(text))
        elif method == "exit":
            return
        elif "id" in message:
            answer(message, None)


def edits(text):
    found = []
    for number, line in enumerate(text.split("\n")):
        for spaces in re.finditer("  +", line):
            start, end = ({"line": number, "character": at} for at in (spaces.start() + 1, spaces.end()))
            found.append({"range": {"start": start, "end": end}, "newText": ""})
    return found


def read():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def answer(request, result):
    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
