#!/usr/bin/env bash
# pandoc 3.9 (pypandoc-binary 1.17) reads two tildes as a subscript of nothing, and writes nothing for it.
#
# `~~` begins struck-out text. In CriticMarkup's substitution, `{~~old~>new~~}`, a third tilde stands between the two
# texts: the first two are then an empty subscript, the third and the fourth enclose another one, and the last is text.
# From Markdown to Markdown the mark loses its opener, and its arrow is none any more, so that no reader of CriticMarkup
# finds it again; accepted or rejected, both texts stay. Additions and deletions come back whole.
#
# Seen:
#   Str "{" , Subscript [] , Str "old" , Subscript [ Str ">new" ] , Str "~}"
#   {old~\>new~\~} {--gone--} {++here++}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pypandoc-binary==1.17

seen=$("$folder/venv/bin/python" - <<'PYTHON'
import pypandoc

tree = pypandoc.convert_text("{~~old~>new~~}", "native", format="markdown")
start, end = tree.index("Str"), tree.rindex("]")
print(" ".join(tree[start : tree.rindex("]", start, end)].split()))
print(pypandoc.convert_text("{~~old~>new~~} {--gone--} {++here++}", "markdown", format="markdown").strip())
PYTHON
)
echo "$seen"
expected='Str "{" , Subscript [] , Str "old" , Subscript [ Str ">new" ] , Str "~}"
{old~\>new~\~} {--gone--} {++here++}'
[ "$seen" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
