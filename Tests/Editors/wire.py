"""What editor and server said to each other, and the text that follows from it."""

import json
import os


class Wire:
    """Follows the file that tap.py writes."""

    def __init__(self, path):
        self.path = path
        self.notes = []
        self._read = 0

    def __len__(self):
        self._follow()
        return len(self.notes)

    @property
    def last(self):
        """When the last message came."""
        self._follow()
        return self.notes[-1]["at"]

    def sent(self, side, method, since=0):
        """The messages of this method that `side` ("editor", "server" or "held") sent."""
        self._follow()
        found = (note[side] for note in self.notes[since:] if side in note)
        return [message for message in found if message.get("method") == method]

    @property
    def held(self):
        """What the tap has held back."""
        self._follow()
        return [note["held"] for note in self.notes if "held" in note]

    def results(self, side, method):
        """What came back, so far, for the requests of this method that `side` sent."""
        asked = {message["id"] for message in self.sent(side, method)}
        other = "server" if side == "editor" else "editor"
        replies = (note[other] for note in self.notes if "result" in note.get(other, {}))
        return [reply["result"] for reply in replies if reply["id"] in asked]

    @property
    def server_process(self):
        self._follow()
        return next((note["process"] for note in reversed(self.notes) if "process" in note), None)

    @property
    def text(self):
        """The document as the editor has told it so far, or None before it was opened."""
        self._follow()
        text, changes = None, []
        for message in (note["editor"] for note in self.notes if "editor" in note):
            if message.get("method") == "textDocument/didOpen":
                text, changes = message["params"]["textDocument"]["text"], []
            elif message.get("method") == "textDocument/didChange":
                # Eglot 1.9 tells long lists of changes twice.
                if changes[-1:] != [message["params"]]:
                    changes.append(message["params"])
        # Helix 25.01 now and then sends its notifications in the wrong order; the version tells the right one.
        for params in sorted(changes, key=lambda params: params["textDocument"]["version"]):
            for change in params["contentChanges"]:
                text = changed(text, change, self._encoding)
        return text

    @property
    def opened_as(self):
        """The URI of the document that was opened last."""
        return self.sent("editor", "textDocument/didOpen")[-1]["params"]["textDocument"]["uri"]

    @property
    def _encoding(self):
        results = self.results("editor", "initialize")
        return results[0]["capabilities"].get("positionEncoding", "utf-16") if results else "utf-16"

    def _follow(self):
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                file.seek(self._read)
                lines = file.read().split(b"\n")
            self._read += sum(len(line) + 1 for line in lines[:-1])
            self.notes += [json.loads(line) for line in lines[:-1]]


def changed(text, change, encoding):
    """The text after one content change of a didChange."""
    if "range" not in change:
        return change["text"]
    start = index(text, change["range"]["start"], encoding)
    end = index(text, change["range"]["end"], encoding)
    return text[:start] + change["text"] + text[end:]


def index(text, position, encoding):
    """Where an LSP position is in the text; too large ones are the end of the line or text."""
    start = 0
    for _ in range(position["line"]):
        newline = text.find("\n", start)
        if newline < 0:
            return len(text)
        start = newline + 1
    units = position["character"]
    while units > 0 and start < len(text) and text[start] not in "\r\n":
        units -= width(text[start], encoding)
        start += 1
    return start


def width(character, encoding):
    """How many of the encoding's units the character takes."""
    if encoding == "utf-8":
        return len(character.encode("utf-8", "surrogatepass"))
    return 2 if encoding == "utf-16" and ord(character) > 0xFFFF else 1
