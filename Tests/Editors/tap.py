#!/usr/bin/env python3
"""tap.py FOLDER COMMAND...: stands between an editor and its language server COMMAND.

The server records the session in FOLDER/recorded.session; if the editor starts it again, in
FOLDER/recorded-2.session, and so on. Every message is written to FOLDER/wire.jsonl with its time. While
FOLDER/hold exists, the server's edits (workspace/applyEdit, and the answers that say what a code action does)
wait here; once it is gone they go on to the editor, late, as over a slow line. While FOLDER/deaf exists, nothing that the
editor says after a command is read, and the editor gets one message a moment. A command that does not serve is run as it is.
"""

import json
import os
import subprocess
import sys
import threading
import time


class Tap:
    def __init__(self, folder, command):
        self.hold = os.path.join(folder, "hold")
        self.deaf = os.path.join(folder, "deaf")
        self.wire = open(os.path.join(folder, "wire.jsonl"), "a", buffering=1)
        self.lock = threading.Lock()
        self.waiting = []
        self.resolving = set()
        with open(os.path.join(folder, "server.log"), "ab") as log:
            self.server = subprocess.Popen(
                [*command, "--record", new_record(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        self.note(process=self.server.pid)

    def run(self):
        threading.Thread(target=self.from_editor, daemon=True).start()
        threading.Thread(target=self.let_go, daemon=True).start()
        for raw, message in frames(self.server.stdout.fileno()):
            if self.is_edit(message) and os.path.exists(self.hold):
                with self.lock:
                    self.note(held=message)
                    self.waiting.append((raw, message))
            else:
                self.to_editor(raw, message)
                if os.path.exists(self.deaf):
                    time.sleep(0.3)
        code = self.server.wait()
        self.note(exit=code)
        return code

    def is_edit(self, message):
        if "method" in message:
            return message["method"] == "workspace/applyEdit"
        return message["id"] in self.resolving

    def from_editor(self):
        for raw, message in frames(0):
            self.note(editor=message)
            if message.get("method") == "codeAction/resolve":
                self.resolving.add(message["id"])
            try:
                self.server.stdin.write(raw)
                self.server.stdin.flush()
            except BrokenPipeError:
                return
            while message.get("method") == "workspace/executeCommand" and os.path.exists(self.deaf):
                time.sleep(0.01)
        self.server.stdin.close()

    def to_editor(self, raw, message):
        with self.lock:
            self.note(server=message)
            try:
                while raw:
                    raw = raw[os.write(1, raw) :]
            except BrokenPipeError:
                pass

    def let_go(self):
        while True:
            time.sleep(0.01)
            if self.waiting and not os.path.exists(self.hold):
                with self.lock:
                    ready, self.waiting = self.waiting, []
                for raw, message in ready:
                    self.to_editor(raw, message)

    def note(self, **what):
        self.wire.write(json.dumps({"at": time.time(), **what}) + "\n")


def new_record(folder):
    number, path = 1, os.path.join(folder, "recorded.session")
    while os.path.exists(path):
        number += 1
        path = os.path.join(folder, f"recorded-{number}.session")
    return path


def frames(descriptor):
    """Each message with its header, as it came, and the JSON that it holds."""
    buffer = b""
    while True:
        split = buffer.find(b"\r\n\r\n")
        if split >= 0:
            fields = buffer[:split].lower().split(b"\r\n")
            length = next(int(f.split(b":")[1]) for f in fields if f.startswith(b"content-length"))
            end = split + 4 + length
            if len(buffer) >= end:
                yield buffer[:end], json.loads(buffer[split + 4 : end])
                buffer = buffer[end:]
                continue
        read = os.read(descriptor, 65536)
        if not read:
            return
        buffer += read


if __name__ == "__main__":
    if "serve" not in sys.argv[2:]:
        os.execvp(sys.argv[2], sys.argv[2:])
    sys.exit(Tap(sys.argv[1], sys.argv[2:]).run())
