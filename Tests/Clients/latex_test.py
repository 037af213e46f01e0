"""Every construct of pandoc's Markdown, deleted, added, replaced, highlighted and commented, is LaTeX that compiles and shows its words."""

import base64
import itertools
import os
import re
import shutil
import subprocess

import pytest

from word_test import _PANDOCS, _critic, pandoc  # noqa: F401

# LuaLaTeX takes several times as long, and reads what pdfLaTeX reads: one version of pandoc is enough for it.
_ENGINES = [*(("pdflatex", folder) for folder in _PANDOCS or [None]), ("lualatex", (_PANDOCS or [None])[-1])]

_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_FRONT = r"""---
title: T
documentclass: book
toc: true
header-includes:
- \usepackage{graphicx}
- \hyphenpenalty=10000
---

# Chapter {--old--} {~~one~>two~~}{>>@ada: why<<}

"""

# `W` is a word of its own in each place. Where the construct shows none, it is `x`.
_INLINES = {
    "words": "W and x",
    "emphasis": "*W*",
    "bold in emphasis": "***W* x** y",
    "emphasis of many words": "*W " + "lorem " * 30 + "x*",
    "struck out": "a ~~W *x* $y$~~ b",
    "small capitals": "[W]{.smallcaps}",
    "underlined": "[W x]{.underline}",
    "marked": "[W x]{.mark}",
    "superscript": "x^W^",
    "subscript": "x~W~",
    "code": r"`W_{% \`",
    "code of a language": "`W = 1`{.python}",
    "formula": r"$x_{\mathrm{W}} = y < z$",
    "formulas": r"$a$, $\frac{\mathrm{W}}{c}$",
    "rows in a formula": r"$\begin{aligned}\mathrm{W} &= b \\ c &= d\end{aligned}$",
    "displayed formula": r"$$\mathrm{W} = b$$",
    "rows in a displayed formula": r"$$\begin{aligned}\mathrm{W} &= b \\ c &= d\end{aligned}$$",
    "displayed formula in bold": r"**x $$\mathrm{W} = b$$ y**",
    "quotes": "“W” 'x' \"y\"",
    "link": "[W 5% x](http://a.b/c_d%20e#f)",
    "address": "<http://example.org/W_x>",
    "link with code and an identifier": "[`W_`](http://a.b){#linkN} *x*",
    "link to a heading": "[W](#first)",
    "image": "![x](picture.png) W",
    "image of a size": "![x](picture.png){width=20%} W",
    "image in a link": "[![x](picture.png)](http://a.b) W",
    "citation": "[@W, p. 3]",
    "citation in the text": "@W says",
    "note": "x^[W `c` $x$]",
    "note in emphasis": "a *x^[W]* b",
    "note by its label": "W[^fn]",
    "hard line break": "W\\\nx",
    "line break in a link": "[W\\\nW](http://a.b)",
    "line break in emphasis in a link": "[*W\\\nW*](http://a.b)",
    "line break in what is struck out": "~~W\\\nW~~",
    "line break in emphasis": "*W\\\nW*",
    "two lines": "x\ny W",
    "identifier": "[W]{#idN}",
    "html": "<b>W</b><br>x",
    "html comment": "W<!-- c -->",
    "emphasis of LaTeX": r"\emph{W}",
    "other LaTeX": r"W\newpage x\label{l}\ref{l}\index{x}",
    "citation of LaTeX": r"W\cite{k}",
    "note of LaTeX": r"x\footnote{W}",
    "verbatim LaTeX": r"\verb|W|",
    "equation of LaTeX": r"W \begin{equation}x\end{equation} y",
    "raw inline": r"W`\LaTeX{}`{=latex}`<b>`{=html}",
    "letters": "W Äßé€½—…ñ",
    "entities": "W&copy;&nbsp;x",
    "escapes": r"W \# % & \_ \$ \^ \~ \{ \} \\ x",
    "non-breaking space": r"W\ x",
}
_BLOCKS = {
    "paragraph": "W x.",
    "paragraphs": "W x.\n\nSecond y.",
    "heading": "# W",
    "heading with a note": "### W *x*^[y]",
    "fenced code": "```\nW {x} % \\end{verbatim\n```",
    "code of a language": '```python\nW = "{%" # x\n```',
    "indented code": "    W {x}",
    "quote": "> W x\n> y",
    "quote with code": "> W\n>\n> ```\n> x\n> ```",
    "list": "- W\n- x\n  - y",
    "list with paragraphs": "- W\n\n  x\n\n- y",
    "list with code": "- W\n\n  ```\n  x\n  ```",
    "list with a table": "- W\n\n  | a | b |\n  |---|---|\n  | c | d |",
    "numbered list": "1. W\n2. x",
    "tasks": "- [ ] W\n- [x] y",
    "examples": "(@) W",
    "definitions": "W\n:   x y\n\nz\n:   q",
    "lines": "| W\n|  x y",
    "table": "| W | b |\n|---|---|\n| c | d |",
    "simple table": "W      b\n-----  ---\nc      d",
    "grid table": "+-----+-----+\n| a   | b   |\n+=====+=====+\n| W | - d |\n+-----+-----+",
    "table with a caption": "| W | b |\n|---|---|\n| c | d |\n\n: x",
    "wide table": "| W | b |\n|---|---|\n| " + "long words " * 20 + "| d |",
    "html table": "<table><tr><td>W</td></tr></table>",
    "formula": r"$$\mathrm{W} = b$$",
    "formula in a paragraph": "W $$a=b$$ x",
    "figure": "![W x](picture.png)",
    "rule": "* * *\n\nW",
    "environment of LaTeX": "\\begin{center}\nW\n\\end{center}",
    "formula of LaTeX": "\\begin{align}\n\\mathrm{W} &= b\n\\end{align}",
    "page break": "\\newpage\n\nW",
    "html": "<div>W</div>",
    "division": "::: note\nW\n:::",
    "html comment": "<!-- x -->\n\nW",
    "paragraph with notes": "W^[x] y[^fn].",
}
# `M` is what is marked, `N` another label in each place.
_PLACES = {
    "alone": "M",
    "heading": "## Lead M tail",
    "cell": "| a | b |\n|---|---|\n| Lead M tail | d |",
    "head of a table": "| Lead M tail | b |\n|---|---|\n| c | d |",
    "caption of a table": "| a | b |\n|---|---|\n| c | d |\n\n: Lead M tail",
    "caption of a figure": "![Lead M tail](picture.png)",
    "note": "Text[^N].\n\n[^N]: Lead M tail.",
    "item": "- Lead M tail\n- y",
    "quote": "> Lead M tail",
    "term": "Lead M tail\n:   x",
    "definition": "x\n:   Lead M tail",
    "lines": "| Lead M tail\n| x",
    "emphasis": "x **Lead M tail**",
    "struck out": "x ~~Lead M tail~~",
    "small capitals": "[Lead M tail]{.smallcaps}",
    "marked": "[Lead M tail]{.mark}",
    "link": "[Lead M tail](http://a.b)",
}
_IN_PLACES = ["words", "code", "formula", "link", "note"]
_MARKS = ["{--X--}", "{++X++}", "{~~X~>X~~}", "{==X==}{>>@ada: X<<}", "X{>>@bo: X<<}"]
_BLOCK_MARKS = ["{--X\n\n--}", "{++X\n\n++}", "{~~X\n\n~>X\n\n~~}", "{==X==}{>>@ada: X<<}", "X{>>@bo: X<<}"]


