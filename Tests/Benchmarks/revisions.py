"""How well `critic-lsp diff` says what was changed, on real revisions: this repository's own documents; and a text with very many."""

import os
import re
import subprocess

from instrument import OURS, TOP, WORK

FOLDER = os.path.join(WORK, "revisions")
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Tests/README.md", "docs/clients.md"]
# A document's history in so many steps at most.
STEPS = 12
CHANGE = re.compile(rb"\{\+\+(.*?)\+\+\}|\{--(.*?)--\}|\{~~(.*?)~>(.*?)~~\}", re.DOTALL)
GIT = ["git", "diff", "--no-index", "--word-diff=porcelain", "--no-color", "-U1000000"]


def pairs():
    """Files with the old and the new text of each revision."""
    os.makedirs(FOLDER, exist_ok=True)
    found = []
    for name in DOCUMENTS:
        log = subprocess.run(["git", "-C", TOP, "log", "--reverse", "--format=%H", "--", name], capture_output=True, text=True)
        commits = log.stdout.split()
        commits = commits[:: max(1, len(commits) // STEPS)]
        texts = [shown(commit, name) for commit in commits]
        found += [pair for pair in zip(texts, texts[1:]) if all(pair)]
    return found


def shown(commit, name):
    text = subprocess.run(["git", "-C", TOP, "show", f"{commit}:{name}"], capture_output=True)
    if text.returncode:
        return None
    path = os.path.join(FOLDER, f"{name.replace('/', '-')}-{commit[:12]}")
    with open(path, "wb") as out:
        out.write(text.stdout)
    return path


def figures():
    """What all pairs come to: how many are right, and for us and for `git diff --word-diff` changes and bytes in them."""
    sums = {"pairs": 0, "right": 0, "changes": 0, "bytes": 0, "confetti": 0, "cut": 0, "git": 0, "git bytes": 0}
    marked = os.path.join(FOLDER, "marked.md")
    for old, new in pairs():
        with open(marked, "wb") as out:
            text = subprocess.run([OURS, "diff", old, new], capture_output=True).stdout
            out.write(text)
        sums["pairs"] += 1
        sums["right"] += exported("original", marked) == exported("original", old) and \
            exported("clean", marked) == exported("clean", new)
        known = [match.group(0) for match in CHANGE.finditer(contents(new))]
        count(text, known, sums)
        count_git(old, new, sums)
    return sums


def write_marked(path, emphasis, count=2_750):
    """Writes a text in which so many words were added and as many deleted, with a sign of emphasis around each; says how many in all."""
    with open(path, "w") as out:
        for number in range(0, count, 5):
            changes = [
                f"the hen {word} went to town and {{++{emphasis}said {word}{emphasis}, ++}}that {{--{emphasis}never {word}{emphasis}, --}}"
                for word in list(map(spelled, range(number, number + 5)))
            ]
            out.write(f"So {'it was '.join(changes)}it is.\n\n")
    return 2 * count


def spelled(number):
    """A word for each number."""
    return "".join("nebulachoristem"[int(digit)] for digit in str(number))


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def exported(variant, path):
    return subprocess.run([OURS, "export", f"--{variant}", path], capture_output=True).stdout


def count(text, known, sums):
    """Adds up the changes of a text that are not the document's own, which it has as examples."""
    end = None
    for match in CHANGE.finditer(text):
        if match.group(0) in known:
            continue
        sums["changes"] += 1
        sums["bytes"] += sum(len(side) for side in match.groups() if side)
        between = text[end:match.start()] if end is not None else None
        # Fewer than three words on one line.
        if between is not None and b"\n" not in between and len(between.split()) < 3:
            sums["confetti"] += 1
        side = next(side for side in match.groups() if side is not None)
        before, after = text[match.start() - 1:match.start()], text[match.end():match.end() + 1]
        sums["cut"] += before.isalnum() and side[:1].isalnum() or after.isalnum() and side[-1:].isalnum()
        end = match.end()


def count_git(old, new, sums):
    lines = subprocess.run([*GIT, old, new], capture_output=True).stdout.split(b"\n")
    is_in_change = False
    for line in lines[5:]:
        is_change = line[:1] in (b"+", b"-")
        if is_change:
            sums["git bytes"] += len(line) - 1
            sums["git"] += not is_in_change
        is_in_change = is_change
