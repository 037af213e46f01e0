"""Tries each tool on each mark and writes the tables of docs/other-tools.md between its two comments."""

import html
import json
import re
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

PROGRAM, PAGE = sys.argv[1], Path(sys.argv[2])

# With a misspelling in most, for what corrects spelling; a formatter has nothing to lay out anew.
PLACES = {
    "addition": "One {++recieve++} three.\n",
    "deletion": "One {--recieve--} three.\n",
    "substitution": "One {~~recieve~>recieved~~} three.\n",
    "highlight": "One {==recieve==} three.\n",
    "comment": "One {>>recieve?<<} three.\n",
    "in a table": "| a | b |\n|---|---|\n| {--recieve--} | {++c++} |\n",
    "in a heading": "# One {--recieve--}{++two++}\n",
    "over paragraphs": "One {++two.\n\nThree++} four.\n",
    "in code": "One `{--two--}` three.\n",
}


def run(command, text="", folder=None):
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder)
    return done.stdout.decode()


def changes(text):
    lines = run([PROGRAM, "changes", "--format", "jsonl", "-"], text).splitlines()
    members = ("kind", "old", "new", "text", "comments")
    return [{member: change[member] for member in members if member in change} for change in map(json.loads, lines)]


def shown(page):
    """The text of a page, without white space."""
    page = re.sub(r"(?s)<(style|script|head)\b.*?</\1>", "", page)
    page = re.sub(r"<!--.*?-->|<[^>]*>", "", page)
    return re.sub(r"\s", "", html.unescape(page))


def rendered(render):
    """What a tool that makes HTML does at each place: the marks stay text, are read as marks, or are neither."""
    cells = []
    for text in PLACES.values():
        page = shown(render(text))
        plain = re.sub(r"\s|^# |\|---|[|`]", "", text)
        cells.append("text" if plain in page else "**altered**" if set("{}") & set(page) else "read")
    return cells


def rewritten(command):
    """What a tool that writes Markdown does at each place, and to the texts without their marks."""
    cells, is_safe = [], True
    for text in PLACES.values():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "draft.md"
            path.write_text(text)
            if "{}" in command:
                run(command.replace("{}", "draft.md").split(), folder=folder)
                result = path.read_text()
            else:
                result = run(command.split(), text)
            cells.append("kept" if changes(result) == changes(text) else "**changed**")
            path.write_text(text)
            script = command if "{}" not in command else f"cat >t.md; {command.replace('{}', 't.md')} >&2; cat t.md"
            run([PROGRAM, "through", "--in-place", "draft.md", "--", "sh", "-c", script], folder=folder)
            (Path(folder) / "before.md").write_text(text)
            check = [PROGRAM, "check", "--original", "before.md", "draft.md"]
            is_safe = is_safe and subprocess.run(check, cwd=folder, stdout=subprocess.DEVNULL).returncode == 0
    return cells + ["safe" if is_safe else "**not safe**"]


def critic(mode):
    import markdown

    options = {"pymdownx.critic": {"mode": mode}}
    return lambda text: markdown.markdown(text, extensions=["pymdownx.critic", "tables"], extension_configs=options)


def renderers():
    import cmarkgfm
    import markdown
    import markdown2
    import marko
    import mistune
    from markdown_it import MarkdownIt

    def mkdocs(text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "docs").mkdir()
            (Path(folder) / "docs/index.md").write_text(text)
            (Path(folder) / "mkdocs.yml").write_text("site_name: s\ntheme:\n  name: material\nplugins: []\n")
            run(["mkdocs", "--quiet", "build"], folder=folder)
            page = (Path(folder) / "site/index.html").read_text()
            return page[page.index("<article") : page.index("</article>")]

    def myst(text):
        return re.search(r"(?s)<main.*</main>|<body.*</body>", run(["myst-docutils-html5", "-"], text)).group()

    yield "cmark-gfm", "cmarkgfm", cmarkgfm.github_flavored_markdown_to_html
    yield "Python-Markdown", "Markdown", lambda text: markdown.markdown(text, extensions=["tables"])
    for mode in ("view", "accept", "reject"):
        yield f"pymdownx.critic, `{mode}`", "pymdown-extensions", critic(mode)
    yield "markdown-it-py", "markdown-it-py", lambda text: MarkdownIt("gfm-like", {"linkify": False}).render(text)
    yield "mistune", "mistune", mistune.create_markdown(plugins=["table", "strikethrough"])
    yield "marko", "marko", lambda text: marko.Markdown(extensions=["gfm"])(text)
    yield "markdown2", "markdown2", lambda text: markdown2.markdown(text, extras=["tables", "strike"])
    yield "MkDocs Material", "mkdocs-material", mkdocs
    yield "MyST", "myst-parser", myst
    import pypandoc

    yield "pandoc to HTML", "pandoc", lambda text: pypandoc.convert_text(text, "html", format="markdown")


def pandoc():
    import pypandoc

    return pypandoc.get_pandoc_path()


def rewriters():
    yield "mdformat", "mdformat", "mdformat {}"
    yield "rumdl fmt", "rumdl", "rumdl fmt {}"
    yield "pymarkdown fix", "pymarkdownlnt", "pymarkdown fix {}"
    yield "pandoc to Markdown", "pandoc", f"{pandoc()} --from markdown --to markdown"
    yield "typos", "typos", "typos --write-changes {}"
    yield "codespell", "codespell", "codespell --write-changes {}"


def numbered(package):
    """The version of a tool; pandoc's own, not that of the package that brings it."""
    return run([pandoc(), "--version"]).split()[1] if package == "pandoc" else version(package)


def table(heads, rows):
    lines = [heads, ["---"] * len(heads)] + list(rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main():
    places = list(PLACES)
    shows = table(
        ["tool", "version", *places],
        ([name, numbered(package), *rendered(render)] for name, package, render in renderers()),
    )
    writes = table(
        ["tool", "version", *places, "`through`"],
        ([name, numbered(package), *rewritten(command)] for name, package, command in rewriters()),
    )
    page = PAGE.read_text()
    for name, text in (("shows", shows), ("writes", writes)):
        page = re.sub(rf"(?s)(<!-- {name} -->\n).*?(<!-- end -->\n)", lambda found: found[1] + text + found[2], page)
    PAGE.write_text(page)


main()
