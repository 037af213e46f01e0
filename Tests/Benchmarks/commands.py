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


def lone_backticks(changes):
    """A command has changed a word beside a backtick in each line, which makes code of every second line break."""
    return [*opened("A `word here.\n" * changes), told(2, "A `name here.\n" * changes, changes)], [SAVING]


def replace_everywhere(changes):
    """A command that changes a word in each line of what was just pasted."""
    return (
        [*opened("End.\n"), told(2, "A word here.\n" * changes, 0)],
        [told(3, "A name here.\n" * changes, changes)],
    )


def replace_one_by_one(changes):
    """A command that is reported as one change for each line, all in one message."""
    content = [{"range": at(line, 2, 6), "text": "name"} for line in range(changes)]
    message = told(2, "", 0)
    message["params"]["contentChanges"] = content
    return opened("A word here.\n" * changes), [message]


def keys_everywhere(changes):
    """A burst of keys, each in another line."""
    keys = []
    for key in range(changes):
        message = told(key + 2, "", 0)
        message["params"]["contentChanges"] = [{"range": at(key * 7919 % changes, 2, 2), "text": "x"}]
        keys.append(message)
    return opened("A word here.\n" * changes), keys


def keys_before_a_reply(changes):
    """The same while the client has not replied to an edit."""
    opening, keys = keys_everywhere(changes)
    mark = {"id": "mark", "method": "workspace/executeCommand", "params": {"command": "critic.mark", "arguments": [{"uri": URI}]}}
    report = keys[0]
    for key in keys[1:]:
        report["params"]["contentChanges"] += key["params"]["contentChanges"]
    first = told(2, "y", 0)
    report["params"]["textDocument"]["version"] = 3
    return [*opening, first, mark], [report]


def at(line, start, end):
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


COMMANDS = {
    "to accept a selection": accept_selection,
    "to mark pasted marks": paste,
    "to mark code put around a word in every paragraph": code_everywhere,
    "to mark words beside lone backticks": lone_backticks,
    "to change a word in every pasted line": replace_everywhere,
    "to change a word in every line, told one by one": replace_one_by_one,
    "to type in every line": keys_everywhere,
    "to type in every line while an edit is awaited": keys_before_a_reply,
}


def nested(count):
    return "{==a\n" * count + "b" + "\n==}" * count


# Texts that are made to be dear, by the number of what they are made of, and the commands on them. `TEXT` is the text.
TEXTS = {
    "highlights in one another": (nested, ["changes", "check", "export"]),
    "dashes that look like hyphens, and code": (lambda count: "`c` {——old——}\n\n" * count, ["check"]),
    "comments": (lambda count: "".join(f"a {{>>c{i}<<}} b\n" for i in range(count)), ["changes", "decisions TEXT"]),
    "comments on one word": (lambda count: "a {==b==}" + "{>>c<<}" * count, ["changes", "decisions TEXT"]),
    "changes of one line": (lambda count: "# " + "a {++b++} " * count, ["changes --format json", "decisions TEXT"]),
    "additions": (lambda count: "A word {++and++} more.\n" * count, ["changes", "decisions TEXT"]),
    "footnotes behind marks": (
        lambda count: "{==" + "{++a++} " * count + "==}\n" + "".join(f"\n[^cn-{i}]: b\n" for i in range(count)),
        ["export"],
    ),
}
