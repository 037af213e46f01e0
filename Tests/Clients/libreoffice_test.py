"""Documents in which LibreOffice has recorded changes become Markdown, and it shows those that are made of that as they are."""

import json
import os
import shutil
import subprocess
import zipfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from conftest import TOP
import word_oracle
import word_writer
from word_test import _comments, _critic, _of_word, _readings, _seen

# The module for LibreOffice is the system's, and not one of pytest's Python.
_OFFICE = ["/usr/bin/python3", str(Path(TOP, "Tests/Word/libreoffice"))]
_COUNT = 16
_W = word_oracle.W
_READS = "markdown-smart+lists_without_preceding_blankline"


def _is_there():
    probe = ["/usr/bin/python3", "-c", "import uno"]
    return all(map(shutil.which, ("soffice", "pandoc"))) and subprocess.run(probe, capture_output=True).returncode == 0


def _pandoc(*arguments, text=None):
    return subprocess.run(["pandoc", *arguments], input=text, capture_output=True, check=True, timeout=60).stdout


def _words(text):
    """The words of a text; items, columns and rules are written in several ways."""
    return [word for word in text.split() if word.strip("-–•")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with documents of LibreOffice, and our text of each."""
    # In a CI it has to be there.
    if "CI" not in os.environ and not _is_there():
        pytest.skip("LibreOffice, its module for the system's Python or pandoc is not installed")
    folder = tmp_path_factory.mktemp("office")
    subprocess.run([*_OFFICE, "make", folder, str(_COUNT)], check=True, timeout=120)
    # A text beside its document gets its styles.
    (folder / "texts").mkdir()
    for number in range(1, _COUNT + 1):
        _critic("import", folder / f"{number}.docx", "-o", folder / f"texts/{number}.md")
    return folder


@pytest.fixture(scope="module")
def shown(made):
    """What LibreOffice shows of the documents that we make of the texts, and of those that pandoc makes of both readings."""
    paths = []
    for number in range(1, _COUNT + 1):
        text = made / f"texts/{number}.md"
        paths.append(made / f"{number}-ours.docx")
        _critic("export", "--to", "docx", "-o", paths[-1], text)
        for accepted, reading in _readings(text):
            paths.append(made / f"{number}-{accepted}.docx")
            _pandoc("-f", _READS, "-t", "docx", "-o", paths[-1], text=reading)
    looked = subprocess.run([*_OFFICE, "look", *paths], check=True, capture_output=True, timeout=180)
    lines = [json.loads(line) for line in looked.stdout.splitlines()]
    return {path.stem: line for path, line in zip(paths, lines, strict=True)}


@pytest.mark.parametrize("number", range(1, _COUNT + 1))
def what_libreoffice_recorded_reads_as_it_reads_it_and_no_comment_is_lost(number, made):
    document = (made / f"{number}.docx").read_bytes()
    for accepted, text in _readings(made / f"texts/{number}.md"):
        assert _seen(_pandoc, text) == _of_word(_pandoc, word_oracle.resolve(document, accepted))
        resolved = (made / f"{number}-{'accepted' if accepted else 'rejected'}.docx").read_bytes()
        assert _words(_seen(_pandoc, text)) == _words(_of_word(_pandoc, resolved))
    said = json.loads((made / f"{number}.json").read_text())
    assert sorted(comment.partition(": ")[2] for comment in _comments(made / f"texts/{number}.md")) == sorted(said)


@pytest.mark.parametrize("change", ["del", "ins"])
def where_the_end_of_a_paragraph_goes_there_is_no_space(change, made, tmp_path):
    mark = f'<w:pPr><w:rPr><w:{change} w:author="bo" w:date="2026-11-20T10:00:00Z"/></w:rPr></w:pPr>'
    body = "".join(f"<w:p>{first}<w:r><w:t>{text}</w:t></w:r></w:p>" for first, text in [(mark, "sun"), ("", "flower")])
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(1).holding(body))
    looked = subprocess.run([*_OFFICE, "look", tmp_path / "a.docx"], check=True, capture_output=True, timeout=120)
    _critic("import", tmp_path / "a.docx", "-o", tmp_path / "a.md")
    for accepted, text in _readings(tmp_path / "a.md"):
        assert _words(_seen(_pandoc, text)) == json.loads(looked.stdout)["accepted" if accepted else "rejected"]


def _tracked(document):
    """How many changes a document has where those that touch, of one kind and author, are one; and whether it deletes a footnote."""
    count, last, deletes = 0, None, False

    def meet(state):
        nonlocal count, last
        count += state is not None and state != last
        last = state

    def walk(element, state):
        nonlocal deletes
        if element.tag in (_W + "ins", _W + "del"):
            state = element.tag, element.get(_W + "author")
        if element.tag == _W + "r" and element.find(_W + "commentReference") is None:
            deletes = deletes or state is not None and element.find(_W + "footnoteReference") is not None
            meet(state)
        for child in element:
            if child.tag not in (_W + "pPr", _W + "rPr"):
                walk(child, state)
        if element.tag == _W + "p":
            marks = element.find(f"{_W}pPr/{_W}rPr")
            mark = next((mark for mark in marks if mark.tag in (_W + "ins", _W + "del")), None) if marks is not None else None
            meet(None if mark is None else (mark.tag, mark.get(_W + "author")))

    with zipfile.ZipFile(document) as archive:
        for name in ("document", "footnotes"):
            last = None
            walk(ElementTree.fromstring(archive.read(f"word/{name}.xml")), None)
    return count, deletes


@pytest.mark.parametrize("number", range(1, _COUNT + 1))
def libreoffice_shows_our_document_with_its_changes_and_comments(number, made, shown):
    ours = shown[f"{number}-ours"]
    count, deletes = _tracked(made / f"{number}-ours.docx")
    for accepted, side in ((True, "accepted"), (False, "rejected")):
        expected = shown[f"{number}-{accepted}"][side]
        # It joins no paragraphs across a footnote that goes, which also parts the change.
        if deletes:
            assert "".join(ours[side]) == "".join(expected)
        else:
            assert ours[side] == expected
    assert ours["comments"] == len(_comments(made / f"texts/{number}.md"))
    assert ours["changes"] == count or deletes and ours["changes"] > count
