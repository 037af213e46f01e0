#!/usr/bin/env bash
# mdformat 1.0.0 escapes the end of a CriticMarkup comment, and of nothing else in CriticMarkup.
#
# Of the five marks it leaves four as they are: additions, deletions, substitutions and highlights have no character that
# it takes for more than text. In `{>>why<<}` it escapes the first `<`, as if a tag could begin there, and not the
# `>` before it. For a reader of CriticMarkup that knows no escapes the comment then ends with a backslash that nobody
# wrote, and for one that does it has no end. The HTML that the file is rendered to stays the same.
#
# Seen:
#   {++added++} {--gone--} {~~old~>new~~} {==lit==}
#   {>>why\<<}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check mdformat==1.0.0

cd "$folder"
printf '%s\n' '{++added++} {--gone--} {~~old~>new~~} {==lit==}' '{>>why<<}' >draft.md
venv/bin/mdformat draft.md
seen=$(cat draft.md)
echo "$seen"
expected='{++added++} {--gone--} {~~old~>new~~} {==lit==}
{>>why\<<}'
[ "$seen" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
