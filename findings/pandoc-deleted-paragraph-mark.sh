#!/usr/bin/env bash
# pandoc 3.9 (pypandoc-binary 1.17) puts a space that stands nowhere in a Word document where a paragraph's end was deleted.
#
# Who deletes the end of a paragraph in Word with changes tracked joins "sun" and "flower" to one word. Word stores that as
# a deleted paragraph mark (w:del in the mark's run properties), and accepting it gives "sunflower". pandoc joins the
# two paragraphs with a space, with --track-changes=accept, and in the same way with --track-changes=reject where
# the mark was inserted.
#
# Seen:
#   accept, mark deleted: sun flower
#   reject, mark inserted: sun flower
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pypandoc-binary==1.17

seen=$(cd "$folder" && venv/bin/python - <<'PYTHON'
import subprocess
import zipfile

import pypandoc

OPC = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"


def document(name, change):
    mark = f'<w:pPr><w:rPr><w:{change} w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z"/></w:rPr></w:pPr>'
    paragraphs = "".join(f"<w:p>{first}<w:r><w:t>{text}</w:t></w:r></w:p>" for first, text in [(mark, "sun"), ("", "flower")])
    with zipfile.ZipFile(name, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{OPC}/content-types"><Default Extension="rels"'
            f' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{TYPE}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{OPC}/relationships"><Relationship Id="rId1" Type="{OFFICE}"'
            f' Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{paragraphs}</w:body></w:document>'
        )


for side, change, name in (("accept", "del", "deleted"), ("reject", "ins", "inserted")):
    document("a.docx", change)
    command = [pypandoc.get_pandoc_path(), f"--track-changes={side}", "-t", "plain", "a.docx"]
    print(f"{side}, mark {name}: {subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()}")
PYTHON
)
echo "$seen"
expected='accept, mark deleted: sun flower
reject, mark inserted: sun flower'
[ "$seen" = "$expected" ] || { echo "changed: this was seen before:" >&2; echo "$expected" >&2; exit 1; }
