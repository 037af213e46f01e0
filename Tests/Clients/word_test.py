"""Word documents become tracked Markdown: every reading is what Word's own is, and every comment is kept."""

import io
import json
import os
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree
import xml.sax.saxutils
import zipfile
from pathlib import Path

import pytest

from conftest import SERVER, TOP
import word_oracle
import word_writer

_WORD = Path(TOP, "Tests/Word")
_MARKDOWN = (
    "markdown-smart-simple_tables-multiline_tables-grid_tables-header_attributes-bracketed_spans"
    "-fenced_divs-link_attributes"
)
_BASELINES = sorted(
    path.stem for path in _WORD.glob("baselines/*.docx") if not path.stem.endswith(("-Accepted", "-Rejected"))
)
# The links in a table of contents hold links, which no Markdown has: pandoc writes them, and reads brackets.
_LINKS_IN_LINKS = "RP052-Deleted-Para-Mark"
_DOCUMENTS = [
    *(_WORD / f"baselines/{name}.docx" for name in _BASELINES if name != _LINKS_IN_LINKS),
    *sorted(_WORD.glob("book/*.docx")),
]
# The table has another number of cells in each row, which no Markdown has; it is said.
_SAID = {("RP034-Deleted-Cells", "Rejected")}


def _pandocs():
    """The folders with a pandoc: the one that is installed, and the newer one of the Python package."""
    folders = []
    installed = shutil.which("pandoc")
    if installed:
        folders.append(os.path.dirname(installed))
    try:
        import pypandoc

        newer = os.path.dirname(pypandoc.get_pandoc_path())
        if newer not in folders:
            folders.append(newer)
    except (ImportError, OSError):
        pass
    return folders


_PANDOCS = _pandocs()


@pytest.fixture(params=_PANDOCS or [None], ids=["installed", "newer"][: len(_PANDOCS)] or ["none"])
def pandoc(request, monkeypatch):
    if request.param is None:
        pytest.skip("pandoc is not installed")
    monkeypatch.setenv("PATH", request.param + os.pathsep + os.environ["PATH"])

    def run(*arguments, text=None):
        return subprocess.run(
            [os.path.join(request.param, "pandoc"), *arguments], input=text, capture_output=True, check=True, timeout=60
        ).stdout

    return run


def _critic(*arguments, text=None, code=0):
    outcome = subprocess.run([*SERVER, *map(str, arguments)], input=text, capture_output=True, timeout=120)
    assert outcome.returncode == code, outcome.stderr.decode()
    return outcome.stdout, outcome.stderr.decode()


def _seen(pandoc, markdown):
    """What a text shows, without what makes it Markdown."""
    return pandoc("-f", _MARKDOWN, "-t", "plain", "--wrap=none", text=markdown).decode()


def _of_word(pandoc, document):
    # pandoc writes `&amp;`, if that is the text, as if it were an entity.
    tree = pandoc("-f", "docx", "-t", "json", text=document).replace(b"&", "\ue000".encode())
    text = _seen(pandoc, pandoc("-f", "json", "-t", _MARKDOWN, "--wrap=none", text=tree))
    return text.replace("\ue000", "&")


def _readings(path):
    return [(True, _critic("export", "--clean", path)[0]), (False, _critic("export", "--original", path)[0])]


def _comments(path):
    listed = json.loads(_critic("changes", "--format", "json", path)[0])
    return [comment for change in listed["files"][0]["changes"] for comment in change["comments"]]


@pytest.mark.parametrize("name", _BASELINES)
def both_readings_of_a_document_are_its_baselines(name, pandoc, tmp_path):
    target = tmp_path / "text.md"
    _, errors = _critic("import", _WORD / f"baselines/{name}.docx", "-o", target)
    for accepted, text in _readings(target):
        side = "Accepted" if accepted else "Rejected"
        baseline = (_WORD / f"baselines/{name}-{side}.docx").read_bytes()
        if (name, side) in _SAID:
            assert "cells" in errors
        else:
            assert _seen(pandoc, text) == _of_word(pandoc, baseline)


@pytest.mark.parametrize("name", sorted(path.stem for path in _WORD.glob("book/*.docx")))
def both_readings_of_a_chapter_are_right_and_no_comment_is_lost(name, pandoc, tmp_path):
    source = _WORD / f"book/{name}.docx"
    target = tmp_path / "text.md"
    _critic("import", source, "-o", target)
    for accepted, text in _readings(target):
        assert _seen(pandoc, text) == _of_word(pandoc, word_oracle.resolve(source.read_bytes(), accepted))
    with zipfile.ZipFile(source) as archive:
        count = archive.read("word/comments.xml").count(b"<w:comment ") if "word/comments.xml" in archive.namelist() else 0
    assert len(_comments(target)) == count
    for image in re.findall(r"text-media/[^)\"' ]+", target.read_text()):
        assert (tmp_path / image).is_file()


@pytest.mark.parametrize("seed", range(16))
def a_document_with_changes_anywhere_reads_as_word_reads_it(seed, pandoc, tmp_path):
    writer = word_writer.Writer(seed, people=1 + seed % 3)
    document = writer.document()
    (tmp_path / "a.docx").write_bytes(document)
    target = tmp_path / "a.md"
    _critic("import", tmp_path / "a.docx", "-o", target)
    for accepted, text in _readings(target):
        assert _seen(pandoc, text) == _of_word(pandoc, word_oracle.resolve(document, accepted)), seed
    found = _comments(target)
    assert sorted(comment.partition(": ")[2] for comment in found) == sorted(writer.comments)
    assert all(comment.startswith("@") for comment in found)


# What pandoc need not read, beside what looks like it: items of lists, and signs that mean something.
_PROSE = (
    "the red hen went to town - and – said — that: this; is (a) “star” it’s ‘x’ naïve Ünder Ελλάδα слово 1. 2) (see e.g."
    " Mr. Smith a. I. IV) p.m. ... … 50 3.5 well-known -- --- : ; ! ? !( ) end, x-1 Table Note: www.example.com A.B. (c) ii)"
).split(" ")


@pytest.mark.parametrize("seed", range(12))
def prose_with_changes_anywhere_reads_as_word_reads_it(seed, pandoc, tmp_path, monkeypatch):
    monkeypatch.setattr(word_writer, "WORDS", _PROSE)
    monkeypatch.setattr(word_writer, "FORMATS", [""] * 12 + ['<w:lang w:val="en"/>', "<w:b/>"])
    writer = word_writer.Writer(seed)
    blocks = [writer.paragraph() for _ in range(20)]
    end = writer.paragraph(last=True)
    document = writer.holding("".join(blocks) + (end.removesuffix("</w:p>") + writer.close() + "</w:p>" if writer.open else end))
    (tmp_path / "a.docx").write_bytes(document)
    _critic("import", tmp_path / "a.docx", "-o", tmp_path / "a.md")
    for accepted, text in _readings(tmp_path / "a.md"):
        assert _seen(pandoc, text) == _of_word(pandoc, word_oracle.resolve(document, accepted)), seed


