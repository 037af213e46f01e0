"""What docs/fidelity.md says that each format keeps of a construct is what comes out of an export, and back where there is a way back."""

import re
import subprocess
from pathlib import Path

import pytest

from conftest import SERVER, TOP
from latex_test import _PICTURE
from odt_test import _needs_office
from word_test import _PANDOCS, _critic, _readings, _seen, pandoc  # noqa: F401

_PAGE = Path(TOP, "docs/fidelity.md").read_text()
# What LibreOffice does not hold without its part for formulas is refused.
_MATH = "with LibreOffice Math"
_FORMATS = ["docx", "odt", "html", "latex"]


def _rows():
    """The rows of the table of what is kept: the construct, its Markdown, and the cells by their formats."""
    section = _PAGE.split("\n## What each format keeps\n")[1].split("\n## ")[0]
    rows = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 2 + len(_FORMATS) and cells[1].startswith("`"):
            text = cells[1].strip("`").strip(" ").replace("\\|", "|").replace("⏎", "\n")
            rows.append((cells[0], text + "\n", dict(zip(_FORMATS, cells[2:]))))
    return rows


def _both(pandoc, path):
    return [_seen(pandoc, text) for _, text in _readings(path)]


def _of_office(form, pandoc, folder):
    command = [*SERVER, "export", "--to", form, "-o", folder / f"a.{form}", folder / "a.md"]
    exported = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if form == "odt" and "LibreOffice Math" in exported.stderr:
        return _MATH
    assert exported.returncode == 0, exported.stderr
    imported = _critic("import", folder / f"a.{form}")[0].decode()
    text = (folder / "a.md").read_text()
    back = re.sub(r"(?m)^criticmark: .*\n", "", imported)
    back = re.sub(r"\A---\n---\n\n", "", back)
    if back == text:
        return "the same"
    if "<img" in back and "<img" not in text:
        return "in HTML" if "nova" in back else "no"
    (folder / "b.md").write_text(back)
    (clean, original), (old_clean, old_original) = (_both(pandoc, folder / name) for name in ("b.md", "a.md"))
    if clean != old_clean:
        return "no"
    return "tracked" if original == old_original and re.search(r"\{[+~=>-]{2}", back) else "text"


def _of_page(folder):
    page = _critic("export", "--to", "html", folder / "a.md")[0].decode()
    text, entries = re.search(r"<main.*?</main>", page, re.DOTALL)[0], re.search(r"<aside.*?</aside>", page, re.DOTALL)[0]
    return _shown(
        text,
        " ".join(re.findall(r"<ins.*?</ins>", text, re.DOTALL)),
        " ".join(re.findall(r"<del.*?</del>", text, re.DOTALL)),
        entries,
        " ".join(re.findall(r"<mark.*?</mark>", text, re.DOTALL)),
        (folder / "a.md").read_text(),
    )


def _argument(text, start):
    """The argument of a command that begins at a brace, and where it ends."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start : at + 1], at + 1
    return text[start:], len(text)


def _of_latex(folder):
    document = _critic("export", "--to", "latex", folder / "a.md")[0].decode().split("\\begin{document}")[1]
    found = {"added": "", "deleted": "", "comment": "", "highlight": ""}
    for command in re.finditer(r"\\(added|deleted|replaced|comment|highlight)(?:by\{\d+\}|\[[^]]*\])?(?=\{)", document):
        kind = command[1]
        first, end = _argument(document, command.end())
        if kind == "replaced":
            found["added"] += first
            found["deleted"] += _argument(document, end)[0]
        else:
            found[kind] += first
    # Around blocks stand two signs.
    for kind in ("added", "deleted"):
        signs = rf"\\{kind}(?:by\{{\d+\}})?\{{\$\\lceil\$.*?\\{kind}(?:by\{{\d+\}})?\{{\$\\rfloor\$\}}"
        found[kind] += " ".join(re.findall(signs, document, re.DOTALL))
    return _shown(document, *found.values(), (folder / "a.md").read_text())


def _shown(text, added, deleted, said, highlighted, markdown):
    """How the words of a text are shown that are new, old, said and highlighted."""
    stretches = [("nova", added), ("vetus", deleted), ("dicta", said), ("lumen", highlighted)]
    words = [(word, stretch) for word, stretch in stretches if word in markdown]
    assert words
    if all(word in stretch for word, stretch in words):
        return "marked"
    return "text" if ("nova" in text or "nova" not in markdown) and "vetus" not in text else "no"


# One version of pandoc is enough for what LibreOffice makes of its documents.
_CASES = [(folder, form) for form in _FORMATS for folder in (_PANDOCS[:1] if form == "odt" else _PANDOCS) or [None]]
_ROWS = _rows()


@pytest.mark.parametrize(
    "pandoc, form", _CASES, indirect=["pandoc"], ids=[f"{form}-{number}" for number, (_, form) in enumerate(_CASES)]
)
@pytest.mark.parametrize("name, text, cells", _ROWS, ids=[name for name, *_ in _ROWS])
def a_cell_says_what_is_kept(name, text, cells, form, pandoc, tmp_path):
    if form == "odt":
        _needs_office()
    (tmp_path / "a.png").write_bytes(_PICTURE)
    (tmp_path / "a.md").write_text(text)
    of = {"html": _of_page, "latex": _of_latex}.get(form)
    kept = of(tmp_path) if of else _of_office(form, pandoc, tmp_path)
    assert kept == cells[form] or (kept, cells[form]) == ("the same", _MATH)


def the_table_has_rows():
    assert len(_ROWS) > 20
