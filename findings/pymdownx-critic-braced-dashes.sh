#!/usr/bin/env bash
# pymdown-extensions 13.1.2 (pymdownx.critic, with Markdown 3.11.3) takes LaTeX's braced dashes for a deletion.
#
# `{--}` keeps an en dash from joining its neighbours, and `\texttt{++}` sets two plus signs; both are common in Markdown
# that pandoc makes into a PDF. The extension reads from the first `{--` to the next `--}` and from the first `{++` to
# the next `++}`, across the braces. With "accept" the years 1990 and 2010 become one number, and what stood between
# them is gone without a word; with "reject" the sentence about C++ loses its middle.
#
# Seen:
#   accept: <p>19902010</p>
#   reject: <p>C\texttt is old.</p>
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pymdown-extensions==13.1.2 Markdown==3.11.3

seen=$("$folder/venv/bin/python" - <<'PYTHON'
import markdown

for mode, text in (
    ("accept", "1990{--}2000 or 2001{--}2010"),
    ("reject", r"C\texttt{++} is fast and C\texttt{++} is old."),
):
    options = {"pymdownx.critic": {"mode": mode}}
    print(f"{mode}: {markdown.markdown(text, extensions=['pymdownx.critic'], extension_configs=options)}")
PYTHON
)
echo "$seen"
expected='accept: <p>19902010</p>
reject: <p>C\texttt is old.</p>'
[ "$seen" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
