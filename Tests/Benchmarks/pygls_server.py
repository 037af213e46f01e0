"""The server that one writes in an afternoon: pygls, and one regex over the whole document at each hover."""

import re

from lsprotocol import types
from pygls.lsp.server import LanguageServer

MARKS = re.compile(r"\{\+\+.*?\+\+\}|\{--.*?--\}|\{~~.*?~>.*?~~\}|\{==.*?==\}|\{>>.*?<<\}", re.S)

server = LanguageServer("peer", "1")


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(params):
    document = server.workspace.get_text_document(params.text_document.uri)
    text = document.source
    offset = document.offset_at_position(params.position)
    for mark in MARKS.finditer(text):
        if mark.start() <= offset < mark.end():
            return types.Hover(contents=mark.group())
        if mark.start() > offset:
            return None
    return None


server.start_io()
