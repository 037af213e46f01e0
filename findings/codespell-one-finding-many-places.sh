#!/usr/bin/env bash
# codespell 2.4.3 corrects more places than it finds, in text that CriticMarkup says was deleted.
#
# It reads `--recieve--` as one word, with its hyphens, which is in no dictionary: a misspelling in a deletion is left
# alone. If the same misspelling stands elsewhere in the line, that is found, and then replaced by a regular expression in
# the whole line, with word borders at the hyphens. So whether the record of what somebody deleted is rewritten depends on
# another sentence of the same line, which in Markdown is often a whole paragraph.
#
# Seen:
#   Only {--recieve--} here.
#   She {--receive--} it, and I receive it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check codespell==2.4.3

cd "$folder"
printf '%s\n' 'Only {--recieve--} here.' 'She {--recieve--} it, and I recieve it.' >draft.md
venv/bin/codespell --write-changes draft.md 2>/dev/null || true
seen=$(cat draft.md)
echo "$seen"
expected='Only {--recieve--} here.
She {--receive--} it, and I receive it.'
[ "$seen" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
