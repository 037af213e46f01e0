"""A client of pytest-lsp with an editor's memory: its documents are what was opened and changed."""

import asyncio
import copy
import typing

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

# What one unit of a position takes.
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
PATIENCE = 20


class Protocol(LanguageClientProtocol):
    """Takes only what LSP has: what a type of lsprotocol's does not hold is an error, and is not passed over.

    `sent` and `received` hold the methods of a test's messages, and `commands` the names of commands.
    """

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.sent, self.received, self.commands = set(), set(), set()

    def structure_message(self, data):
        kept = copy.deepcopy(data)
        message = super().structure_message(data)
        understood = self._converter.unstructure(message)
        if strange := members_lost(kept, understood):
            raise TypeError(f"LSP has no {', '.join(strange)} in {kept}")
        self.received.add(kept.get("method"))
        return message

    def send_request(self, method, params=None, callback=None, msg_id=None):
        self.sent.add(method)
        if method == types.WORKSPACE_EXECUTE_COMMAND:
            self.commands.add(params.command)
        return super().send_request(method, params, callback, msg_id)

    def notify(self, method, params=None):
        self.sent.add(method)
        super().notify(method, params)


def converter():
    """lsprotocol takes every code action that has a command for a command."""
    made = default_converter()
    made.register_structure_hook(
        typing.Union[types.Command, types.CodeAction],
        lambda value, _: made.structure(
            value, types.Command if isinstance(value.get("command"), str) else types.CodeAction))
    return made


def members_lost(told, understood, at="message"):
    """What of `told` is not in `understood`, by where it stands."""
    if isinstance(told, dict) and isinstance(understood, dict):
        lost = []
        for name, value in told.items():
            if name in understood:
                lost += members_lost(value, understood[name], f"{at}.{name}")
            elif value is not None:
                lost.append(f"{at}.{name}")
        return lost
    if isinstance(told, list) and isinstance(understood, (list, tuple)) and len(told) == len(understood):
        return [lost for index, (one, other) in enumerate(zip(told, understood))
                for lost in members_lost(one, other, f"{at}[{index}]")]
    # What the protocol leaves open comes back as an object of its own.
    return [] if told == understood or is_free(told, understood) else [at]


def is_free(told, understood):
    return isinstance(told, dict) and hasattr(understood, "_fields")