@pytest.fixture
def readings_by_pandoc(pandoc, tmp_path, monkeypatch):
    """A function that says how often pandoc has read something since it was asked last, and how many bytes in all."""
    real = shutil.which("pandoc")
    folder = tmp_path / "counting"
    folder.mkdir()
    (folder / "pandoc").write_text(
        f'#!/bin/sh\ncase "$*" in *--version*) exec {real} "$@";; esac\n'
        f'cat > "{folder}/read.$$"\nexec {real} "$@" < "{folder}/read.$$"\n'
    )
    (folder / "pandoc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def taken():
        texts = [path.read_bytes() for path in folder.glob("read.*")]
        for path in folder.glob("read.*"):
            path.unlink()
        return texts

    return taken


def pandoc_reads_a_document_of_prose_once_whatever_was_changed(readings_by_pandoc, tmp_path):
    text = "A red {++or blue ++}hen{-- slept--}.\n\nAnd {~~so~>then~~} it went.\n\n" * 50
    (tmp_path / "a.md").write_text(text)
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    assert len(readings_by_pandoc()) == 1
    _critic("import", tmp_path / "a.docx", "-o", tmp_path / "b.md")
    assert len(readings_by_pandoc()) == 1
    assert (tmp_path / "b.md").read_text().endswith(text.rstrip() + "\n")


def pandoc_reads_the_paragraphs_that_were_not_changed_once(readings_by_pandoc, tmp_path):
    plain = "".join(f"A *red* hen [{number}](https://a.b) of `code` and so on and on.\n\n" for number in range(200))
    (tmp_path / "a.md").write_text(plain.replace("[", "").replace("](https://a.b)", "") + "A *blue* {++red ++}hen.\n")
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    readings_by_pandoc()
    _critic("import", tmp_path / "a.docx", "-o", tmp_path / "b.md")
    counts = []
    for document in readings_by_pandoc():
        with zipfile.ZipFile(io.BytesIO(document)) as archive:
            counts.append(archive.read("word/document.xml").count(b"<w:p>"))
    assert len(counts) == 4 and sorted(counts)[2] < 10 < 200 < max(counts)
    assert (tmp_path / "b.md").read_text().endswith((tmp_path / "a.md").read_text())


# Each has paragraphs of prose that are something else for what is around them.
_AROUND_PROSE = [
    "```\nA red hen\n\nwent to town\n```\n\nAnd {++so ++}on.\n",
    "<!--\n\nA red hen\n\n-->\n\nAnd {++so ++}on.\n",
    "A hen\n\n:   Is {++so ++}red.\n",
    "-------  -------\nA hen    is red\n\nAnd so   it is\n-------  -------\n\nAnd {++so ++}on.\n",
    "<pre>\n\nA red hen\n\n</pre>\n\nAnd {++so ++}on.\n",
    "\\begin{quote}\n\nA red hen\n\n\\end{quote}\n\nAnd {++so ++}on.\n",
    "- One\n\nA red hen\n\nAnd {++so ++}on.\n\n1. So\n\nOn {++and ++}on.\n",
    "---\ntitle: |\n    Red\n\n    Hen\n---\n\nAnd {++so ++}on.\n",
    "".join(f"Hen {word} {{++{word} ++}}and{{-- {word}--}}.\n\nSo\n{word}\n\n" for word in _PROSE),
    "Heading\n=======\n\nAnd {++so ++}on  \nand on.\n\nAnd\r\nso\r\non.\n",
    "> A hen\n\nand {++so ++}on\n\n![A hen](a.png)\n\nTable\n\n| a | b |\n|---|---|\n| c | d |\n\nAnd so on\n",
]


@pytest.mark.parametrize("text", _AROUND_PROSE, ids=range(len(_AROUND_PROSE)))
def what_looks_like_prose_is_exported_as_what_it_is(text, pandoc, tmp_path):
    (tmp_path / "a.md").write_bytes(text.encode())
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    exported = (tmp_path / "a.docx").read_bytes()
    for accepted, reading in _readings(tmp_path / "a.md"):
        alone = pandoc("-f", "markdown-smart+lists_without_preceding_blankline", "-t", "docx", "-o", "-", text=reading)
        assert _of_word(pandoc, word_oracle.resolve(exported, accepted)) == _of_word(pandoc, alone)


@pytest.mark.parametrize("source", _DOCUMENTS, ids=lambda path: path.stem)
def a_document_that_is_exported_and_imported_again_gives_the_same_text(source, pandoc, tmp_path):
    (tmp_path / "again").mkdir()
    first, second = tmp_path / "text.md", tmp_path / "again/text.md"
    _critic("import", source, "-o", first)
    _critic("export", "--to", "docx", "-o", tmp_path / "text.docx", first)
    exported = (tmp_path / "text.docx").read_bytes()
    for accepted, text in _readings(first):
        assert _seen(pandoc, text) == _of_word(pandoc, word_oracle.resolve(exported, accepted))
    _critic("import", tmp_path / "text.docx", "-o", second)
    assert second.read_text() == first.read_text()


def an_import_writes_over_no_text_that_was_edited(pandoc, tmp_path):
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(7, 3).document())
    target = tmp_path / "a.md"
    arguments = ["import", tmp_path / "a.docx", "-o", target]
    target.write_text("")
    for _ in range(2):
        _critic(*arguments)
    imported = target.read_text()
    target.write_text(imported + "\nMore.\n")
    _, errors = _critic(*arguments, code=2)
    assert target.read_text() == imported + "\nMore.\n"
    assert f"{target} is there and differs from what {tmp_path / 'a.docx'} gives" in errors and "--force" in errors
    _critic("import", tmp_path / "a.docx", "--dates", "-o", target, code=2)
    _critic(*arguments, "--force")
    assert target.read_text() == imported


