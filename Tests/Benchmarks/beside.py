"""A client over pipes, and what it waits for beside other work: a hover, and files that are opened one after the other."""

import json
import os
import subprocess
import tempfile
import time

from instrument import OURS, WORK, Times, knowing

# A long document: 12 MB and 300,000 marks, in paragraphs under headings.
LINE = "Some words {++and more of it++} in it.\n"
LINES, LINES_A_PARAGRAPH, PARAGRAPHS_A_SECTION = 300_000, 5, 20
# A tree: folders, files with a mark each, rules of its .gitignore.
FOLDERS, FILES, RULES = 5000, 3000, 300
# How many hovers are asked for where there is nothing beside them.
HOVERS = 200
# How many files are opened.
FEW, MANY = 9, 900


class Client:
    """A server that was started, greeted and told of a folder."""

    def __init__(self, state, folder=None):
        self.process = subprocess.Popen(
            [OURS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=knowing(state))
        self.buffer = b""
        self.answers = {}
        self.last = 0
        folders = [{"uri": f"file://{folder}", "name": "tree"}] if folder else None
        self.answer(self.ask("initialize", {
            "processId": None, "workspaceFolders": folders, "initializationOptions": {"tracking": "on"},
            "capabilities": {"workspace": {"symbol": {}, "workspaceFolders": True}}}))
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        frame = memoryview(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        while frame:
            frame = frame[self.process.stdin.write(frame):]

    def ask(self, method, params):
        """Sends a request; returns its number."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def answer(self, number):
        """Waits for the answer to a request."""
        while number not in self.answers:
            self.receive()
        found = self.answers.pop(number)
        if "error" in found:
            raise RuntimeError(f"{found['error']}")
        return found["result"]

    def receive(self):
        """Reads one message; requests of the server's are not answered, as none of them is waited for."""
        while b"\r\n\r\n" not in self.buffer:
            self.read()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        length = int(head.split(b"Content-Length: ")[1])
        parts, missing = [self.buffer], length - len(self.buffer)
        while missing > 0:
            parts.append(os.read(self.process.stdout.fileno(), 1 << 20))
            missing -= len(parts[-1])
        self.buffer = b"".join(parts)
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        # A list of changes is long, and not looked at.
        if body.find(b'"id":', 0, 200) < 0:
            return
        message = json.loads(body)
        if "method" not in message:
            self.answers[message["id"]] = message

    def read(self):
        read = os.read(self.process.stdout.fileno(), 1 << 20)
        if not read:
            raise RuntimeError("the server is gone")
        self.buffer += read

    def open(self, uri, text):
        self.tell("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}})

    def hover(self, uri):
        """How long a hover takes, in nanoseconds."""
        start = time.monotonic_ns()
        self.answer(self.ask("textDocument/hover", {
            "textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}))
        return time.monotonic_ns() - start

    def settle(self, uri):
        """Waits until the server has nothing more to do, as far as a client can tell."""
        time.sleep(1)
        self.hover(uri)

    def end(self):
        self.answer(self.ask("shutdown", None))
        self.tell("exit", None)
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def worst_hovers(client, uri, query):
    """The longest of some hovers, and the longest of those that are asked for until a search is answered."""
    alone = max(client.hover(uri) for _ in range(HOVERS))
    searching = client.ask("workspace/symbol", {"query": query})
    start = time.monotonic_ns()
    beside = client.hover(uri)
    while searching not in client.answers:
        beside = max(beside, client.hover(uri))
    took = time.monotonic_ns() - start
    client.answer(searching)
    return alone, beside, took


def long_text():
    text = []
    for line in range(LINES):
        if line % (LINES_A_PARAGRAPH * PARAGRAPHS_A_SECTION) == 0:
            text.append(f"\n## Section {line}\n")
        if line % LINES_A_PARAGRAPH == 0:
            text.append("\n")
        text.append(LINE)
    return "".join(text)


def beside_long_document(turns):
    """Worst hovers alone and beside a search of the long document, and how long the searches take."""
    uri = "file:///long.md"
    with tempfile.TemporaryDirectory() as state:
        client = Client(state)
        client.open(uri, long_text())
        client.settle(uri)
        # Nothing matches, so that all of it is searched.
        found = [worst_hovers(client, uri, "zebra") for _ in range(turns)]
        client.end()
    return tuple(map(Times, zip(*found)))


def make_tree():
    """A repository of folders, files with a mark each, and many rules; returns its folder."""
    tree = os.path.join(WORK, "beside-tree")
    if os.path.exists(os.path.join(tree, "made")):
        return tree
    for number in range(FOLDERS):
        folder = os.path.join(tree, f"part-{number % 70}", f"chapter-{number}")
        os.makedirs(folder, exist_ok=True)
        if number < FILES:
            with open(os.path.join(folder, f"text-{number}.md"), "w") as file:
                file.write(f"# Text {number}\n\n" + "Some words, and no mark.\n" * 40 + "One {++mark++}.\n")
    with open(os.path.join(tree, ".gitignore"), "w") as file:
        file.writelines(f"/never-{number}/**/*.tmp\nbuild-{number}*/\n" for number in range(RULES // 2))
    subprocess.run(["git", "init", "--quiet", tree], check=True)
    open(os.path.join(tree, "made"), "w").close()
    return tree


def beside_scan(turns):
    """The same beside the scan of the tree, each time by a new server."""
    tree = make_tree()
    uri = f"file://{tree}/open.md"
    found = []
    for _ in range(turns):
        with tempfile.TemporaryDirectory() as state:
            client = Client(state, tree)
            client.open(uri, "Some {++words++}.\n")
            client.settle(uri)
            found.append(worst_hovers(client, uri, "zebra"))
            client.end()
    return tuple(map(Times, zip(*found)))


def opened(count, place):
    """How long it takes to open each of some files, one after the other, each until a hover in it is answered."""
    folder, state = os.path.join(place, "files"), os.path.join(place, "state")
    os.makedirs(folder)
    texts = {os.path.join(folder, f"{number}.md"): f"Text {number}.\n" for number in range(count)}
    for path, text in texts.items():
        with open(path, "w") as file:
            file.write(text)
    client = Client(state)
    start = time.monotonic_ns()
    for path, text in texts.items():
        client.open(f"file://{path}", text)
        client.hover(f"file://{path}")
    took = time.monotonic_ns() - start
    client.end()
    return took / count


def opening_files(turns):
    """How long each of few files takes, and each of many, in turn."""
    # Nothing is removed before the end: for some seconds ext4 makes new files more slowly then.
    with tempfile.TemporaryDirectory() as place:
        found = [[opened(count, os.path.join(place, f"{turn}-{count}")) for count in (FEW, MANY)]
                 for turn in range(turns)]
    return tuple(map(Times, zip(*found)))
