"""The program where there is nothing else: no /proc, no /dev, no libraries."""

import os
import shutil
import subprocess
import sys

import pytest

from conftest import SERVER

_IS_POSSIBLE = sys.platform == "linux" and os.geteuid() == 0


def _run(folder, *arguments, text=b""):
    def enter():
        os.chroot(folder)
        os.chdir("/")

    outcome = subprocess.run(
        ["/critic-lsp", *arguments], input=text, capture_output=True, preexec_fn=enter, timeout=60
    )
    assert outcome.stderr == b""
    assert outcome.returncode == 0
    return outcome.stdout


@pytest.mark.skipif(not _IS_POSSIBLE, reason="only root can change the root folder, and only Linux's binary is static")
def test_it_runs_in_an_empty_folder_that_is_all_there_is(tmp_path):
    shutil.copy(SERVER[0], tmp_path / "critic-lsp")
    (tmp_path / "book").mkdir()
    for name in "ab":
        (tmp_path / f"book/{name}.md").write_text("one {++two++}\n")
    assert _run(tmp_path, "--version").startswith(b"critic-lsp ")
    assert _run(tmp_path, "export", "--original", "-", text=b"a {++b++}c") == b"a c"
    assert _run(tmp_path, "export", "--in-place", "book") == b""
    assert (tmp_path / "book/b.md").read_text() == "one two\n"
    assert b"{++brown ++}" in _run(tmp_path, "demo")
    bodies = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}',
        b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
        b'{"jsonrpc":"2.0","method":"exit"}',
    )
    answers = _run(tmp_path, text=b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies))
    assert b'"id":2,"result":null' in answers
