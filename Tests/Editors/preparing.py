"""What there must be before an editor can be driven."""

import os
import shlex
import subprocess
import sys

from session import HERE, TOP


def the_server():
    if named := os.environ.get("CRITIC_LSP"):
        return shlex.split(named)
    built = os.path.join(TOP, ".build/release/critic-lsp")
    if not os.path.exists(built):
        sys.exit("There is no .build/release/critic-lsp; build it first: swift build -c release")
    return [built]


def install():
    done = subprocess.run([os.path.join(HERE, "install")], stdout=subprocess.DEVNULL)
    if done.returncode:
        sys.exit("The editors could not be installed")
