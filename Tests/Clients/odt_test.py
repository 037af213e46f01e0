"""LibreOffice's own documents become tracked Markdown and are made of it, as LibreOffice itself reads them."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import zipfile

import pytest

from conftest import SERVER
import word_writer
from libreoffice_test import _OFFICE, _READS, _is_there, _pandoc
from word_test import _KEPT, _comments, _critic, _readings, _seen

# Half of them are edited in LibreOffice, half come from Word.
_RUNS = os.environ.get("RUNS", "1x")
_COUNT = 3 * int(_RUNS[:-1]) if _RUNS.endswith("x") else int(_RUNS)
_EDITED = range(1, _COUNT // 2 + 1)
_NAMES = [*(str(number) for number in _EDITED), *(f"word-{seed}" for seed in range(_COUNT - len(_EDITED)))]
_SIDES = {True: "accepted", False: "rejected"}


def _needs_office():
    # In a CI it has to be there.
    if "CI" not in os.environ and not _is_there():
        pytest.skip("LibreOffice, its module for the system's Python or pandoc is not installed")


def _office(*arguments):
    return subprocess.run([*_OFFICE, *map(str, arguments)], check=True, capture_output=True, timeout=60 + 20 * _COUNT).stdout


def _to_odt(folder, sources):
    """Has LibreOffice make an .odt of each of some documents, in a folder."""
    subprocess.run(
        ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/other", "--convert-to", "odt:writer8", "--outdir",
         folder, *sources], check=True, capture_output=True, timeout=60 + 20 * len(sources))


def _said(made, name):
    """What the comments of a document say."""
    return json.loads((made / "comments.json").read_text())[name]


def _letters(text):
    """The letters of a text: pandoc reads spaces and signs of an .odt differently where formatting changes."""
    # It also reads what looks like an entity as one, but for code, of which an .odt has none.
    return [sign for sign in text.replace("&amp;", "&") if sign.isalnum()]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A small .odt of ours, and its text beside it."""
    _needs_office()
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.md").write_text("# Head\n\nText, {++added++}.\n")
    _critic("export", "--to", "odt", "-o", folder / "plain.odt", folder / "plain.md")
    return folder / "plain.odt"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with documents of LibreOffice, each also with everything accepted and rejected there, and our text of each."""
    _needs_office()
    folder = tmp_path_factory.mktemp("office")
    _office("make", folder, len(_EDITED))
    comments = {str(number): json.loads((folder / f"{number}.json").read_text()) for number in _EDITED}
    sources = [folder / f"{number}.fodt" for number in _EDITED]
    for seed in range(_COUNT - len(_EDITED)):
        writer = word_writer.Writer(seed, people=1 + seed % 3)
        sources.append(folder / f"word-{seed}.docx")
        sources[-1].write_bytes(writer.document())
        comments[f"word-{seed}"] = writer.comments
    _to_odt(folder, sources)
    _office("settle", *(folder / f"{name}.odt" for name in _NAMES))
    # A text beside its document gets its styles.
    (folder / "texts").mkdir()
    for name in _NAMES:
        _, errors = _critic("import", folder / f"{name}.odt", "-o", folder / f"texts/{name}.md")
        (folder / f"texts/{name}.errors").write_text(errors)
        _critic("export", "--to", "odt", "-o", folder / f"{name}-ours.odt", folder / f"texts/{name}.md")
    (folder / "comments.json").write_text(json.dumps(comments))
    return folder


@pytest.fixture(scope="module")
def shown(made):
    """What LibreOffice shows of the documents that we make of the texts, and of those that pandoc makes of both readings."""
    paths = []
    for name in _NAMES:
        text = made / f"texts/{name}.md"
        paths.append(made / f"{name}-ours.odt")
        for accepted, reading in _readings(text):
            paths.append(made / f"{name}-{accepted}.docx")
            _pandoc("-f", _READS, "-t", "docx", "-o", paths[-1], text=reading)
    lines = [json.loads(line) for line in _office("look", *paths).splitlines()]
    return {path.stem: line for path, line in zip(paths, lines, strict=True)}


@pytest.mark.parametrize("name", _NAMES)
def an_odt_reads_as_libreoffice_settles_it_and_no_comment_is_lost(name, made):
    text = made / f"texts/{name}.md"
    for accepted, reading in _readings(text):
        if not accepted and "had added before it was deleted" in (made / f"texts/{name}.errors").read_text():
            continue
        settled = _pandoc("-f", "odt", "-t", "plain", "--wrap=none", made / f"{name}-{_SIDES[accepted]}.odt").decode()
        assert _letters(_seen(_pandoc, reading)) == _letters(settled)
    said = [comment.partition(": ")[2] for comment in _comments(text)]
    assert sorted(said) == sorted(_said(made, name))


@pytest.mark.parametrize("name", _NAMES)
def libreoffice_settles_our_odt_as_the_text_is_settled(name, made, shown):
    ours = shown[f"{name}-ours"]
    for accepted, side in _SIDES.items():
        assert _letters("".join(ours[side])) == _letters("".join(shown[f"{name}-{accepted}"][side]))
    assert ours["comments"] == len(_said(made, name))


@pytest.mark.parametrize("name", _NAMES)
def a_text_comes_back_from_an_odt_as_from_a_docx(name, made, tmp_path):
    text = made / f"texts/{name}.md"
    _critic("export", "--to", "docx", "-o", tmp_path / "a.docx", text)
    _critic("import", tmp_path / "a.docx", "-o", tmp_path / "a.md")
    returns = (tmp_path / "a.md").read_text() == text.read_text()
    # Where a mark cuts a list or a heading in two, neither does; in the first document none does.
    assert returns or name != "1"
    if returns:
        _critic("import", made / f"{name}-ours.odt", "-o", tmp_path / "b.md")
        assert (tmp_path / "b.md").read_text() == text.read_text()


_LISTED = """---
criticmark: {author: "bo"}
---

