"""The document of most tests. There are letters in it that count differently in each of LSP's encodings."""

NOVEL = """\
# Foxes 🦊

The quick {++very ++}brown fox {~~jumps~>leaps~~}{>>@ada: [tone] see https://example.org<<}{>>agreed<<} over 🦊 the
{--lazy --}dog {==now==}{>>why?<<}.

## Cölours 🦊

{--A long deletion
over several
lines--}
"""
