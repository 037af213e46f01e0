"""Sessions with a command on very many changes: what comes before it, and the command."""

URI = "file:///draft.md"
LINE = "word {++added++} and {==more==}{>>why<<}.\n"


def opened(text):
    """The messages of a client that opens a document with a text."""
    settings = {"tracking": "on", "marking": "command"}
    edits = {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}
    capabilities = {"general": {"positionEncodings": ["utf-8"]}, "workspace": edits}
    document = {"uri": URI, "languageId": "markdown", "version": 1, "text": text}
    return [
        {"id": 1, "method": "initialize", "params": {"capabilities": capabilities, "initializationOptions": settings}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    ]


def told(version, new, lines):
    """One change of the first lines."""
    return {"method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": version},
        "contentChanges": [{"range": reach(lines), "text": new}],
    }}


def reach(lines):
    return {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}


def accept_selection(changes):
    lines = changes // 2
    command = {"command": "critic.accept", "arguments": [{"uri": URI, "range": reach(lines)}]}
    return opened(LINE * lines), [{"id": "accept", "method": "workspace/executeCommand", "params": command}]


SAVING = {"id": "save", "method": "textDocument/willSaveWaitUntil", "params": {"textDocument": {"uri": URI}, "reason": 1}}


def paste(changes):
    lines = changes // 2
    return [*opened("End.\n"), told(2, LINE * lines, 0)], [SAVING]


def code_everywhere(changes):
    """A command has put code around a word in each paragraph."""
    return [*opened("A word here.\n\n" * changes), told(2, "A `word` here.\n\n" * changes, 2 * changes)], [SAVING]


def replace_everywhere(changes):
    """A command that changes a word in each line of what was just pasted."""
    return (
        [*opened("End.\n"), told(2, "A word here.\n" * changes, 0)],
        [told(3, "A name here.\n" * changes, changes)],
    )


COMMANDS = {
    "to accept a selection": accept_selection,
    "to mark pasted marks": paste,
    "to mark code put around a word in every paragraph": code_everywhere,
    "to change a word in every pasted line": replace_everywhere,
}