class _Cells:
    """What is exported, piece by piece: its name, its Markdown, its words, and pairs that must not touch."""

    def __init__(self):
        self.all = []
        self._words = 0

    def add(self, name, frame, mark, text):
        said = re.search(r"\{>>.*<<\}|$", mark).start()
        # What somebody says is no Markdown.
        marked = mark[:said].replace("X", text) + mark[said:].replace("X", "W")
        words = []
        joined = []

        def word(found):
            # None is a part of another one, and none has letters that fonts join.
            words.append("q" + "".join("abcdeghkmnop"[self._words // 12**place % 12] for place in (2, 1, 0)) + "z")
            self._words += 1
            if found.string[: found.start()].endswith("W\\\n"):
                joined.append(words[-2] + words[-1])
            return words[-1]

        markdown = re.sub(r"\bW(?![a-z])", word, frame.replace("M", marked)).replace("N", f"label{len(self.all)}")
        self.all.append((f"{name}: {mark!r}", markdown, words, joined))


def _cells(part):
    cells = _Cells()
    for (name, text), mark in itertools.product(_BLOCKS.items(), _BLOCK_MARKS):
        # Headings are among what is compiled twice.
        if part == ("places" if name.startswith("heading") else "blocks"):
            cells.add(name, "Before.\n\nM\n\nAfter.", mark, text)
    if part == "inlines":
        for (name, text), mark in itertools.product(_INLINES.items(), _MARKS):
            cells.add(name, "Lead M tail.", mark, text)
    elif part == "places":
        for (place, frame), name, mark in itertools.product(_PLACES.items(), _IN_PLACES, _MARKS):
            # What pandoc's LaTeX does not show anyway.
            if name != "note" or place not in ("note", "term"):
                cells.add(f"{name} in {place}", frame, mark, _INLINES[name])
    return cells.all


def _fault(cells, engine, folder, times):
    """What is wrong with the document of some cells; nothing if it compiles so many times and shows all their words."""
    (folder / "a.md").write_text(_FRONT + "\n\n<!-- -->\n\n".join(text for _, text, *_ in cells) + "\n\n[^fn]: A note.\n")
    _critic("export", "--to", "latex", "-o", folder / "a.tex", folder / "a.md")
    for left in folder.glob("a.*"):
        if left.suffix not in (".md", ".tex"):
            left.unlink()
    for _ in range(times):
        made = subprocess.run(
            [engine, "-interaction=nonstopmode", "-halt-on-error", "a.tex"], cwd=folder, capture_output=True, timeout=250
        )
        if made.returncode != 0:
            said = made.stdout.decode(errors="replace")
            return said[max(said.find("\n!"), 0) :][:800]
    shown = subprocess.run(["pdftotext", "a.pdf", "-"], cwd=folder, capture_output=True, check=True).stdout.decode()
    touching = [two for *_, joined in cells for two in joined if two in shown]
    shown = "".join(shown.split())
    return " ".join([word for *_, words, _ in cells for word in words if word not in shown] + touching)


def _faults(cells, engine, folder, times, most=3):
    """What is wrong, with the name and the text of the first cells, found by halves."""
    said = _fault(cells, engine, folder, times)
    if not said:
        return []
    if len(cells) == 1:
        return [f"{cells[0][0]}\n{cells[0][1]}\n{said}"]
    half = len(cells) // 2
    found = _faults(cells[:half], engine, folder, times, most)
    if len(found) < most:
        found += _faults(cells[half:], engine, folder, times, most - len(found))
    return found or [f"together: {said}"]


def _need(engine):
    # In a CI they have to be there.
    if "CI" not in os.environ and not all(map(shutil.which, (engine, "pdftotext"))):
        pytest.skip(f"{engine} or pdftotext is not installed")


@pytest.mark.parametrize("part", ["inlines", "places", "blocks"])
@pytest.mark.parametrize(
    "engine, pandoc",
    _ENGINES,
    indirect=["pandoc"],
    ids=[f"{engine}-{number}" for number, (engine, _) in enumerate(_ENGINES)],
)
def every_construct_compiles_and_shows_its_words(engine, part, pandoc, tmp_path):
    _need(engine)
    (tmp_path / "picture.png").write_bytes(_PICTURE)
    # The second time the headings are read from the list of contents.
    times = 2 if part == "places" and engine == "pdflatex" else 1
    assert not _faults(_cells(part), engine, tmp_path, times)


@pytest.mark.parametrize("pandoc", (_PANDOCS or [None])[:1], indirect=True, ids=["installed"])
def many_comments_in_one_paragraph_compile(pandoc, tmp_path):
    _need("pdflatex")
    text = "Lead" + "".join(f" x{{>>@ada: y{number}<<}}" for number in range(200))
    assert not _fault([("comments", text, ["Lead"], [])], "pdflatex", tmp_path, 1)
