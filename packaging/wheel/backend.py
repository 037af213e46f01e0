#!/usr/bin/env python3
"""Makes a wheel of an installed program: `backend.py TREE ARCHITECTURE FOLDER`, or as a build backend (PEP 517).

TREE is what `make install` made, with `bin` and `share`. The program is static, so one wheel serves glibc and musl. The same
tree gives the same bytes.
"""

import base64
import hashlib
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def version():
    return subprocess.run([ROOT / "packaging" / "version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


SUMMARY = "Tracked changes for Markdown in any editor: a language server and command-line tool for CriticMarkup"


def metadata(name, summary, fields=()):
    """The head of the file METADATA (core metadata 2.1, which all versions of pip in use read)."""
    rows = [
        ("Metadata-Version", "2.1"),
        ("Name", name),
        ("Version", version()),
        ("Summary", summary),
        ("License", "MIT"),
        ("License-File", "LICENSE"),
        ("Requires-Python", ">=3.7"),
        *fields,
    ]
    if "HOMEPAGE" in os.environ:
        rows.append(("Home-page", os.environ["HOMEPAGE"]))
    return "".join(f"{field}: {value}\n" for field, value in rows)


def make(tree, architecture, folder):
    """Writes the wheel with the program, and returns its file name.

    The platforms are the oldest of PEP 600 and PEP 656 that pip of Debian 11 knows; a static program needs no library of them.
    """
    tree = Path(tree)
    needed = (ROOT / "packaging" / "installed").read_text().split()
    missing = [name for name in needed if not (tree / name).is_file()]
    if missing:
        raise SystemExit(f"backend.py: {tree} is not what make install makes: it has no {', no '.join(missing)}")

    data = f"critic_lsp-{version()}.data"
    files = {f"{data}/scripts/critic-lsp": (tree / "bin/critic-lsp").read_bytes()}
    for path in sorted((tree / "share").rglob("*")):
        if path.is_file():
            files[f"{data}/data/{path.relative_to(tree).as_posix()}"] = path.read_bytes()
    fields = [
        ("Keywords", "criticmarkup,markdown,lsp,language-server,track-changes,review"),
        ("Classifier", "Development Status :: 4 - Beta"),
        ("Classifier", "Environment :: Console"),
        ("Classifier", "License :: OSI Approved :: MIT License"),
        ("Classifier", "Operating System :: POSIX :: Linux"),
        ("Classifier", "Topic :: Text Editors"),
        ("Classifier", "Topic :: Text Processing :: Markup :: Markdown"),
        ("Description-Content-Type", "text/markdown; charset=UTF-8; variant=GFM"),
    ]
    description = (HERE / "description.md").read_text(encoding="utf-8")
    head = metadata("critic-lsp", SUMMARY, fields)
    platforms = [f"manylinux_2_17_{architecture}", f"musllinux_1_1_{architecture}"]
    return write(folder, "critic_lsp", platforms, files, f"{head}\n{description}")


def write(folder, package, platforms, files, metadata):
    """Writes a wheel of `files`, bytes by path, and returns its file name."""
    name = f"{package}-{version()}"
    info = f"{name}.dist-info"
    pure = str(platforms == ["any"]).lower()
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms)
    files = {
        **files,
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: critic-lsp\nRoot-Is-Purelib: {pure}\n{tags}".encode(),
    }
    rows = "".join(f"{row(path, data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{rows}{info}/RECORD,,\n".encode()

    wheel = f"{name}-py3-none-{'.'.join(platforms)}.whl"
    # A zip file has no date before 1980.
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, so that the mode counts
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel


def row(path, data):
    """A line of RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"{path},sha256={digest},{len(data)}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    try:
        return make(settings["tree"], settings["architecture"], wheel_directory)
    except KeyError as setting:
        raise SystemExit(f"backend.py: name the setting {setting}, as pyproject.toml shows") from None


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("backend.py: the program is not built from a source distribution; see the README")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(make(*sys.argv[1:]), file=sys.stderr)