Some {==words==}{>>@ada: [resolved] first<<}{>>@bo: an answer<<}{>>@cy: a third ¶ of two paragraphs<<}, {==more==}{>>@ada: open<<}{>>@bo: yes<<} and {++new ++}{>>@cy: why?<<}text.

1.  one
2.  two
    -   nested
    -   {++also++}
3.  three

A note[^1], {==a remark==}{>>@ada: between<<} and {--another --}one[^2].

| a   | b        |
|-----|----------|
| c   | {++d++} |

[^1]: The first{++, changed++}.

[^2]: The second.
"""


def threads_lists_notes_and_tables_stay_what_they_are(tmp_path):
    _needs_office()
    (tmp_path / "a.md").write_text(_LISTED)
    texts = []
    for form in ("docx", "odt"):
        _critic("export", "--to", form, "-o", tmp_path / f"a.{form}", tmp_path / "a.md")
        texts.append(_critic("import", tmp_path / f"a.{form}")[0].decode())
    # LibreOffice 7.4 mixes up the notes of a Word document that has a comment between them.
    assert texts[0] == texts[1]
    assert "{==words==}{>>@ada: [resolved] first<<}{>>@bo: an answer<<}{>>@cy: a third ¶ of two paragraphs<<}" in texts[1]


def what_the_format_cannot_hold_is_said(tmp_path):
    _needs_office()
    (tmp_path / "a.md").write_text("{++# ++}A heading\n\n{++# ++}Another\n")
    _, errors = _critic("export", "--to", "odt", "-o", tmp_path / "a.odt", tmp_path / "a.md")
    assert "a.md: 2 changes between heading, list item and paragraph were taken as accepted" in errors
    (tmp_path / "b.md").write_text("A formula $a^2 + b$.\n")
    arguments = ["export", "--to", "odt", "-o", tmp_path / "b.odt", tmp_path / "b.md"]
    outcome = subprocess.run([*SERVER, *map(str, arguments)], capture_output=True, timeout=120)
    # LibreOffice can be installed without what reads formulas.
    if outcome.returncode == 0:
        assert "$a^{2} + b$" in _critic("import", tmp_path / "b.odt")[0].decode()
    else:
        assert b"its formulas would be lost" in outcome.stderr and not (tmp_path / "b.odt").exists()
    (tmp_path / "c.md").write_text("A note[^1].\n\n[^1]: In it.\n")
    _critic("export", "--to", "odt", "-o", tmp_path / "c.odt", tmp_path / "c.md")
    remark = b"In it.<office:annotation><dc:creator>Ada</dc:creator><text:p>why</text:p></office:annotation>"
    _changed(tmp_path / "c.odt", tmp_path / "d.odt", content=lambda part: part.replace(b"In it.", remark))
    text, errors = _critic("import", tmp_path / "d.odt")
    assert b"In it." in text and "d.odt: 1 comment in footnotes left out by LibreOffice" in errors
    linked = b'In it.<draw:frame text:anchor-type="as-char"><draw:image xlink:href="../a.png" xlink:type="simple"/></draw:frame>'
    _changed(tmp_path / "c.odt", tmp_path / "e.odt", content=lambda part: part.replace(b"In it.", linked))
    text, errors = _critic("import", tmp_path / "e.odt")
    assert b"In it." in text and "e.odt: 1 picture left out" in errors


def one_edit_in_an_odt_copy_stays_one_edit(tmp_path):
    _needs_office()
    (tmp_path / "draft.md").write_text(_KEPT)
    edited = _KEPT.replace("was wrapped", "{~~was~>is~~} wrapped")
    (tmp_path / "copy.md").write_text(edited)
    _critic("export", "--to", "odt", "-o", tmp_path / "draft-bo.odt", tmp_path / "copy.md")
    combined, errors = _critic("combine", tmp_path / "draft.md", tmp_path / "draft-bo.odt")
    assert re.sub(r"\{>>@[^<]*<<\}", "", combined.decode()) == edited, errors


def _changed(path, target, **changes):
    """A copy of a document in which functions change parts, by the ends of their names."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            stem = os.path.splitext(os.path.basename(name))[0]
            new.writestr(name, changes.get(stem, lambda part: part)(old.read(name)))