_KEPT = """---
tags: [a, b]
---

# Head one {#a}

A line that was wrapped
by hand, and <!-- not seen --> more.

* * *

![a hen](hen.png){width=50%}

# Head two {#b}

| a   | b |
|:---:|--:|
| 1   | 2 |

The end
of it.
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    "edits",
    [
        [("Head one", "Head{++ number++} one")],
        [("Head one", "Head one{++ more++}")],
        [("Head two", "{++New ++}Head two")],
        [("of it.", "of it{++ all++}.")],
        [("was wrapped", "{~~was~>is~~} wrapped"), ("The end", "The {++very ++}end")],
        [("more.", "more.{++ Yes.++}")],
        [("| a   | b |", "{++A new paragraph.\n\n++}| a   | b |")],
        [("* * *", "{++A new one.\n\n++}* * *")],
    ],
    ids=lambda edits: edits[0][1],
)
def what_word_cannot_hold_stays_where_nobody_edited_it(edits, line_end, pandoc, tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_bytes(_KEPT.replace("\n", line_end).encode())
    edited = _KEPT
    for old, new in edits:
        edited = edited.replace(old, new)
    (tmp_path / "copy.md").write_text(edited)
    _critic("export", "--to", "docx", "-o", tmp_path / "draft-bo.docx", tmp_path / "copy.md")
    combined, errors = _critic("combine", draft, tmp_path / "draft-bo.docx")
    text = re.sub(r"\{>>@[^<]*<<\}", "", combined.decode())
    assert text == edited.replace("\n", line_end), errors


_MARKED_NOTES = {
    "one for another": "One{--[^1]--}{++[^2]++} two.{--\n\n[^1]: A deleted note.--}{++\n\n[^2]: An added note.++}\n",
    "apart": "One{--[^1]--} two{++[^2]++}.{--\n\n[^1]: The note.--}{++\n\n[^2]: The note.++}\n",
    "added": "One[^1] two{++[^2]++}.\n\n[^1]: The {++whole ++}note.{++\n\n[^2]: The note.++}\n",
    "added before": "One{++[^1]++} two[^2].\n\n{++[^1]: Added.\n\n++}[^2]: The note.\n",
    "deleted": "One[^1] two{--[^2]--}.\n\n[^1]: The note.{--\n\n[^2]: Gone.--}\n",
    "deleted before": "One{--[^1]--} two[^2].\n\n{--[^1]: Gone with it.\n\n--}[^2]: Gone with him.\n",
    "before another": "One{--[^1]--}{++[^2]++}.\n\nTwo[^3].\n\n{--[^1]: A `b`.\n\n    Long.\n\n--}{++[^2]: A `c`.\n\n++}[^3]: Kept.\n",
    "two for one": "A{--[^1]--}{++[^2]++} b{--[^3]--}.{--\n\n[^1]: One.--}{++\n\n[^2]: Two.++}{--\n\n[^3]: Three.--}\n",
    "ten": "A{--[^1]--}{++[^2]++}"
    + "".join(f" b[^{n}]" for n in range(3, 12))
    + ".\n\n{--[^1]: Note 1.\n\n--}{++[^2]: Note 11.\n\n++}"
    + "\n\n".join(f"[^{n}]: Note {n}." for n in range(3, 12))
    + "\n",
    "side by side": "A b{--[^1]--} c{++[^2]++}[^3] d.\n\n{--[^1]: One.\n\n--}{++[^2]: Two.\n\n++}[^3]: Three.\n",
    "in a paragraph": "Text.\n\n{--One[^1].\n\n--}{++New[^2].\n\n++}End.{--\n\n[^1]: The note.--}{++\n\n[^2]: Added.++}\n",
}


@pytest.mark.parametrize("text", _MARKED_NOTES.values(), ids=_MARKED_NOTES)
def a_footnote_is_added_or_deleted_as_a_whole(text, pandoc, tmp_path):
    (tmp_path / "a.md").write_text(text)
    _critic("export", "--to", "docx", "--author", "Bo", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    imported = _critic("import", tmp_path / "a.docx")[0].decode()
    assert imported == '---\ncriticmark: {author: "Bo"}\n---\n\n' + text


@pytest.mark.parametrize("text", _MARKED_NOTES.values(), ids=_MARKED_NOTES)
def a_copy_with_other_footnotes_changes_no_label(text, pandoc, tmp_path):
    (tmp_path / "a.md").write_text(text)
    draft = _critic("reject", tmp_path / "a.md")[0]
    (tmp_path / "draft.md").write_bytes(draft)
    _critic("export", "--to", "docx", "-o", tmp_path / "draft-bo.docx", tmp_path / "a.md")
    combined = _critic("combine", tmp_path / "draft.md", tmp_path / "draft-bo.docx")[0]
    marks = re.sub(r"\{>>@[^<]*<<\}", "", combined.decode())
    assert not re.search(r"\[[^]\n]*\{[-+~]{2}|~>[^]\n]*\]:", marks)
    assert re.sub(r"\^\d+", "", marks) == re.sub(r"\^\d+", "", text)
    assert _critic("reject", "-", text=combined)[0] == draft
    accepted = _critic("accept", "-", text=combined)[0]
    assert _seen(pandoc, accepted) == _seen(pandoc, _critic("accept", tmp_path / "a.md")[0])


def footnotes_of_a_copy_get_labels_that_nothing_else_has(pandoc, tmp_path):
    notes = "{--[^hen]: Red.\n\n--}[^2]: A {++very ++}small one.\n\n[^1]: The third.{++\n\n[^4]: Added.++}\n"
    marked = "One{--[^hen]--} two[^2], three[^1]{++[^4]++}.\n\n" + notes
    (tmp_path / "a.md").write_text(marked)
    (tmp_path / "draft.md").write_bytes(_critic("reject", tmp_path / "a.md")[0])
    _critic("export", "--to", "docx", "--author", "bo", "-o", tmp_path / "draft-bo.docx", tmp_path / "a.md")
    (tmp_path / "a.md").write_text(marked.replace("Added.", "Added, too."))
    _critic("export", "--to", "docx", "--author", "cy", "-o", tmp_path / "draft-cy.docx", tmp_path / "a.md")
    copies = [tmp_path / "draft-bo.docx", tmp_path / "draft-cy.docx"]
    shutil.copy(copies[0], tmp_path / "draft-di.docx")
    one = _critic("combine", tmp_path / "draft.md", copies[0])[0].decode()
    assert one.replace("{>>@bo<<}", "") == marked.replace("[^4]", "[^3]")
    same = _critic("combine", tmp_path / "draft.md", copies[0], tmp_path / "draft-di.docx")[0].decode()
    assert same == one
    both = _critic("combine", tmp_path / "draft.md", *copies, code=1)[0].decode()
    assert "[^3]: Added.++}" in both and "[^4]: Added, too.++}" in both


def _copy(folder, name, marked):
    """A Word document that somebody made of a draft, with marks."""
    (folder / "copy.md").write_text(marked)
    _critic("export", "--to", "docx", "--author", name, "-o", folder / f"draft-{name}.docx", folder / "copy.md")
    return folder / f"draft-{name}.docx"


def a_footnote_of_a_copy_gets_a_label_where_the_text_has_the_largest_number(pandoc, tmp_path):
    large = 2**63 - 1
    marked = f"One[^{large}] two{{++[^1]++}}.\n\n[^{large}]: Kept.{{++\n\n[^1]: Added.++}}\n"
    copy = _copy(tmp_path, "bo", marked)
    (tmp_path / "draft.md").write_bytes(_critic("reject", tmp_path / "copy.md")[0])
    combined = _critic("combine", tmp_path / "draft.md", copy)[0].decode()
    assert combined.replace("{>>@bo<<}", "") == marked


@pytest.mark.parametrize("order", [["-", "draft-bo.docx"], ["draft-bo.docx", "-"]], ids=" ".join)
def a_footnote_of_a_copy_gets_no_label_that_a_copy_in_markdown_has(order, pandoc, tmp_path):
    (tmp_path / "draft.md").write_text("One. Two[^9]. Three.\n\nEnd\n\n[^9]: Kept.\n")
    _copy(tmp_path, "bo", "One. Two[^9]. Three{++[^8]++}.\n\nEnd\n\n[^9]: Kept.{++\n\n[^8]: His.++}\n")
    hers = b"One[^1][^10]. Two[^9]. Three.\n\nEnd\n\n[^1]: Hers.\n\n[^10]: Hers, too.\n\n[^9]: Kept.\n"
    copies = [copy if copy == "-" else tmp_path / copy for copy in order]
    combined = _critic("combine", "--author", "ada=-", tmp_path / "draft.md", *copies, text=hers)[0]
    accepted = _critic("accept", "-", text=combined)[0].decode()
    assert accepted == hers.decode().replace("Three", "Three[^2]") + "\n[^2]: His.\n"


@pytest.mark.parametrize("one, other", [("$x$", "$y$"), ("See $x$.", "See $y$.")])
def footnotes_of_two_copies_that_differ_in_a_formula_have_two_labels(one, other, pandoc, tmp_path):
    (tmp_path / "draft.md").write_text("One. Two[^9]. Three.\n\nEnd\n\n[^9]: Kept.\n")
    first = _copy(tmp_path, "bo", f"One{{++[^1]++}}. Two[^9]. Three.\n\nEnd\n\n{{++[^1]: {one}\n\n++}}[^9]: Kept.\n")
    second = _copy(tmp_path, "cy", f"One. Two[^9]. Three{{++[^1]++}}.\n\nEnd\n\n[^9]: Kept.{{++\n\n[^1]: {other}++}}\n")
    combined = _critic("combine", tmp_path / "draft.md", first, second)[0]
    accepted = _critic("accept", "-", text=combined)[0].decode()
    assert re.findall(r"(?m)^\[\^(\d+)\]: (.*)", accepted) == [("1", one), ("9", "Kept."), ("2", other)]


def a_label_that_is_a_sign_of_emphasis_is_none(pandoc, tmp_path):
    (tmp_path / "draft.md").write_text("One[^*] hen *red* fox.\n\n[^*]: Note.\n")
    copy = _copy(tmp_path, "bo", "One{--[^*] hen--} *red* fox.{--\n\n[^*]: Note.--}\n")
    combined = _critic("combine", tmp_path / "draft.md", copy)[0].decode()
    assert combined.replace("{>>@bo<<}", "") == (tmp_path / "copy.md").read_text()


def _word(kind=None, author=None, text=None, end=False):
    """A run with a text, or with a reference to the first footnote, or the end of a paragraph, as somebody changed it."""
    content = '<w:footnoteReference w:id="1"/>'
    if text:
        tag = "delText" if kind == "del" else "t"
        content = f'<w:{tag} xml:space="preserve">{text}</w:{tag}>'
    if end:
        return f'<w:pPr><w:rPr><w:{kind} w:id="1" w:author="{author}"/></w:rPr></w:pPr>'
    run = f"<w:r>{content}</w:r>"
    return f'<w:{kind} w:id="1" w:author="{author}">{run}</w:{kind}>' if kind else run


@pytest.mark.parametrize("kind, sign", [("ins", "++"), ("del", "--")])
def a_document_that_is_new_or_gone_as_a_whole_says_whose_each_footnote_is(kind, sign, pandoc, tmp_path):
    writer = word_writer.Writer(1)
    writer.notes = ["The note."]
    parts = [_word(kind, "Bo", end=True), _word(kind, "Bo", "One"), _word(kind, "Cy"), _word(kind, "Bo", " two.")]
    (tmp_path / "a.docx").write_bytes(writer.holding(f"<w:p>{''.join(parts)}</w:p>"))
    imported = _critic("import", tmp_path / "a.docx")[0].decode()
    changes = [("One", "Bo"), ("[^1]", "Cy"), (" two.", "Bo"), ("\n\n[^1]: The note.\n", "Cy")]
    assert imported == "".join(f"{{{sign}{text}{sign}}}{{>>@{name}<<}}" for text, name in changes)


def a_second_reference_to_a_footnote_that_goes_says_whose_change_its_text_is(pandoc, tmp_path):
    writer = word_writer.Writer(1)
    writer.notes = ["The note."]
    parts = [_word(text="One"), _word(), _word("del", "Cy", " old"), _word(text=" two"), _word("del", "Bo"), _word(text=".")]
    (tmp_path / "a.docx").write_bytes(writer.holding(f"<w:p>{''.join(parts)}</w:p>"))
    imported = _critic("import", tmp_path / "a.docx")[0].decode()
    assert imported.startswith("One[^1]{-- old--}{>>@Cy<<} two{--[^1]--}{>>@Bo<<}.")
    assert imported.endswith("--}{>>@Bo<<}\n") and imported.count("@Cy") == 1


def a_change_in_a_table_without_a_head_is_exported_as_it_was_made(pandoc, tmp_path):
    # The cells of the head are wider in one reading.
    head = "|         {++       ++}|     |\n|---------|-----|\n"
    (tmp_path / "a.md").write_text(head + "| {++a fox++}under {--x--}| b |\n")
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    assert b"{++a fox++}under" in _critic("import", tmp_path / "a.docx")[0]


@pytest.mark.parametrize("form", ["docx", "html", "latex", "json"])
def annotations_of_ia_writer_are_not_exported(form, pandoc, tmp_path):
    text = "The red hen.\n\n---\nAnnotations: 0,12 SHA-256 x\n@Ada: 4,3\n...\n"
    (tmp_path / "a.md").write_text(text)
    _critic("export", "--to", form, "-o", tmp_path / "a.out", tmp_path / "a.md")
    exported = (tmp_path / "a.out").read_bytes()
    assert b"Annotations" not in exported
    if form == "docx":
        assert _critic("combine", tmp_path / "a.md", "--author", f"bo={tmp_path / 'a.docx'}", (tmp_path / "a.out").rename(tmp_path / "a.docx"))[0].decode() == text


def every_part_of_an_export_is_xml_whatever_the_text_holds(pandoc, tmp_path):
    controls = "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 32), 127, 0xFFFD, 0xFFFE, 0xFFFF]))
    text = f"A {{++b{controls}++}}{{>>@bo: c{controls}d<<}} {{~~e{controls}~>f~~}} {{==g==}}{{>>h{controls}<<}}[^1]\n\n[^1]: i{controls}\n"
    (tmp_path / "a.md").write_text(text)
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    with zipfile.ZipFile(tmp_path / "a.docx") as archive:
        parts = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        assert "word/comments.xml" in parts
        for name in parts:
            xml.etree.ElementTree.fromstring(archive.read(name))
        assert "c" + "\N{REPLACEMENT CHARACTER}" * 8 in archive.read("word/comments.xml").decode()


def what_reads_as_a_mark_or_an_entity_comes_in_as_the_text_that_it_is(pandoc, tmp_path):
    texts = ["a ++} b {++ d", "x --} ~~} ==} y", "say &amp; so", "x &copy; y & z; &#35; #", "<<} and {>> hm <<}"]
    body = "".join(f'<w:p><w:r><w:t>{xml.sax.saxutils.escape(text)}</w:t></w:r></w:p>' for text in texts)
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(1).holding(body))
    _critic("import", "-o", tmp_path / "a.md", tmp_path / "a.docx")
    plain = subprocess.run(
        ["pandoc", "--from", "markdown-smart", "--to", "plain", "--wrap=none", tmp_path / "a.md"],
        capture_output=True, text=True, check=True,
    ).stdout
    assert plain.split("\n\n") == [*texts[:-1], texts[-1] + "\n"]
    listed = json.loads(_critic("changes", "--format", "json", tmp_path / "a.md")[0])
    assert listed["files"][0]["changes"] == []


def an_import_says_who_made_the_changes(pandoc, tmp_path):
    for people in (1, 3):
        (tmp_path / "a.docx").write_bytes(word_writer.Writer(7, people).document())
        text = _critic("import", tmp_path / "a.docx")[0].decode()
        assert text.startswith('---\ncriticmark: {author: "Anna Lee"}\n---\n') == (people == 1)
        assert ("{>>@bob<<}" in text) == (people == 3)
    dated = _critic("import", "--dates", tmp_path / "a.docx")[0].decode()
    assert re.search(r"\{>>@bob \| 2026-11-\d\dT10:00:00Z<<\}", dated)


@pytest.mark.parametrize(
    "text",
    [
        "The {--small --}{>>@Cy<<}nest. {++They slept.++}{>>@Bo<<}",
        "The {--small--}{>>@Cy<<} nest. {++They slept.++}{>>@Bo<<}",
        "The {--small --}{>>@Cy<<}{--old --}{>>@Bo<<}nest. {++They slept.++}{>>@Di<<}",
        "The nest. {++They ++}{>>@Bo<<}{++slept. ++}{>>@Cy<<}{--End--}{>>@Di<<}",
        "a {++*b++}{>>@Cy<<} c {++d*++}{>>@Bo<<} e.",
        "A {++b ++}{>>@Bo<<} {--c++ --}{>>@Cy<<} d  {--e--}{>>@Bo<<}  {++f++}{>>@Cy<<} ",
    ],
)
def changes_of_several_people_stay_several_where_pandoc_leaves_out_a_space(text, pandoc, tmp_path):
    runs = ""
    for kind, content, author, plain in re.findall(r"\{(\+\+|--)(.*?)(?:\+\+|--)\}\{>>@(\w+)<<\}|([^{]+)", text):
        tag = "delText" if kind == "--" else "t"
        run = f'<w:r><w:{tag} xml:space="preserve">{content or plain}</w:{tag}></w:r>'
        name = {"++": "ins", "--": "del"}.get(kind)
        runs += f'<w:{name} w:id="1" w:author="{author}">{run}</w:{name}>' if name else run
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(1).holding(f"<w:p>{runs}</w:p>"))
    imported = _critic("import", tmp_path / "a.docx")[0].decode()

    def changes(text):
        found = re.findall(r"\{(\+\+|--)(.*?)(?:\+\+|--)\}\{>>@(\w+)<<\}", text)
        return [(kind, content.replace("\\", "").strip(), author) for kind, content, author in found]

    assert changes(imported) == changes(text)
    assert "~>" not in imported


def a_change_that_several_people_made_is_said(pandoc, tmp_path):
    bold = "<w:rPr><w:b/></w:rPr>"
    runs = (
        f'<w:ins w:id="1" w:author="Bo"><w:r>{bold}<w:t xml:space="preserve">one </w:t></w:r></w:ins>'
        '<w:del w:id="2" w:author="Di"><w:r><w:delText>two</w:delText></w:r></w:del>'
        f'<w:r>{bold}<w:t xml:space="preserve">three </w:t></w:r>'
        f'<w:ins w:id="3" w:author="Bo"><w:r>{bold}<w:t xml:space="preserve"> four</w:t></w:r></w:ins>'
    )
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(1).holding(f"<w:p>{runs}</w:p>"))
    _, errors = _critic("import", tmp_path / "a.docx")
    assert errors == f"critic-lsp: {tmp_path}/a.docx: 1 change made of those of several people, with the name of one of them\n"


@pytest.mark.parametrize("change", ["ins", "del"])
def comments_on_a_part_of_a_change_stay_at_it_and_are_not_narrowed(change, pandoc, tmp_path):
    writer = word_writer.Writer(1, people=1)
    writer.comments = ["one", "two"]
    ranges = [f'<w:commentRange{end} w:id="{number}"/>' for end in ("Start", "End") for number in (0, 1)]
    references = "".join(f'<w:r><w:commentReference w:id="{number}"/></w:r>' for number in (0, 1))

    def changed(content):
        return f'<w:{change} w:id="9" w:author="bob" w:date="2026-11-12T10:00:00Z">{content}</w:{change}>'

    tag = "delText" if change == "del" else "t"
    red, hen = (f'<w:r><w:{tag} xml:space="preserve">{word}</w:{tag}></w:r>' for word in ("red ", "hen "))
    first = changed("".join(ranges[:2]) + red) + changed("".join(ranges[2:]) + references + hen)
    last = changed(hen)
    rest = "<w:r><w:t>came.</w:t></w:r>"
    (tmp_path / "a.docx").write_bytes(writer.holding(f"<w:p>{first}{rest}</w:p><w:p>{last}{rest}</w:p>"))
    text, errors = _critic("import", tmp_path / "a.docx")
    assert b"red hen ++}{>>@Anna_Lee: one<<}{>>@Anna_Lee: two<<}came." in text.replace(b"--}", b"++}") and not errors


_SHAPES = (
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
)


def _tracked_text(mark="ins"):
    """A paragraph of a header, footer or text box with three changes and a comment."""
    by = 'w:id="7" w:author="Anna Lee" w:date="2026-11-12T10:00:00Z"'
    return (
        f'<w:p><w:pPr><w:rPr><w:{mark} {by}/></w:rPr></w:pPr><w:{mark} {by}><w:r><w:t xml:space="preserve">Box </w:t></w:r>'
        f'</w:{mark}><w:{mark} {by}><w:r><w:t>new</w:t></w:r></w:{mark}>'
        '<w:del w:id="8" w:author="bob"><w:r><w:delText>old</w:delText></w:r></w:del>'
        '<w:commentRangeStart w:id="0"/><w:r><w:t xml:space="preserve"> here</w:t></w:r><w:commentRangeEnd w:id="0"/>'
        f'<w:r><w:commentReference w:id="0"/></w:r><w:{mark} {by}><w:r><w:t>.</w:t></w:r></w:{mark}></w:p>'
    )


@pytest.mark.parametrize("form", ["drawing", "picture", "both"])
@pytest.mark.parametrize("beside", ["<w:t>Main</w:t>", ""], ids=["beside text", "alone"])
def changes_in_text_boxes_are_imported_or_said(form, beside, pandoc, tmp_path, monkeypatch):
    monkeypatch.setattr(word_writer, "NAMESPACES", word_writer.NAMESPACES + _SHAPES)
    writer = word_writer.Writer(1)
    writer.comments = ["on the box"]
    box = f"<w:txbxContent>{_tracked_text()}</w:txbxContent>"
    shape = f"<wps:wsp><wps:txbx>{box}</wps:txbx></wps:wsp>"
    uri = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
    drawing = (
        '<w:drawing><wp:anchor><wp:extent cx="9144" cy="9144"/><wp:docPr id="1" name="Box"/><a:graphic>'
        f'<a:graphicData uri="{uri}">{shape}</a:graphicData></a:graphic></wp:anchor></w:drawing>'
    )
    picture = f"<w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape></w:pict>"
    both = (
        f'<mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice>'
        f"<mc:Fallback>{picture}</mc:Fallback></mc:AlternateContent>"
    )
    content = {"drawing": drawing, "picture": picture, "both": both}[form]
    inserted = '<w:ins w:id="1" w:author="bob"><w:r><w:t xml:space="preserve"> text</w:t></w:r></w:ins>' if beside else ""
    paragraph = f"<w:p><w:r>{beside}{content}</w:r>{inserted}</w:p><w:p><w:r><w:t>End.</w:t></w:r></w:p>"
    (tmp_path / "a.docx").write_bytes(writer.holding(paragraph))
    text, errors = _critic("import", tmp_path / "a.docx")
    text = text.decode()
    assert ("Main{++ text++}" in text) == bool(beside) and "End." in text and text.count("on the box") == 1
    if "here" in text:
        changes = "{++Box new++}{>>@Anna_Lee<<}{--old--}{>>@bob<<}"
        assert changes + " {==here==}{>>@Anna_Lee: on the box<<}{++.++}" in text
        assert not errors
    else:
        assert "a.docx: 3 changes in text boxes were not imported\n" in errors
        assert "a.docx: 1 comment in text boxes stands elsewhere, for the text there was not imported\n" in errors


@pytest.mark.parametrize("part", ["header", "footer"])
def changes_in_headers_and_footers_are_said(part, pandoc, tmp_path):
    writer = word_writer.Writer(1)
    document = writer.holding("<w:p><w:r><w:t>Main.</w:t></w:r></w:p>")
    root = {"header": "hdr", "footer": "ftr"}[part]
    relations = word_writer.DOCUMENT_RELS.replace("</Relationships>", "")
    kind = f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{part}"
    relations += f'<Relationship Id="rId9" Type="{kind}" Target="{part}1.xml"/></Relationships>'
    tracked = re.sub("<w:comment[^>]*>", "", _tracked_text("moveTo"))
    content = f"<w:{root} {word_writer.NAMESPACES}>{tracked}</w:{root}>"
    document = _with_part(document, f"word/{part}1.xml", content.encode())
    (tmp_path / "a.docx").write_bytes(_with_part(document, "word/_rels/document.xml.rels", relations.encode()))
    text, errors = _critic("import", tmp_path / "a.docx")
    assert text == b"Main.\n"
    assert errors == f"critic-lsp: {tmp_path}/a.docx: 3 changes in {part}s were not imported\n"


def _put_image(path):
    with zipfile.ZipFile(_WORD / "book/chapter17.docx") as book:
        image = next(name for name in book.namelist() if name.endswith(".png"))
        path.write_bytes(book.read(image))


_EDITED_CAPTIONS = [
    "Before.\n\n![A {~~red~>blue~~} hen](a.png)\n\nAfter.\n",
    "Before.\n\n![A {~~red~>blue~~} hen](a.png){width=50%}\n\nAfter{++ it++}.\n",
    "Before.\n\n![A {++very ++}red hen](a.png){#fig:x}\n\nAfter.\n",
    "# H {#a}\n\n![A red hen{++ ran++}](a.png)\n\n* * *\n\nAfter.\n",
    "Before.\n\n![{~~A~>One~~} red hen](a.png)\n\n![A dog](a.png)\n\nAfter.\n",
    "Before.\n\n![A dog](a.png)\n\n![A red hen & *co*{++, ltd++}](a.png)\n",
]


@pytest.mark.parametrize("is_described", [True, False], ids=["with what describes it", "alone"])
@pytest.mark.parametrize("marked", _EDITED_CAPTIONS)
def a_caption_that_was_edited_in_word_is_all_that_changes(marked, is_described, pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    (tmp_path / "draft.md").write_bytes(_critic("reject", "-", text=marked.encode())[0])
    copy = _copy(tmp_path, "bo", marked)
    if not is_described:
        # Word leaves the image as it is where its caption is edited.
        with zipfile.ZipFile(copy) as archive:
            document = archive.read("word/document.xml").decode()
        document = re.sub(r'<w:del (?:(?!</w:del>).)*<w:drawing>.*?</w:del>', "", document, flags=re.DOTALL)
        document = re.sub(r'<w:ins [^>]*>(<w:r>(?:(?!</w:r>).)*<w:drawing>.*?</w:r>)</w:ins>', r"\1", document, flags=re.DOTALL)
        copy.write_bytes(_with_part(copy.read_bytes(), "word/document.xml", document.encode()))
    combined = _critic("combine", tmp_path / "draft.md", copy)[0].decode()
    assert combined.replace("{>>@bo<<}", "") == marked


@pytest.mark.parametrize("before", ["", "Write `<img src` here.\n\n"], ids=["in what describes it", "before it"])
def code_is_no_image_and_hides_none(before, pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    marked = before + "![Code like `ls` here](a.png){#one}\n\nAfter{++ it++}.\n"
    (tmp_path / "draft.md").write_bytes(_critic("reject", "-", text=marked.encode())[0])
    combined = _critic("combine", tmp_path / "draft.md", _copy(tmp_path, "bo", marked))[0].decode()
    assert combined.replace("{>>@bo<<}", "") == marked


def what_describes_an_image_in_a_line_is_edited_in_its_brackets(pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    (tmp_path / "draft.md").write_text("See ![A red hen](a.png){width=50%} there.\n")
    copy = _copy(tmp_path, "bo", "See ![A {~~red~>blue~~} hen](a.png){width=50%} there.\n")
    combined = _critic("combine", tmp_path / "draft.md", copy)[0].decode()
    assert combined.replace("{>>@bo<<}", "") == (tmp_path / "copy.md").read_text()


@pytest.mark.parametrize(
    "marked",
    [
        "![A red hen](a.png){#one}\n\nMiddle.\n\n{++![A cat](a.png)\n\n++}![A dog](a.png){#two}\n\nEnd.\n",
        "{++![A cat](a.png)\n\n++}![A red hen](a.png){#one}\n\nMiddle.\n\n![A dog](a.png){#two}\n\nEnd.\n",
        "{++![A dog](a.png)\n\n++}![A red hen](a.png){#one}\n\nMiddle.\n\n![A dog](a.png){#two}\n\nEnd{++ it++}.\n",
        "`<img src=\"a.png\" />`\n\n![A red hen](a.png){#one}\n\nMiddle{++ it++}.\n\n![A {~~dog~>cat~~}](a.png){#two}\n",
    ],
)
def one_picture_that_is_there_several_times_keeps_each_label(marked, pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    draft = _critic("reject", "-", text=marked.encode())[0].decode()
    (tmp_path / "draft.md").write_text(draft)
    combined = _critic("combine", tmp_path / "draft.md", _copy(tmp_path, "bo", marked))[0].decode()
    assert _critic("reject", "-", text=combined.encode())[0].decode() == draft
    accepted = _critic("accept", "-", text=combined.encode())[0].decode()
    labels = dict(re.findall(r"!\[([^]]*)\]\(a.png\)\{#(\w+)\}", accepted))
    assert labels == {"A red hen": "one", "A cat" if "~>cat" in marked else "A dog": "two"}
    assert ("it." in accepted) == ("{++ it++}" in marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Before.\n\n{--![A red hen](a.png)\n\n--}After.\n",
        "Before.\n\n{--![A red hen](a.png){#fig:x width=50%}\n\n--}After.\n",
        "Before.\n\n![A red hen](a.png){#fig:x}\n\n{--![A dog](a.png){#fig:y}\n\n--}After.\n",
        "{--![A red hen](a.png)\n\n--}Before{++ it++}.\n\n![A dog](a.png){#fig:y}\n\nAfter.\n",
    ],
)
def an_image_that_was_deleted_with_its_caption_is_one_deletion(marked, pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    (tmp_path / "draft.md").write_bytes(_critic("reject", "-", text=marked.encode())[0])
    combined = _critic("combine", tmp_path / "draft.md", _copy(tmp_path, "bo", marked))[0].decode()
    assert combined == marked.replace("--}", "--}{>>@bo<<}").replace("++}", "++}{>>@bo<<}")


def _with_caption(copy, caption, is_tracked):
    """Adds a caption to the one image of a document, or deletes its caption if that is None, as Word does."""
    with zipfile.ZipFile(copy) as archive:
        document = archive.read("word/document.xml").decode()
    by = 'w:id="900" w:author="bo"'
    if caption is None:
        start, end = re.search(r'<w:p>(?:(?!</w:p>).)*"ImageCaption"(?:(?!</w:p>).)*</w:p>', document, re.DOTALL).span()
        words = re.findall(r"<w:t[^>]*>([^<]*)", document[start:end])
        runs = "".join(f'<w:r><w:delText xml:space="preserve">{word}</w:delText></w:r>' for word in words)
    else:
        start = end = document.index("</w:p>", document.index("</w:drawing>")) + len("</w:p>")
        runs = f"<w:r><w:t>{caption}</w:t></w:r>"
    change = "del" if caption is None else "ins"
    paragraph = (
        f'<w:p><w:pPr><w:pStyle w:val="ImageCaption"/><w:rPr><w:{change} {by}/></w:rPr></w:pPr>'
        f"<w:{change} {by}>{runs}</w:{change}></w:p>"
    )
    if not is_tracked:
        paragraph = re.sub(r"</?w:ins[^>]*>", "", paragraph) if caption else ""
    document = document[:start] + paragraph + document[end:]
    copy.write_bytes(_with_part(copy.read_bytes(), "word/document.xml", document.encode()))


@pytest.mark.parametrize("is_tracked", [True, False], ids=["tracked", "not tracked"])
@pytest.mark.parametrize("attributes", ["", "{#fig:x}", "{width=50%}"])
@pytest.mark.parametrize("before", ["Before.\n\n", "", "{++Before.\n\n++}"])
def a_caption_that_was_added_or_deleted_is_all_that_changes(before, attributes, is_tracked, pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    name = "bo" if is_tracked else "draft-bo"
    for marks in ["{--A red hen--}", "{++A red hen++}"]:
        is_added = "+" in marks
        if is_added and b" 2." in pandoc("--version").splitlines()[0]:
            # It makes a paragraph of a caption, which nothing in it tells from another one.
            continue
        marked = f"{before}![{marks}](a.png){attributes}\n\nAfter.\n"
        (tmp_path / "draft.md").write_bytes(_critic("reject", "-", text=marked.encode())[0])
        copy = _copy(tmp_path, "bo", marked.replace(marks, "" if is_added else "A red hen"))
        _with_caption(copy, "A red hen" if is_added else None, is_tracked)
        combined = _critic("combine", tmp_path / "draft.md", copy)[0].decode()
        assert combined.replace("{>>@bo<<}", "").replace(f"{{>>@{name}<<}}", "") == marked


@pytest.mark.parametrize(
    "marked", ["Before.\n\n![{--A red hen--}](a.png){#x}\n\nAfter.\n", "![{++A red hen++}](a.png){#x}\n\nAfter{++ it++}.\n"]
)
def a_caption_comes_back_from_an_export_in_its_marks(marked, pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    (tmp_path / "draft.md").write_bytes(_critic("reject", "-", text=marked.encode())[0])
    combined = _critic("combine", tmp_path / "draft.md", _copy(tmp_path, "bo", marked))[0].decode()
    assert combined.replace("{>>@bo<<}", "") == marked


def an_image_whose_file_is_missing_is_told_with_its_line_and_the_document_is_written(pandoc, tmp_path):
    (tmp_path / "draft.md").write_text("One{++ and a half++}.\n\n![A hen](gone.png)\n\nTwo.\n")
    _, errors = _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "draft.md")
    assert re.search(r"draft.md: line 3: pandoc: Could not fetch resource gone.png", errors)
    assert b"A hen" in _critic("import", tmp_path / "a.docx")[0]


def figures_of_one_picture_that_change_places_keep_their_labels(pandoc, tmp_path):
    _put_image(tmp_path / "a.png")
    figures = ["![A red hen](a.png){#one}\n\n", "![A dog](a.png){#two}\n\n"]
    (tmp_path / "draft.md").write_text("".join(figures) + "End.\n")
    copy = _copy(tmp_path, "bo", "".join(reversed(figures)) + "End.\n")
    combined = _critic("combine", tmp_path / "draft.md", copy)[0]
    assert _critic("accept", "-", text=combined)[0].decode() == "".join(reversed(figures)) + "End.\n"


def code_that_looks_like_what_pandoc_writes_by_accident_stays(pandoc, tmp_path):
    code = '<table style="width:100%;">\n<colgroup>\n<figcaption aria-hidden="true">'
    fence = f"``` html\n{code}\n```"
    text = f"Text.\n\n    {code}\n".replace("\n<", "\n    <")
    text += f'\nText.\n\n{fence}\n\nAnd `<figcaption aria-hidden="true">`{{++ too++}}.\n'
    (tmp_path / "a.md").write_text(text)
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    imported = _critic("import", tmp_path / "a.docx")[0].decode()
    # pandoc writes both as code by their indent.
    assert imported.replace("\n    <", "\n<").count(code) == 2
    assert '`<figcaption aria-hidden="true">`' in imported


@pytest.mark.parametrize("is_there", [True, False])
def the_caption_and_the_label_of_an_image_are_in_the_document_or_it_is_said(is_there, pandoc, tmp_path):
    text = "![cap {++new++}](a.png){#fig:x}\n\n![cap](a.png){#fig:y}{++ text++}\n"
    (tmp_path / "a.md").write_text(text)
    if is_there:
        _put_image(tmp_path / "a.png")
    _, errors = _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", tmp_path / "a.md")
    with zipfile.ZipFile(tmp_path / "a.docx") as archive:
        document = archive.read("word/document.xml").decode()
    for label in ["fig:x", "fig:y"]:
        reason = "for the image is not there; put the image there, or give its path from the text"
        said = f"a.md: the label #{label} of an image is not in the document, {reason}\n" in errors
        assert (f'w:name="{label}"' in document) != said
        assert not (said and is_there)
    assert ("ImageCaption" in document) or "replacing image with description" in errors
    words = re.findall(r"(<w:ins [^>]*>)?<w:r>(?:<w:rPr>.*?</w:rPr>)?<w:(?:t|delText)[^>]*>([^<]*)", document)
    assert [(bool(inserted), word) for inserted, word in words][:2] == [(False, "cap"), (True, " new")]


def what_is_no_word_document_is_refused_in_a_sentence(tmp_path):
    document = word_writer.Writer(1).document()
    cases = {
        "text.docx": (b"just text", "not a Word document"),
        "old.docx": (b"\xd0\xcf\x11\xe0rest", "encrypted"),
        "cut.docx": (document[: len(document) // 2], "damaged"),
        "flipped.docx": (document.replace(b"\x50\x4b\x03\x04", b"\x50\x4b\x03\x05"), "damaged"),
    }
    for name, (content, reason) in cases.items():
        (tmp_path / name).write_bytes(content)
        _, errors = _critic("import", tmp_path / name, "-o", tmp_path / "out.md", code=2)
        assert reason in errors and name in errors
        assert not (tmp_path / "out.md").exists()


def a_document_may_unpack_to_a_gigabyte_and_no_byte_more(pandoc, tmp_path):
    document = word_writer.Writer(1).document()
    with zipfile.ZipFile(io.BytesIO(document)) as archive:
        rest = (1 << 30) - sum(part.file_size for part in archive.infolist())
    for name, size, code in [("most.docx", rest, 0), ("more.docx", rest + 1, 2)]:
        content = _claiming(_with_part(document, "word/unread.bin", b"0" * 100), size)
        (tmp_path / name).write_bytes(content)
        _, errors = _critic("import", tmp_path / name, "-o", tmp_path / "out.md", code=code)
        assert (tmp_path / "out.md").exists() == (code == 0)
        (tmp_path / "out.md").unlink(missing_ok=True)
    assert "more.docx: its parts are longer than 1024 MB in all; split it in Word" in errors


def a_document_may_have_eight_million_nodes_and_not_many_more(pandoc, tmp_path):
    # As long as a document that has as many of Word's.
    document = _with_part(word_writer.Writer(1).document(), "word/unread.bin", random.Random(1).randbytes(3 << 20))
    for name, count, code in [("most.docx", (1 << 23) - 10_000, 0), ("more.docx", 1 << 23, 2)]:
        extended = b"<w15:commentsEx" + b' a=""' * count + b"/>"
        (tmp_path / name).write_bytes(_with_part(document, "word/commentsExtended.xml", extended))
        _, errors = _critic("import", tmp_path / name, "-o", tmp_path / "out.md", code=code)
        assert (tmp_path / "out.md").exists() == (code == 0)
        (tmp_path / "out.md").unlink(missing_ok=True)
    assert "more.docx: it has more than 8388608 elements, attributes and texts; split it in Word" in errors


def _most(document, base, by_byte):
    """How much a document may hold that is made to hold as much: a number, and so many for each byte of its file."""
    most = 0
    for _ in range(16):
        most = base + by_byte * len(document(most))
    return most


def _outcomes(cases, tmp_path):
    """What is said of documents that are imported: of the one that may be so, and of the one that may not."""
    most, more = cases
    (tmp_path / "most.docx").write_bytes(most)
    (tmp_path / "more.docx").write_bytes(more)
    _critic("import", tmp_path / "most.docx", "-o", tmp_path / "most.md")
    _, errors = _critic("import", tmp_path / "more.docx", "-o", tmp_path / "more.md", code=2)
    assert not (tmp_path / "more.md").exists()
    return errors.removeprefix(f"critic-lsp: {tmp_path}/").strip()


def a_document_has_no_more_nodes_than_sixteen_for_each_byte_of_its_file(pandoc, tmp_path):
    def document(count):
        return _with_part(
            word_writer.Writer(1).document(), "word/commentsExtended.xml", b"<w15:commentsEx" + b' a=""' * count + b"/>"
        )

    most = _most(document, 1 << 18, 16)
    # Those of the other parts are some hundreds.
    assert _outcomes([document(most - 1000), document(most + 2000)], tmp_path).endswith(
        "elements, attributes and texts; save it anew in Word, or split it"
    )


def a_long_table_of_equal_cells_is_not_too_much_for_its_file(pandoc, tmp_path):
    # As LibreOffice writes it.
    borders = b"".join(b'<w:%s w:val="single" w:sz="4"/>' % side for side in [b"top", b"left", b"bottom"])
    cell = (
        b'<w:tc><w:tcPr><w:tcW w:w="964" w:type="dxa"/><w:tcBorders>' + borders + b"</w:tcBorders></w:tcPr><w:p><w:pPr>"
        b'<w:pStyle w:val="TableContents"/><w:widowControl w:val="false"/><w:rPr></w:rPr></w:pPr></w:p></w:tc>'
    )
    row = b"<w:tr><w:trPr></w:trPr>" + cell * 10 + b"</w:tr>"
    body = b"<w:body><w:tbl><w:tblPr/><w:tblGrid/>" + row * 1000 + b"</w:tbl><w:p/></w:body></w:document>"
    space = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    document = _with_part(word_writer.Writer(1).document(), "word/document.xml", space + body)
    (tmp_path / "table.docx").write_bytes(document)
    _critic("import", tmp_path / "table.docx", "-o", tmp_path / "table.md")
    assert (tmp_path / "table.md").exists()


def the_text_of_a_document_is_no_longer_than_256_times_its_file(pandoc, tmp_path):
    def document(count):
        return _with_part(
            word_writer.Writer(1).document(), "word/commentsExtended.xml", b"<w15:commentsEx>" + b" " * count + b"</w15:commentsEx>"
        )

    most = _most(document, 1 << 24, 256)
    assert _outcomes([document(most - 50_000), document(most + 200_000)], tmp_path) == (
        f"more.docx: its text would be longer than {most >> 20} MB, too much for a file of its length;"
        " save it anew in Word, or split it"
    )


def the_pictures_of_a_document_are_no_longer_than_512_times_its_file(pandoc, tmp_path):
    def document(count):
        return _with_part(word_writer.Writer(1).document(), "word/media/image1.png", b"0" * count)

    most = _most(document, 1 << 24, 512)
    assert _outcomes([document(most - 10_000), document(most + 100_000)], tmp_path).endswith(
        "too much for a file of its length; save it anew in Word, or split it"
    )


def _with_part(document, name, content):
    """The document with one part put last, in place of one of that name."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as old, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            if part != name:
                new.writestr(part, old.read(part))
        new.writestr(name, content)
    return result.getvalue()


def _claiming(document, size):
    """The document with another length of its last part in the directory."""
    at = document.rindex(b"PK\1\2") + 24
    return document[:at] + size.to_bytes(4, "little") + document[at + 4:]


def without_pandoc_nothing_is_written_and_the_remedy_is_said(tmp_path, monkeypatch):
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(1).document())
    monkeypatch.setenv("PATH", str(tmp_path))
    _, errors = _critic("import", tmp_path / "a.docx", "-o", tmp_path / "out.md", code=2)
    assert "apt install pandoc" in errors
    assert not (tmp_path / "out.md").exists()
