"""What an editor shows of a document."""

from lsprotocol import types

from text import NOVEL


async def hover_says_what_happened(client):
    if not client.can("hover"):
        return
    novel = client.open(NOVEL)
    hover = await client.text_document_hover_async(types.HoverParams(**novel.place("leaps", 2)))
    assert novel.words(hover.range) == "{~~jumps~>leaps~~}"
    value = hover.contents.value
    assert value.index("Replaced") < value.index("jumps") < value.index("leaps") < value.index("agreed")
    formats = client.capabilities.text_document.hover.content_format
    assert hover.contents.kind == formats[0]
    assert await client.text_document_hover_async(types.HoverParams(**novel.place("brown", 2))) is None


async def the_outline_has_the_changes_under_their_headings(client):
    if not client.can("document_symbol"):
        return
    novel = client.open(NOVEL)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(novel.identifier))
    announced = client.capabilities.text_document.document_symbol
    assert announced.hierarchical_document_symbol_support
    assert [symbol.name for symbol in symbols] == ["Foxes 🦊"]
    *changes, section = symbols[0].children
    assert [novel.words(change.selection_range) for change in changes] == [
        "{++very ++}", "{~~jumps~>leaps~~}", "{--lazy --}", "{==now==}"]
    assert changes[0].name == "Added “very ”"
    assert changes[1].detail == "@ada: [tone] see https://example.org"
    assert section.name == "Cölours 🦊" and len(section.children) == 1
    tags = section.children[0].tags or []
    assert list(tags) == ([types.SymbolTag.Deprecated] if announced.tag_support else [])


async def code_lenses_stand_above_each_change_and_say_what_they_do_when_shown(client):
    if not client.can("code_lens"):
        return
    novel = client.open(NOVEL)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(novel.identifier))
    assert len(lenses) == 3 * 4 and all(lens.command is None for lens in lenses)
    assert novel.words(lenses[3].range) == "{~~jumps~>leaps~~}"
    assert novel.words(lenses[9].range) == "{--A long deletion"
    shown = [await client.code_lens_resolve_async(lens) for lens in lenses[3:6]]
    assert [lens.command.title for lens in shown] == ["Accept “jumps” → “leaps”", "Reject", "Answer (2 comments)"]
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(shown[1].command.command, shown[1].command.arguments))
    await novel.becomes(NOVEL.replace("{~~jumps~>leaps~~}{>>@ada: [tone] see https://example.org<<}{>>agreed<<}", "jumps"))


async def long_deletions_fold(client):
    if not client.can("folding_range"):
        return
    novel = client.open(NOVEL)
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(novel.identifier))
    assert [(fold.start_line, fold.end_line, fold.kind) for fold in folds] == [(7, 9, "region")]
    announced = client.capabilities.text_document.folding_range
    if announced.folding_range and announced.folding_range.collapsed_text:
        assert folds[0].collapsed_text.startswith("Deleted “A long deletion")
    else:
        assert folds[0].collapsed_text is None


async def both_sides_of_a_substitution_are_highlighted_with_their_comments(client):
    if not client.can("document_highlight"):
        return
    novel = client.open(NOVEL)
    params = types.DocumentHighlightParams(**novel.place("leaps", 2))
    found = await client.text_document_document_highlight_async(params)
    kinds = types.DocumentHighlightKind
    assert [(novel.words(highlight.range), highlight.kind) for highlight in found] == [
        ("jumps", kinds.Read), ("leaps", kinds.Write),
        ("{>>@ada: [tone] see https://example.org<<}", kinds.Text), ("{>>agreed<<}", kinds.Text)]


async def from_a_comment_to_its_change(client):
    if not client.can("definition"):
        return
    novel = client.open(NOVEL)
    found = await client.text_document_definition_async(types.DefinitionParams(**novel.place("agreed", 2)))
    if client.capabilities.text_document.definition.link_support:
        assert [novel.words(link.target_range) for link in found] == ["{~~jumps~>leaps~~}"]
        assert novel.words(found[0].origin_selection_range) == "{>>agreed<<}"
    else:
        assert [novel.words(location.range) for location in found] == ["{~~jumps~>leaps~~}"]


async def from_a_change_to_its_comments(client):
    if not client.can("references"):
        return
    novel = client.open(NOVEL)
    for is_included in (False, True):
        context = types.ReferenceContext(include_declaration=is_included)
        params = types.ReferenceParams(context, **novel.place("leaps", 2))
        found = [novel.words(location.range) for location in await client.text_document_references_async(params)]
        assert found[-2:] == ["{>>@ada: [tone] see https://example.org<<}", "{>>agreed<<}"]
        assert found[:-2] == ["{~~jumps~>leaps~~}"] * is_included