def what_is_no_odt_or_encrypted_is_refused_in_a_sentence(plain, tmp_path):
    (tmp_path / "text.odt").write_text("just text")
    _changed(plain, tmp_path / "sheet.odt", mimetype=lambda part: part.replace(b"text", b"spreadsheet"))
    _changed(
        plain, tmp_path / "locked.odt",
        manifest=lambda part: part.replace(b"</manifest:manifest>", b"<manifest:encryption-data/></manifest:manifest>"))
    _changed(plain, tmp_path / "damaged.odt", content=lambda part: part[:100])
    reasons = {"text": "not a Word document", "sheet": "not a text", "locked": "encrypted", "damaged": "cannot read it"}
    for name, reason in reasons.items():
        _, errors = _critic("import", tmp_path / f"{name}.odt", "-o", tmp_path / "out.md", code=2)
        assert reason in errors and f"{name}.odt" in errors
        assert not (tmp_path / "out.md").exists()


def without_libreoffice_nothing_is_written_and_the_remedy_is_said(plain, tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/pandoc").symlink_to(shutil.which("pandoc"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for arguments in (["import", plain], ["export", "--to", "odt", plain.with_suffix(".md")]):
        _, errors = _critic(*arguments, "-o", tmp_path / "out", code=2)
        assert "LibreOffice is not installed" in errors and "apt install" in errors
        assert not (tmp_path / "out").exists()


_MACRO = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" script:language="StarBasic">Sub Main
Open "%s" For Output As #1
Close #1
End Sub
</script:module>"""
_LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<library:%s xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false">%s</library:%s>"""


def nothing_that_an_odt_names_is_run_or_read(plain, tmp_path):
    (tmp_path / "secret.txt").write_text("a secret")
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.1)
    image = f"http://127.0.0.1:{server.getsockname()[1]}/a.png"
    listener = (
        b'<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load"'
        b' xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xlink:type="simple"'
        b' xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/></office:event-listeners>'
        b"</office:scripts>")
    linked = (
        f'<text:section text:name="s"><text:section-source xlink:href="file://{tmp_path}/secret.txt"/><text:p>old</text:p>'
        '</text:section><text:p><draw:frame draw:name="x" text:anchor-type="as-char" svg:width="1cm" svg:height="1cm">'
        f'<draw:image xlink:href="{image}" xlink:type="simple"/></draw:frame></text:p></office:text>')
    basic = "".join(
        f'<manifest:file-entry manifest:full-path="Basic/{name}.xml" manifest:media-type="text/xml"/>'
        for name in ("script-lc", "Standard/script-lb", "Standard/M"))

    def with_links(part):
        part = part.replace(b"<office:scripts/>", b"").replace(b"<office:font-face-decls", listener + b"<office:font-face-decls", 1)
        return part.replace(b"</office:text>", linked.encode())

    _changed(
        plain, tmp_path / "b.odt", content=with_links,
        manifest=lambda part: part.replace(b"</manifest:manifest>", basic.encode() + b"</manifest:manifest>"))
    with zipfile.ZipFile(tmp_path / "b.odt", "a") as archive:
        library = '<library:library library:name="Standard" library:link="false"/>'
        archive.writestr("Basic/script-lc.xml", _LIBRARY % ("libraries", library, "libraries"))
        module = '<library:element library:name="M"/>'
        archive.writestr("Basic/Standard/script-lb.xml", _LIBRARY % ("library", module, "library"))
        archive.writestr("Basic/Standard/M.xml", _MACRO % (tmp_path / "ran"))
    text = _critic("import", tmp_path / "b.odt")[0].decode()
    assert "old" in text and "secret" not in text
    assert not (tmp_path / "ran").exists()
    with server, pytest.raises(TimeoutError):
        server.accept()


