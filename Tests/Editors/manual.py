"""The manuals of the editors: what they tell the user is what is tried, and what they show is what is seen."""

import glob
import os
import re

from session import TOP


def read_me(editor, heading, language):
    """The first block in this language below this heading of an editor's manual."""
    with open(f"{TOP}/editors/{editor}/README.md") as file:
        section = file.read().split(f"# {heading}\n", 1)[1]
    return re.search(rf"```{language}\n(.*?)```\n", section, flags=re.DOTALL).group(1)


def screens(name):
    """What stands between `<!-- screen NAME -->` and `<!-- /screen -->` in the READMEs, with their paths."""
    texts = {path: text(path) for path in manuals()}
    return [(path, found.group(2)) for path, whole in texts.items() for found in pattern(name).finditer(whole)]


def write_screen(name, screen):
    for path in manuals():
        before = text(path)
        after = pattern(name).sub(lambda found: found.group(1) + screen + found.group(3), before)
        if after != before:
            with open(os.path.join(TOP, path), "w") as file:
                file.write(after)


def manuals():
    return ["README.md", *sorted(glob.glob("editors/*/README.md", root_dir=TOP))]


def text(path):
    with open(os.path.join(TOP, path)) as file:
        return file.read()


def pattern(name):
    return re.compile(rf"(<!-- screen {name} -->\n```text\n)(.*?)(\n```\n<!-- /screen -->)", re.DOTALL)
