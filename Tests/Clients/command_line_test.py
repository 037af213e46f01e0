"""What the command line writes for other programs, read with their own schemas."""

import json
import os
import subprocess

import jsonschema
from sarif_pydantic import Sarif

from conftest import SERVER, TOP

_DRAFT = """# Hens

Thé {++red ++}hen {--sits--}{>>@ada: [tone] flat<<} on {~~the~>a~~} {==nest==}{>>@bob | 2026-11-22<<}. {>>alone<<}
{++ open
"""


def _run(folder, *arguments, code=0):
    (folder / "a b").mkdir(exist_ok=True)
    (folder / "a b/ü.md").write_text(_DRAFT)
    (folder / "bytes.md").write_bytes(b"{++\xff++} {--\xc3\x28--}\n")
    outcome = subprocess.run([*SERVER, *arguments, "."], cwd=folder, capture_output=True, timeout=60)
    assert outcome.stderr == b""
    assert outcome.returncode == code
    return outcome.stdout.decode()


def _schema():
    with open(os.path.join(TOP, "docs/changes.schema.json")) as file:
        return json.load(file)


def changes_as_json_keep_to_the_schema(tmp_path):
    schema = _schema()
    lines = _run(tmp_path, "changes", "--format", "jsonl").splitlines()
    assert len(lines) == 7
    for line in lines:
        jsonschema.validate(json.loads(line), schema)
    listed = {"$defs": schema["$defs"], "$ref": "#/$defs/list"}
    jsonschema.validate(json.loads(_run(tmp_path, "changes", "--format", "json")), listed)


def the_schema_tells_what_is_wrong(tmp_path):
    change = json.loads(_run(tmp_path, "changes", "--format", "jsonl").splitlines()[0])
    for member in change:
        rest = {name: value for name, value in change.items() if name != member}
        assert not jsonschema.Draft202012Validator(_schema()).is_valid(rest), member


def sarif_is_what_others_read(tmp_path):
    for arguments, code, count in [(("changes",), 0, 7), (("check",), 1, 8), (("check", "--malformed"), 1, 1)]:
        log = Sarif.model_validate_json(_run(tmp_path, *arguments, "--format", "sarif", code=code))
        results = log.runs[0].results
        assert len(results) == count
        rules = {rule.id for rule in log.runs[0].tool.driver.rules}
        assert all(result.rule_id in rules for result in results)
        uris = {result.locations[0].physical_location.artifact_location.uri for result in results}
        assert uris <= {"a%20b/%C3%BC.md", "bytes.md"}