def styles_come_from_the_odt_beside_the_text(plain, tmp_path):
    (tmp_path / "a.md").write_bytes(plain.with_suffix(".md").read_bytes())
    _changed(
        plain, tmp_path / "a.odt",
        styles=lambda part: re.sub(rb'(?s)(style:name="Heading_20_1".*?fo:font-size=")[^"]*', rb"\g<1>31pt", part, count=1))
    _critic("export", "--to", "odt", "-o", tmp_path / "b.odt", tmp_path / "a.md")
    with zipfile.ZipFile(tmp_path / "b.odt") as archive:
        assert b'"31pt"' in archive.read("styles.xml")
    assert "Text, {++added++}" in _critic("import", tmp_path / "b.odt")[0].decode()


def an_odt_without_styles_beside_the_text_is_ignored(plain, tmp_path):
    (tmp_path / "a.md").write_text("Text.\n")
    _changed(
        plain, tmp_path / "locked.odt",
        manifest=lambda part: part.replace(b"</manifest:manifest>", b"<manifest:encryption-data/></manifest:manifest>"))
    for contents in (b"", b"damaged", (tmp_path / "locked.odt").read_bytes()):
        (tmp_path / "a.odt").write_bytes(contents)
        _critic("export", "--to", "odt", "-o", tmp_path / "b.odt", tmp_path / "a.md")
    (tmp_path / "no.odt").write_text("damaged")
    (tmp_path / "a.odt").unlink()
    _, errors = _critic(
        "export", "--to", "odt", "--reference", tmp_path / "no.odt", "-o", tmp_path / "c.odt", tmp_path / "a.md", code=2)
    assert "no.odt: no .odt with styles" in errors


def _commands():
    """The command lines of all processes."""
    lines = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{number}/cmdline") as file:
            lines.append(file.read())
    return lines


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="the system does not list processes as files")
def a_signal_ends_libreoffice_and_leaves_no_folder(plain, tmp_path):
    command = [*SERVER, "import", plain, "-o", tmp_path / "out.md"]
    importing = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(tmp_path)})
    while not any("soffice.bin" in line and str(tmp_path) in line and "--convert-to" in line for line in _commands()):
        assert importing.poll() is None
        time.sleep(0.01)
    importing.send_signal(signal.SIGTERM)
    assert importing.wait(30) == -signal.SIGTERM
    assert not any("soffice" in line and str(tmp_path) in line for line in _commands())
    assert list(tmp_path.iterdir()) == []


def a_row_is_added_only_if_all_of_its_text_is(tmp_path):
    _needs_office()
    by = 'w:author="bob" w:date="2026-11-12T10:00:00Z"'
    kept, added = "<w:r><w:t>kept</w:t></w:r>", f'<w:ins w:id="2" {by}><w:r><w:t>added</w:t></w:r></w:ins>'
    cells = f"<w:tc><w:p>{kept}{added}</w:p></w:tc>" * 2
    row = f'<w:tr><w:trPr><w:ins w:id="1" {by}/></w:trPr>{cells}</w:tr>'
    table = f"<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>{cells}</w:tr>{row}</w:tbl><w:p>{kept}</w:p>"
    (tmp_path / "a.docx").write_bytes(word_writer.Writer(1).holding(table))
    _to_odt(tmp_path, [tmp_path / "a.docx"])
    _critic("import", tmp_path / "a.odt", "-o", tmp_path / "a.md")
    assert [reading.count(b"kept") for _, reading in _readings(tmp_path / "a.md")] == [5, 5]
