"""The clients that the server is shown: those whose capabilities pytest-lsp has, and one that can do all there is."""

import enum
import typing

import attrs
from lsprotocol import types
from pytest_lsp import client_capabilities

# By what the test's name calls them: the client's name and version as it tells them, and what pytest-lsp calls it.
KNOWN = {
    "Neovim 0.11": ("Neovim", "0.11.0", "neovim@v0.11.0"),
    "Neovim 0.7": ("Neovim", "0.7.0", "neovim@v0.7.0"),
    "Emacs 29": ("Emacs", "29.1", "emacs@v29.1"),
    "VS Code 1.65": ("Visual Studio Code", "1.65.2", "visual-studio-code@v1.65.2"),
}
EVERYTHING = "everything"
NAMES = [*KNOWN, EVERYTHING]


def of(name):
    """Who the client is, and its capabilities."""
    if name == EVERYTHING:
        return types.ClientInfo("everything", "3.18"), everything(types.ClientCapabilities)
    who, version, stored = KNOWN[name]
    return types.ClientInfo(who, version), client_capabilities(stored)


# What cannot be told from the type.
LISTS = {
    "properties": ["edit", "command"],
    "token_types": [kind.value for kind in types.SemanticTokenTypes],
    "token_modifiers": [modifier.value for modifier in types.SemanticTokenModifiers],
    "formats": [types.TokenFormat.Relative],
    # Neither is what the server would choose first: positions in UTF-16 are what the specification begins with.
    "position_encodings": [types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf32],
}


def everything(kind):
    """A capability with all that LSP knows of announced."""
    hints = typing.get_type_hints(kind)
    return kind(**{
        field.name: LISTS.get(field.name) or announced(hints[field.name])
        for field in attrs.fields(kind) if field.name != "experimental"
    })


def announced(hint):
    choices = [choice for choice in typing.get_args(hint) if choice is not type(None)]
    if typing.get_origin(hint) is typing.Union:
        # Where a capability is a switch or an object that says more, it is the object.
        return announced(next((choice for choice in choices if attrs.has(choice)), choices[0]))
    if hint is bool:
        return True
    if hint is int:
        return 5000
    if hint is str:
        return "1"
    if attrs.has(hint):
        return everything(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return next(iter(hint))
    if choices and isinstance(choices[0], type) and issubclass(choices[0], enum.Enum):
        return list(choices[0])
    return []