async def links_in_comments_are_links(client):
    if not client.can("document_link"):
        return
    novel = client.open(NOVEL)
    links = await client.text_document_document_link_async(types.DocumentLinkParams(novel.identifier))
    assert [(novel.words(link.range), link.target) for link in links] == [("https://example.org", "https://example.org")]


async def a_selection_grows_from_what_is_in_a_mark(client):
    if not client.can("selection_range"):
        return
    novel = client.open(NOVEL)
    positions = [novel.at("leaps", 2), novel.at("brown", 2)]
    inside, outside = await client.text_document_selection_range_async(
        types.SelectionRangeParams(novel.identifier, positions))
    grown = []
    while inside:
        grown.append(novel.words(inside.range))
        inside = inside.parent
    assert grown[:2] == ["leaps", "{~~jumps~>leaps~~}"]
    assert grown[2].endswith("{>>agreed<<}")
    assert grown[3].startswith("The quick") and grown[3].rstrip().endswith("{>>why?<<}.")
    assert grown[4:] == [NOVEL]
    assert novel.words(outside.range).startswith("The quick")


async def hints_tell_what_comments_are_about_and_what_is_deleted(client):
    if not client.can("inlay_hint"):
        return
    novel = client.open(NOVEL)
    params = types.InlayHintParams(novel.identifier, novel.whole)
    hints = await client.text_document_inlay_hint_async(params)
    assert [(hint.label, hint.position) for hint in hints] == [("tone", novel.at("🦊 the", into=len("🦊 the")))]
    novel.edit("over ", "")
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(novel.identifier, novel.whole))
    assert [(hint.label, hint.position) for hint in hints][1:] == [("deleted “over ”", novel.at("🦊 the", into=len("🦊 the")))]
    await novel.becomes(NOVEL.replace("over ", "{--over --}", 1))


async def completion_offers_the_five_marks_and_categories(client):
    if not client.can("completion"):
        return
    novel = client.open(NOVEL + "\n{\n\n{>>[<<}\n\n{>>@<<}\n")

    async def offered(words, into):
        return await client.text_document_completion_async(types.CompletionParams(**novel.place(words, into)))

    marks = await offered("\n{\n", 2)
    assert [mark.label for mark in marks] == ["{++++}", "{----}", "{~~~>~~}", "{====}", "{>><<}"]
    is_snippet = client.capabilities.text_document.completion.completion_item.snippet_support
    assert marks[0].text_edit.new_text == ("{++$1++}" if is_snippet else "{++++}")
    assert novel.words(marks[0].text_edit.range) == "{"
    assert "[tone]" in [category.label for category in await offered("{>>[<<}", 4)]
    assert [author.label for author in await offered("{>>@<<}", 4)] == ["@ada"]


# The tokens of a text, as the words that are coloured, the type's name and the modifiers' names.
def _tokens(client, novel, data):
    legend = client.server.semantic_tokens_provider.legend
    lines = novel.text.split("\n")
    found, line, start = [], 0, 0
    for index in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[index : index + 5]
        start = right if down else start + right
        line += down
        here = types.Range(types.Position(line, start), types.Position(line, start + length))
        words = novel.words(here) if here.end.character <= 2 * len(lines[line]) else None
        names = [name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1]
        found.append((words, legend.token_types[kind], *names))
    return found


async def marks_are_coloured_and_the_difference_is_told_after_a_change(client):
    if not client.can("semantic_tokens"):
        return
    novel = client.open(NOVEL)
    params = types.SemanticTokensParams(novel.identifier)
    first = await client.text_document_semantic_tokens_full_async(params)
    tokens = _tokens(client, novel, first.data)
    assert tokens[:3] == [("{++", "operator", "addition"), ("very ", "string", "addition"), ("++}", "operator", "addition")]
    assert ("lazy ", "regexp", "deprecated", "deletion") in tokens
    assert ("now", "function", "highlight") in tokens

    part = types.Range(novel.at("## C"), novel.position(len(NOVEL)))
    if client.server.semantic_tokens_provider.range:
        params = types.SemanticTokensRangeParams(novel.identifier, part)
        found = await client.text_document_semantic_tokens_range_async(params)
        assert {names[-1] for names in _tokens(client, novel, found.data)} == {"deletion"}

    assert client.server.semantic_tokens_provider.full.delta
    novel.edit("lazy", "crazy")
    params = types.SemanticTokensDeltaParams(novel.identifier, first.result_id)
    change = await client.text_document_semantic_tokens_full_delta_async(params)
    data = list(first.data)
    assert len(change.edits) == 1 and len(change.edits[0].data) < len(data)
    for edit in change.edits:
        data[edit.start : edit.start + edit.delete_count] = edit.data
    assert ("crazy ", "regexp", "deprecated", "deletion") in _tokens(client, novel, data)
    all_again = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(novel.identifier))
    assert list(all_again.data) == data