class Client(LanguageClient):
    """Keeps documents, takes edits as an editor does, and notes what it is asked."""

    def __init__(self):
        super().__init__(protocol_cls=Protocol, converter_factory=converter)
        register_lsp_features(self, {**DEFAULT_CLIENT_FEATURES, types.PROGRESS: progress})
        self.documents = {}
        self.registered = {}
        self.refreshes = set()
        # The URIs of the server's own texts that have changed.
        self.outdated = []
        self.traces = []
        self.partial_results = {}
        self.questions = []
        # Why the next edit is not to be applied.
        self.refusal = None
        # How many were not.
        self.refused = 0
        self.result = None

        @self.feature(types.WORKSPACE_APPLY_EDIT)
        def apply_edit(client: Client, params: types.ApplyWorkspaceEditParams):
            return client.apply(params.edit)

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(client: Client, params: types.RegistrationParams):
            for registration in params.registrations:
                client.registered[registration.method] = registration.register_options

        if types.WINDOW_SHOW_MESSAGE_REQUEST in self.protocol.fm.features:
            self.protocol.fm.features.pop(types.WINDOW_SHOW_MESSAGE_REQUEST)

        @self.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def ask(client: Client, params: types.ShowMessageRequestParams):
            client.questions.append(params)

        @self.feature(types.LOG_TRACE)
        def trace(client: Client, params: types.LogTraceParams):
            client.traces.append(params.message)

        for method in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH,
                       types.WORKSPACE_SEMANTIC_TOKENS_REFRESH, types.WORKSPACE_DIAGNOSTIC_REFRESH):
            self.notes_refresh(method)

        if types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH in self.protocol.fm.features:
            self.protocol.fm.features.pop(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)

        @self.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)
        def note_outdated(client: Client, params: types.TextDocumentContentRefreshParams):
            client.outdated.append(params.uri)

    def notes_refresh(self, method):
        def refresh(client: Client, params: None):
            client.refreshes.add(method)

        if method in self.protocol.fm.features:
            self.protocol.fm.features.pop(method)
        self.feature(method)(refresh)

    @property
    def server(self) -> types.ServerCapabilities:
        return self.result.capabilities

    @property
    def encoding(self):
        return self.server.position_encoding or "utf-16"

    def open(self, text, uri="file:///novel.md"):
        document = self.documents[uri] = Document(self, uri, text)
        item = types.TextDocumentItem(uri, "markdown", document.version, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return document

    def apply(self, edit):
        """What an editor makes of an edit: all of it if it is of the text that it has, else nothing."""
        if self.refusal:
            self.refused += 1
            return types.ApplyWorkspaceEditResult(applied=False, failure_reason=self.refusal)
        assert edit.changes is None, "versions are what an edit is trusted by"
        for change in edit.document_changes:
            document = self.documents[change.text_document.uri]
            if change.text_document.version != document.version:
                return types.ApplyWorkspaceEditResult(applied=False, failure_reason="It is of another version.")
            document.apply(change.edits)
        return types.ApplyWorkspaceEditResult(applied=True)

    def can(self, feature):
        """Whether the server promised a feature, as it must to a client that announces it."""
        is_promised = bool(getattr(self.server, f"{feature}_provider"))
        is_announced = getattr(self.capabilities.text_document, feature, None) is not None
        assert is_promised or not is_announced
        return is_promised

    @property
    def asks_questions(self):
        window = self.capabilities.window
        return bool(window.show_message and window.show_message.message_action_item)

    @property
    def shows_documents(self):
        window = self.capabilities.window
        return bool(window.show_document and window.show_document.support)

    async def command(self, name, document=None, **arguments):
        """Carries out `critic.NAME`; what it answers as plain values."""
        if document:
            arguments["uri"] = document.uri
        params = types.ExecuteCommandParams(f"critic.{name}", [self.plain(arguments)])
        return self.plain(await self.workspace_execute_command_async(params))

    def plain(self, value):
        """A value of the protocol's as JSON has it."""
        if hasattr(value, "_asdict"):
            value = value._asdict()
        if isinstance(value, dict):
            return {name: self.plain(member) for name, member in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.plain(member) for member in value]
        return self.protocol._converter.unstructure(value)

    async def until(self, condition, what):
        """Waits for what messages bring about."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.005)
        assert condition(), what


def progress(client: Client, params: types.ProgressParams):
    """Progress of work, or a part of an answer."""
    if params.token in client.partial_results:
        client.partial_results[params.token].append(client.plain(params.value))
    else:
        DEFAULT_CLIENT_FEATURES[types.PROGRESS](client, params)


class Document:
    """A text, and where things are in it in the units that client and server agreed on."""

    def __init__(self, client, uri, text):
        self.client, self.uri, self.text, self.version = client, uri, text, 1

    @property
    def identifier(self):
        return types.TextDocumentIdentifier(self.uri)

    @property
    def versioned(self):
        return types.VersionedTextDocumentIdentifier(self.version, self.uri)

    @property
    def whole(self):
        return types.Range(self.position(0), self.position(len(self.text)))

    def position(self, offset):
        name, size = UNITS[self.client.encoding]
        before = self.text[:offset]
        start = before.rfind("\n") + 1
        return types.Position(before.count("\n"), len(before[start:].encode(name)) // size)

    def offset(self, position):
        name, size = UNITS[self.client.encoding]
        lines = self.text.split("\n")
        before = lines[position.line].encode(name)[: position.character * size].decode(name)
        return sum(len(line) + 1 for line in lines[: position.line]) + len(before)

    def at(self, words, into=0):
        """Where words stand, or so many characters into them."""
        return self.position(self.text.index(words) + into)

    def range(self, words):
        start = self.text.index(words)
        return types.Range(self.position(start), self.position(start + len(words)))

    def words(self, range):
        """What stands in a range of the protocol's, or in one as JSON has it."""
        if isinstance(range, dict):
            ends = [types.Position(**range[end]) for end in ("start", "end")]
        else:
            ends = [range.start, range.end]
        return self.text[self.offset(ends[0]) : self.offset(ends[1])]

    def place(self, words, into=0):
        """The params of a question about a place."""
        return {"text_document": self.identifier, "position": self.at(words, into)}

    def edit(self, words, new):
        """The user writes `new` in the place of words."""
        self.apply([types.TextEdit(self.range(words), new)])

    def type(self, new, before):
        here = self.at(before)
        self.apply([types.TextEdit(types.Range(here, here), new)])

    def apply(self, edits: typing.Sequence[types.TextEdit]):
        """Carries out edits of one text, and tells the server of each, the last one first."""
        changes = []
        for edit in sorted(edits, key=lambda edit: self.offset(edit.range.start), reverse=True):
            start, end = self.offset(edit.range.start), self.offset(edit.range.end)
            self.text = self.text[:start] + edit.new_text + self.text[end:]
            changes.append(types.TextDocumentContentChangePartial(text=edit.new_text, range=edit.range))
        self.version += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(self.versioned, changes))

    async def becomes(self, text):
        await self.client.until(lambda: self.text == text, f"{self.text!r} is to be {text!r}")
