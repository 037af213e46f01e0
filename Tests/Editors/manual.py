"""The manuals of the editors: what they tell the user is what is tried."""

import re

from session import TOP


def read_me(editor, heading, language, new=None):
    """The first block in this language below this heading of an editor's manual; or puts a new one there."""
    path = f"{TOP}/editors/{editor}/README.md"
    with open(path) as file:
        before, section = file.read().split(f"# {heading}\n", 1)
    text, block, after = re.split(rf"(?<=```{language}\n)(.*?)(?=```\n)", section, maxsplit=1, flags=re.DOTALL)
    if new is not None:
        with open(path, "w") as file:
            file.write(f"{before}# {heading}\n{text}{new}{after}")
    return block
