"""Numbers in words, tables in Markdown, the chart, and the files that they are written to."""

import datetime
import math
import os
import re
import subprocess

from instrument import HERE, OURS, TOP

RESULTS = os.path.join(HERE, "RESULTS.md")
README = os.path.join(TOP, "README.md")


# Numbers

def digits(number):
    """Three digits that count: 0.0512, 5.12, 51.2, 512, 5,120."""
    if number == 0:
        return "0"
    places = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:,.{places}f}"


def duration(nanoseconds):
    if nanoseconds is None:
        return "–"
    for unit, length in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= length:
            return f"{digits(nanoseconds / length)} {unit}"
    return f"{nanoseconds:.0f} ns"


def volume(count):
    for unit, length in (("MB", 1e6), ("KB", 1e3)):
        if count >= length:
            return f"{digits(count / length)} {unit}"
    return f"{count} bytes"


def ratio(number):
    return f"{digits(number)} ×"


def verdict(value, most):
    return "met" if value <= most else "missed"


def exponent(costs):
    """The e of cost = c · size^e that fits best; `costs` is {size: cost}."""
    points = [(math.log(size), math.log(cost)) for size, cost in costs.items()]
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / sum((x - middle_x) ** 2 for x, _ in points)


# Tables

def table(head, rows):
    """A Markdown table that can be read as it stands; all columns but the first are numbers."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if column == 0 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append(f"| {' | '.join(cells)} |")
    rules = ["-" * width if column == 0 else "-" * (width - 1) + ":" for column, width in enumerate(widths)]
    lines.insert(1, f"| {' | '.join(rules)} |")
    return "\n".join(lines)


def chart(costs, names):
    """Keystroke cost against size on a log scale; `costs` is {size: {letter: nanoseconds}}."""
    all_costs = [cost for row in costs.values() for cost in row.values()]
    first = math.floor(math.log10(min(all_costs)))
    last = math.ceil(math.log10(max(all_costs)))
    step = min(12, 80 // (last - first))
    labels = (re.sub(r"\.0+ ", " ", duration(10 ** decade)) for decade in range(first, last + 1))
    head = "".join(label.ljust(step) for label in labels)
    axis = ("├" + "─" * (step - 1)) * (last - first) + "┤"
    lines = [f"         {head.rstrip()}", f"         {axis}"]
    for size, row in costs.items():
        line = [" "] * (len(axis) + 1)
        # Ours last, so that it is seen where two meet.
        for letter, cost in sorted(row.items(), key=lambda item: item[0] == "c"):
            line[round((math.log10(cost) - first) * step)] = letter
        lines.append(f"{size:>7}  {''.join(line).rstrip()}")
    drawn = set().union(*costs.values())
    lines += ["", "         " + ", ".join(f"{letter} {name}" for letter, name in names.items() if letter in drawn)]
    return "\n".join(lines)


# Files

def machine():
    with open("/proc/cpuinfo") as file:
        info = file.read()
    model = re.search(r"model name\s*: (.*)", info)
    with open("/proc/meminfo") as file:
        memory = int(re.search(r"MemTotal:\s*(\d+)", file.read())[1]) * 1024
    cat = subprocess.run(["cat", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    commit = subprocess.run(["git", "-C", TOP, "describe", "--always", "--dirty"], capture_output=True, text=True)
    version = subprocess.run([OURS, "--version"], capture_output=True, text=True).stdout.strip()
    return "\n".join([
        f"- {datetime.date.today()}, {version} at {commit.stdout.strip() or 'an unknown commit'}",
        f"- {model[1] if model else os.uname().machine}, {os.cpu_count()} cores, {volume(memory)} of memory",
        f"- {os.uname().sysname} {os.uname().release}; {cat}",
    ])


def between(path, name, text):
    """Puts text between the markers `<!-- name -->` and `<!-- /name -->` of a file."""
    with open(path) as file:
        before = file.read()
    pattern = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
    after, count = re.subn(pattern, lambda found: f"{found[1]}{text}\n{found[2]}", before, flags=re.S)
    if not count:
        raise RuntimeError(f"{os.path.relpath(path, TOP)} has no place marked for {name}")
    with open(path, "w") as file:
        file.write(after)


def kept(path, name):
    """What stands between those markers; empty if nothing does."""
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", file.read(), re.S)
    return found[1] if found else ""


def published_instructions(what):
    """How many instructions a keystroke takes at 10 KB and at 1 MB as RESULTS.md has it, in the server or in the engine."""
    title = {"server": "A keystroke", "engine": "A keystroke in the engine"}[what]
    with open(RESULTS) as file:
        found = re.search(
            rf"^## {title}\n(?:(?!## ).*\n)*?Instructions: ([\d,]+) a keystroke at 10 KB, ([\d,]+) at 1 MB",
            file.read(), re.M)
    if not found:
        sys.exit(f"RESULTS.md has no instructions under “{title}”; `make bench` writes them where valgrind is installed.")
    return [int(number.replace(",", "")) for number in found.groups()]


def write(tables, keystrokes):
    """Writes RESULTS.md anew but for what others wrote in it, and the README's words on speed."""
    notes, stalls = kept(RESULTS, "notes"), kept(RESULTS, "stalls")
    text = f"""# Results

Written by `make bench`; see [README.md](README.md) for what the tables mean.

{machine()}

<!-- notes -->
{notes}<!-- /notes -->

{tables}

## In the editors

<!-- stalls -->
{stalls}<!-- /stalls -->
"""
    with open(RESULTS, "w") as file:
        file.write(text)
    between(README, "keystrokes", keystrokes)
