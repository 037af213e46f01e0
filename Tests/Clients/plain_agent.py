"""A client of the Model Context Protocol in every revision, written from the specification with nothing but the standard library."""

import json
import subprocess
import threading

SESSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
REVISIONS = [*SESSIONS, "2026-07-28"]
PREFIX = "io.modelcontextprotocol/"
WHO = {"name": "plain", "version": "1"}


class Agent:
    """A server, and what is said to it in one revision."""

    def __init__(self, command, revision, environment=None, patience=60):
        self.revision = revision
        self.number = 0
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        # A server that says nothing ends the test.
        self.timer = threading.Timer(patience, self.process.kill)
        self.timer.start()

    def __enter__(self):
        if self.revision in SESSIONS:
            self.greeting = self.ask(
                "initialize", protocolVersion=self.revision, capabilities={}, clientInfo=WHO)
            assert self.greeting["protocolVersion"] == self.revision
            self.tell("notifications/initialized")
        else:
            self.greeting = self.ask("server/discover")
            assert self.revision in self.greeting["supportedVersions"]
        assert "tools" in self.greeting["capabilities"]
        self.tools = {tool["name"]: tool for tool in self.ask("tools/list")["tools"]}
        return self

    def __exit__(self, *failure):
        self.process.stdin.close()
        left = self.process.stdout.read()
        self.process.stdout.close()
        code = self.process.wait()
        self.timer.cancel()
        if not any(failure):
            assert (left, code) == (b"", 0)

    def request(self, method, **params):
        self.number += 1
        if self.revision not in SESSIONS:
            params["_meta"] = {
                PREFIX + "protocolVersion": self.revision,
                PREFIX + "clientInfo": WHO,
                PREFIX + "clientCapabilities": {},
            }
        return {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the server has ended"
        return json.loads(line)

    def tell(self, method):
        self.send({"jsonrpc": "2.0", "method": method})

    def ask(self, method, **params):
        asked = self.request(method, **params)
        self.send(asked)
        return self.result(asked, self.receive())

    def result(self, asked, answer):
        assert answer["jsonrpc"] == "2.0" and answer["id"] == asked["id"], answer
        result = answer["result"]
        if self.revision not in SESSIONS:
            assert result["resultType"] == "complete"
            assert result["_meta"][PREFIX + "serverInfo"]["name"] == "critic-lsp"
        return result

    def call(self, tool, **arguments):
        return self.read(tool, arguments, self.ask("tools/call", name=tool, arguments=arguments))

    def call_all(self, calls):
        """Calls tools in one batch, which only one revision has; they are answered in any order."""
        asked = [self.request("tools/call", name=tool, arguments=arguments) for tool, arguments in calls]
        self.send(asked)
        answers = {answer["id"]: answer for answer in self.receive()}
        assert len(answers) == len(asked)
        return [
            self.read(tool, arguments, self.result(message, answers[message["id"]]))
            for (tool, arguments), message in zip(calls, asked)]

    def read(self, tool, arguments, result):
        """Whether a call failed, its text, and what it says as an object, held against the schemas of the tool."""
        known = self.tools[tool]
        failed = result["isError"]
        [part] = result["content"]
        assert part["type"] == "text"
        said = result.get("structuredContent")
        if not failed:
            assert mismatch(arguments, known["inputSchema"]) is None
            assert mismatch(said, known["outputSchema"]) is None, (tool, said)
        return failed, part["text"], said


TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float),
    "null": type(None),
}


def mismatch(value, schema, path="$"):
    """What in a value does not fit a JSON Schema, as far as such schemas are used here; None if all does."""
    known = {"type", "properties", "required", "additionalProperties", "items", "enum", "minItems", "maxItems", "description"}
    assert set(schema) <= known, schema
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    fits = any(isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool)) for name in types)
    if not fits:
        return f"{path} is not {types}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{path} is not one of {schema['enum']}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{path} has {len(value)} elements"
        parts = [(item, schema.get("items", {}), f"{path}[{index}]") for index, item in enumerate(value)]
        return next(filter(None, (mismatch(*part) for part in parts)), None)
    if isinstance(value, dict):
        members = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                return f"{path} has no {name}"
        if schema.get("additionalProperties") is False and not set(value) <= set(members):
            return f"{path} has {set(value) - set(members)}"
        parts = [(part, members[name], f"{path}.{name}") for name, part in value.items() if name in members]
        return next(filter(None, (mismatch(*part) for part in parts)), None)
    return None
