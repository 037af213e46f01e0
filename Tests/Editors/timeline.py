"""What happened, in order: keys, screens, and what editor and server said. Shown when a scenario fails."""

import json
import time


class Timeline:
    def __init__(self):
        self.entries = []

    def note(self, kind, text):
        self.entries.append((time.time(), kind, text))

    def screen(self, lines, caret):
        self.note("screen", shown(lines, caret))

    def written(self, wire):
        """All entries and messages by time, one line each as far as that goes."""
        entries = self.entries + [(note["at"], *told(note)) for note in wire.notes]
        entries.sort(key=lambda entry: entry[0])
        start = entries[0][0] if entries else 0
        rows = []
        for at, kind, text in entries:
            first, *rest = text.split("\n")
            rows.append(f"{at - start:8.3f}  {kind:<9} {first}")
            rows += [" " * 20 + line for line in rest]
        return "\n".join(rows) + "\n"


def shown(lines, caret):
    """The screen's lines that hold something, with ‸ for the caret."""
    column, row = caret
    lines = lines + [""] * (row + 1 - len(lines))
    # The column counts cells, and a wide character has two; for the picture that is near enough.
    line = lines[row].ljust(column)
    lines[row] = line[:column] + "‸" + line[column:]
    return "\n".join(line for line in lines if line.strip(" ~"))


def told(note):
    """Who spoke, and the message in short."""
    for side, sign in (("editor", "editor →"), ("server", "server ←"), ("held", "held")):
        if side in note:
            return sign, brief(note[side])
    return "server", ", ".join(f"{key} {value}" for key, value in note.items() if key != "at")


def brief(message):
    method = message.get("method")
    if method is None:
        outcome = "error" if "error" in message else "result"
        return f"{outcome} of {message.get('id')}: {short(message.get(outcome))}"
    params = message.get("params") or {}
    identifier = f" ({message['id']})" if "id" in message else ""
    if method == "textDocument/didChange":
        version = params["textDocument"]["version"]
        return f"{method} v{version} {' '.join(map(change, params['contentChanges']))}"
    if method == "workspace/applyEdit":
        return f"{method}{identifier} {edit(params['edit'])}"
    if method == "textDocument/publishDiagnostics":
        return f"{method} v{params.get('version')}: {len(params['diagnostics'])}"
    return f"{method}{identifier} {short(params)}"


def edit(workspace_edit):
    documents = workspace_edit.get("documentChanges")
    if documents is None:
        return short(workspace_edit)
    return "; ".join(
        f"v{document['textDocument'].get('version')} {' '.join(map(change, document['edits']))}"
        for document in documents
    )


def change(item):
    text = json.dumps(item.get("newText", item.get("text")), ensure_ascii=False)
    if "range" not in item:
        return f"[all {text}]"
    start, end = item["range"]["start"], item["range"]["end"]
    place = f"{start['line']}:{start['character']}"
    if start != end:
        place += f"-{end['line']}:{end['character']}"
    return f"[{place} {text}]"


def short(value, limit=300):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[:limit] + "…"
