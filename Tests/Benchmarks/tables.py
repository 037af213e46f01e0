"""One function for each table, in the order of the results."""

import filecmp
import os
import subprocess

import beside
import peers
import revisions
from instrument import (
    CORPUS, INSTRUMENT, NOOP, OUTPUT, OURS, WORK, document, engine_instructions, has_valgrind, instructions, marks, race,
    server_instructions, size)
from report import chart, duration, exponent, ratio, table, verdict, volume

# By name: a function of (quick, with_peers) that returns the heading, and the text under it.
TABLES = {}

SIZES = {"10 KB": "10K", "1 MB": "1M", "10 MB": "10M", "100 MB": "100M"}


def entry(name):
    def add(function):
        TABLES[name] = function
        return function
    return add


def sizes(quick):
    return dict(list(SIZES.items())[:3]) if quick else SIZES


def largest(quick):
    """What the targets are said for; something smaller in a quick run."""
    return list(sizes(quick).items())[-1]


# Keystrokes

def keystroke(name):
    """The no-op server and ours while the same is typed in both."""
    return race(("type", document(name), NOOP), ("type", document(name), OURS), seconds=5, turns=100, pinned=True)


@entry("keystroke")
def keystrokes(quick, with_peers):
    """A keystroke"""
    label, last = largest(quick)
    names = {f"{label}, sparse": f"sparse-{size}" for label, size in sizes(quick).items()}
    names |= {f"{label}, dense": f"dense-{last}", "10 MB, Unicode": "unicode-10M", "10 MB, CRLF": "crlf-10M"}
    rows = []
    for label, name in names.items():
        floor, ours = keystroke(name)
        for place in ("typing", "jumping"):
            times = ours[place].against(floor[place])
            rows.append([
                f"{label}, {place}", duration(ours[place].median), duration(ours[place].p99),
                duration(floor[place].median), duration(floor[place].p99), ratio(times), verdict(times, 4)])
    notes = [f"Target: at most 4 × the no-op server's, at any size. {growths(quick)}"]
    if is_hover_refused():
        notes.append("The server knows no `textDocument/hover` yet and refuses it; what is timed is the refusal.")
    text = table(["document", "median", "p99", "no-op", "no-op p99", "ratio", "target"], rows)
    notes.append(growth_in_instructions(quick, lambda name: server_instructions(name)[0]))
    if with_peers:
        text += "\n\n" + peer_keystrokes(quick)
    return text, notes


def growths(quick):
    """How the cost grows from the smallest document to the largest."""
    found = []
    for place in ("typing", "jumping"):
        costs = {size(f"sparse-{name}"): keystroke(f"sparse-{name}")[1][place].median for name in sizes(quick).values()}
        found.append(f"size^{exponent(costs):.2f} {place}")
    return f"Cost grows with {' and '.join(found)}; 0 is flat."


def counts_instructions(quick):
    return has_valgrind() and not quick


def growth_in_instructions(quick, count):
    """How many instructions a keystroke takes, in a sentence."""
    if not counts_instructions(quick):
        return f"Instructions are not counted{'' if quick else ': valgrind is not installed'}."
    few, many = count("sparse-10K"), count("sparse-1M")
    return f"Instructions: {few:,.0f} a keystroke at 10 KB, {many:,.0f} at 1 MB, {ratio(many / few)}."


PEER_SIZES = ("10 KB", "1 MB", "10 MB")


def peer_keystroke(peer, name):
    return race(("type", document(name), NOOP), ("type", *peer.options, document(name), *peer.command),
                seconds=5, turns=20, patience=60)


def peer_keystrokes(quick):
    rows = []
    for peer in peers.servers():
        for label in PEER_SIZES:
            if not peer.command:
                rows.append([f"{peer.name}: {peer.missing}", "", "", ""])
                break
            found = peer_keystroke(peer, f"sparse-{SIZES[label]}")
            if not found:
                rows.append([f"{peer.name}, {label}", "over 60 s in all", "", ""])
                continue
            floor, theirs = (runner["typing"] for runner in found)
            rows.append([f"{peer.name}, {label}", duration(theirs.median), duration(theirs.p99),
                         ratio(theirs.against(floor))])
    return table(["others, typing", "median", "p99", "to the no-op server"], rows)


def is_hover_refused():
    ours = keystroke("sparse-10K")[1]
    return ours.facts["errors"] > len(ours["typing"])


def readme(with_peers):
    """The README's words on speed, with the chart; what is measured already is not measured again."""
    names = {"n": "a server that does nothing", "c": "critic-lsp"}
    costs = {}
    for label, short in SIZES.items():
        floor, ours = keystroke(f"sparse-{short}")
        costs[label] = {"n": floor["typing"].median, "c": ours["typing"].median}
        for peer in peers.servers() if with_peers and label in PEER_SIZES else ():
            names[peer.letter] = peer.name
            found = peer.command and peer_keystroke(peer, f"sparse-{short}")
            if found:
                costs[label][peer.letter] = found[1]["typing"].median
    asked = "a refused hover" if is_hover_refused() else "hover"
    return (f"The median time of a keystroke (didChange and {asked}, to the answer), by the size of the document; the scale is"
            " logarithmic.\n[All results](Tests/Benchmarks/RESULTS.md) are made by `make bench`.\n\n"
            f"```\n{chart(costs, names)}\n```")


# What editors show

@entry("surfaces")
def surfaces(quick, with_peers):
    """Every surface in 1 MB"""
    rows = []
    for kind in ("sparse", "dense"):
        name = f"{kind}-1M"
        floor, ours = race(("surfaces", document(name), NOOP), ("surfaces", document(name), OURS),
                           seconds=160, turns=120, pinned=True)
        if ours.facts["errors"]:
            raise RuntimeError(f"{ours.facts['errors']} questions were answered by errors")
        for method, times in sorted(ours.times.items()):
            rows.append([
                f"{kind}: {method.removeprefix('textDocument/')}", duration(times.median), duration(times.p99),
                duration(floor[method].median), ratio(times.against(floor[method]))])
    notes = [
        "didChange and one request, written at once, to the answer, with everything announced that can be shown:"
        f" {marks('sparse-1M'):,} marks in sparse text, {marks('dense-1M'):,} in dense. Each letter is typed in another"
        " place; the request is about the caret, about the 60 lines around it (`inlayHint`, `semanticTokens/range`), or"
        " about the whole document. `diagnostic` is asked after the pause that it would wait for."]
    return table(["didChange and", "median", "p99", "no-op", "ratio"], rows), notes


# The engine by itself

@entry("engine")
def engine(quick, with_peers):
    """A keystroke in the engine"""
    label, last = largest(quick)
    names = {f"{label}, sparse": f"sparse-{size}" for label, size in sizes(quick).items()}
    names[f"{label}, dense"] = f"dense-{last}"
    rows = []
    costs = {"typing": {}, "jumping": {}}
    for label, name in names.items():
        floor, ours = race(("insert",), ("engine-type", document(name)), seconds=5)
        for place in ("typing", "jumping"):
            times = ours[place]
            if name.startswith("sparse"):
                costs[place][size(name)] = times.median
            rows.append([
                f"{label}, {marks(name):,} marks, {place}", duration(times.median), duration(times.p99),
                ratio(times.median / floor.time.median), verdict(times.median, 1500)])
    notes = [
        "Target: at most 1.5 µs, at 100 MB with a million marks. The floor is a byte put into the middle of 4 KB:"
        f" {duration(floor.time.median)}, clock included. Cost grows with size^{exponent(costs['typing']):.2f} typing and"
        f" size^{exponent(costs['jumping']):.2f} jumping; 0 is flat."]
    notes.append(growth_in_instructions(quick, engine_instructions))
    return table(["document", "median", "p99", "to the floor", "target"], rows), notes


# Opening

def opening(name):
    """The no-op server and ours when a document is opened, three times."""
    return race(("open", document(name), NOOP), ("open", document(name), OURS), seconds=10, turns=5, pinned=True)


def large(quick):
    label, last = largest(quick)
    return {f"{label}, sparse": (f"sparse-{last}", 3), f"{label}, dense": (f"dense-{last}", 5)}


@entry("open")
def opens(quick, with_peers):
    """Opening"""
    rows = []
    for label, (name, most) in large(quick).items():
        floor, ours = race(("program", "wc", "-l", document(name)), ("engine-open", document(name)), seconds=10, turns=15)
        both = ours["open"] + ours["read"]
        times = both.against(floor.time)
        rows.append([
            f"{label}: the engine, from memory", duration(both.median),
            f"{duration(ours['open'].median)} + {duration(ours['read'].median)}",
            f"`wc -l` {duration(floor.time.median)}", ratio(times), f"{most} ×", verdict(times, most)])
        floor, ours = (runner.time for runner in opening(name))
        rows.append([f"{label}: didOpen, to the answer to a hover", duration(ours.median), "",
                     f"no-op {duration(floor.median)}", ratio(ours.against(floor)), "", ""])
    notes = [
        "The engine's time is that for taking in the text and that for the first reading of marks. The server's has the"
        " JSON on its way, the pipe, and the list of changes that it publishes."]
    return table(["document", "time", "text + marks", "floor", "ratio", "at most", "target"], rows), notes


# Hostile texts

@entry("hostile")
def hostile(quick, with_peers):
    """Hostile texts"""
    base = document("sparse-1M")
    names = sorted(name[len("hostile-"):-len(".md")] for name in os.listdir(CORPUS)
                   if name.startswith("hostile-") and name.count(".") == 1)
    rows = []
    counts = counts_instructions(quick)
    for name in names:
        hostile = f"hostile-{name}"
        path = document(hostile)
        scale = size("sparse-1M") / size(hostile)
        right = {variant: exported(hostile, variant) for variant in ("clean", "original")}
        correct = "yes" if all(right.values()) else "NO" if None not in right.values() else "over 60 s"
        found = race(("engine-open", base), ("engine-open", path), seconds=1, turns=9, patience=60)
        if not found:
            rows.append([f"`{name}`", "over 60 s", "", "", *([""] if counts else []), correct, "missed"])
            continue
        clean, theirs = (runner["open"] + runner["read"] for runner in found)
        times = theirs.against(clean) * scale
        typing = race(("engine-type", base), ("engine-type", path), seconds=1, turns=9, patience=60)
        keys = ratio(typing[1]["typing"].against(typing[0]["typing"])) if typing else "over 60 s"
        row = [f"`{name}`", duration(theirs.median * scale), ratio(times), keys]
        if counts:
            row.append(ratio(work(hostile) * scale / work("sparse-1M")))
        rows.append([*row, correct, verdict(times, 2)])
    head = ["text of 1 MB", "open and read 1 MB", "to clean text", "a keystroke, to clean text"]
    notes = ["Target: at most 2 × what as much of the sparse document takes, to open and to read, byte for byte."]
    if counts:
        head.append("instructions")
    return table([*head, "exports right", "target"], rows), notes


def work(name):
    return instructions(INSTRUMENT, "open", document(name))[0] - instructions(INSTRUMENT, "open", os.devnull)[0]


# Export

def exported(name, variant, patience=60):
    """Whether an export is the truth; None if it takes too long."""
    with open(OUTPUT, "wb") as out:
        try:
            subprocess.run([OURS, "export", f"--{variant}", document(name)], stdout=out, timeout=patience)
        except subprocess.TimeoutExpired:
            return None
    return filecmp.cmp(OUTPUT, document(f"{name}.{variant}"), shallow=False)


@entry("export")
def exports(quick, with_peers):
    """Export of a document"""
    rows = []
    label, last = largest(quick)
    jobs = [(f"{other}, sparse", f"sparse-{size}", "clean", "") for other, size in sizes(quick).items() if size != last]
    jobs += [
        ("10 MB, Unicode", "unicode-10M", "clean", ""), ("10 MB, CRLF", "crlf-10M", "clean", ""),
        (f"{label}, sparse", f"sparse-{last}", "clean", 1.25), (f"{label}, sparse", f"sparse-{last}", "original", 1.25),
        (f"{label}, dense", f"dense-{last}", "clean", 1.6)]
    for label, name, variant, most in jobs:
        path = document(name)
        floor, ours = race(
            ("program", f"out={OUTPUT}.cat", "cat", path),
            ("program", f"out={OUTPUT}", OURS, "export", f"--{variant}", path), seconds=4, turns=200)
        times = ours.time.against(floor.time)
        right = filecmp.cmp(OUTPUT, document(f"{name}.{variant}"), shallow=False)
        rows.append([
            f"{label}, {variant}", duration(ours.time.median), duration(floor.time.median), ratio(times),
            volume(ours.facts["peak"]), "yes" if right else "NO", most and f"{most} ×", most and verdict(times, most)])
    text = table(["document", "median", "`cat in > out`", "ratio", "memory", "right", "at most", "target"], rows)
    if with_peers:
        text += "\n\n" + peer_exports(quick)
    return text, ["Right: compared byte for byte with what the generator of the document knows."]


def peer_exports(quick):
    rows = []
    label, last = largest(quick)
    names = {"1 MB, sparse": "sparse-1M", "10 MB, sparse": "sparse-10M", f"{label}, sparse": f"sparse-{last}",
             f"{label}, dense": f"dense-{last}", "1 MB, `additions`": "hostile-additions"}
    for peer in peers.exporters():
        if not peer.command:
            rows.append([f"{peer.name}: {peer.missing}", "", "", "", ""])
            continue
        for label, name in names.items():
            path = document(name)
            found = race(("program", f"out={OUTPUT}.cat", "cat", path),
                         ("program", f"in={path}", f"out={OUTPUT}", *peer.command), seconds=4, turns=5, patience=60)
            if not found:
                rows.append([f"{peer.name}, {label}", "over 60 s in all", "", "", ""])
                continue
            floor, theirs = found
            right = filecmp.cmp(OUTPUT, document(f"{name}.clean"), shallow=False)
            rows.append([f"{peer.name}, {label}", duration(theirs.time.median), ratio(theirs.time.against(floor.time)),
                         volume(theirs.facts["peak"]), "yes" if right else "no"])
    return table(["others, clean", "median", "to `cat`", "memory", "right"], rows)


@entry("tree")
def tree(quick, with_peers):
    """Export of a tree"""
    source, target = os.path.join(CORPUS, "tree"), f"{OUTPUT}-tree"
    floor, ours = race(
        ("program", f"clear={target}-copy", "cp", "-r", f"{source}/.", f"{target}-copy"),
        ("program", f"clear={target}", OURS, "export", "-o", target, source), seconds=8, turns=30)
    right = same(target, os.path.join(CORPUS, "tree.clean"))
    files = [os.path.join(folder, name) for folder, _, names in os.walk(source) for name in names]
    total = sum(map(os.path.getsize, files))
    times = ours.time.against(floor.time)
    rows = [[f"{len(files):,} files, {volume(total)}", duration(ours.time.median), duration(floor.time.median),
             ratio(times), "yes" if right else "NO", verdict(times, 1)]]
    return (table(["tree", "median", "`cp -r`", "ratio", "right", "target"], rows),
            [f"Target: no more than `cp -r` on two cores; this machine has {os.cpu_count()}."])


def same(left, right):
    compared = filecmp.dircmp(left, right)
    _, different, failed = filecmp.cmpfiles(left, right, compared.common_files, shallow=False)
    if different or failed or compared.left_only or compared.right_only:
        return False
    return all(same(os.path.join(left, name), os.path.join(right, name)) for name in compared.common_dirs)


# JSON

@entry("list")
def lists(quick, with_peers):
    """A list of 10,000 changes"""
    path = document("changes")
    answer = os.path.join(WORK, "list.json")
    with open(answer, "wb") as file:
        subprocess.run([INSTRUMENT, "list", path, OURS], stdout=file, check=True)
    length = os.path.getsize(answer)
    copy, written = race(("copy", length), ("write-list", path, OURS), seconds=3)
    floor, ours = race(("open-list", path, NOOP, answer), ("open-list", path, OURS), seconds=4, turns=20, pinned=True)
    rows = [
        [f"values to JSON, {volume(length)}", duration(written.time.median), f"memcpy {duration(copy.time.median)}",
         ratio(written.time.against(copy.time)), verdict(written.time.median, 1_500_000)],
        [f"didOpen of {volume(size('changes'))}, to the whole list", duration(ours.time.median),
         f"no-op {duration(floor.time.median)}", ratio(ours.time.against(floor.time)), ""]]
    notes = ["Target: 10,000 diagnostics to JSON in at most 1.5 ms. The no-op server sends the same bytes for the same"
             " didOpen; ours has read the text, and put each change into words."]
    if not written.facts["same"]:
        notes.append("The instrument no longer writes the bytes that the server sends: see `WriteListContender`.")
    if written.facts["entries"] != 10_000:
        notes.append(f"The list has {written.facts['entries']:,} entries.")
    return table(["what", "median", "floor", "ratio", "target"], rows), notes


# Differences

@entry("diff")
def differences(quick, with_peers):
    """Word diff"""
    jobs = {"1 MB": ("sparse-1M.original", "sparse-1M.clean"), "10 MB": ("sparse-10M.original", "sparse-10M.clean"),
            "10 MB, nothing in common": ("sparse-10M.clean", "unicode-10M.clean"),
            "1 MB, hostile": ("hostile-braces", "hostile-kinds")}
    rows = []
    notes = ["Target: 10 MB in at most 100 ms; accepting gives the new text, rejecting the old one."]
    if subprocess.run([OURS, "help", "diff"], capture_output=True).returncode == 0:
        rows += [diffed(label, *map(document, texts)) for label, texts in jobs.items()]
        rows += [word_diffed(label, *map(document, texts)) for label, texts in jobs.items() if label == "10 MB"]
        notes.append(quality())
    else:
        notes.append("Waits for `critic-lsp diff`.")
    for peer in peers.differs() if with_peers else ():
        if not peer.command:
            rows.append([f"{peer.name}: {peer.missing}", "", "", "", "", ""])
            continue
        for label, texts in jobs.items():
            old, new = map(document, texts)
            found = race(("program", f"out={OUTPUT}.cat", "cat", old, new),
                         ("program", f"out={OUTPUT}", *peer.command, old, new), seconds=4, turns=5, patience=60)
            if not found:
                rows.append([f"{peer.name}, {label}", "over 60 s in all", "", "", "", ""])
                continue
            floor, theirs = found
            rows.append([f"{peer.name}, {label}", duration(theirs.time.median), ratio(theirs.time.against(floor.time)),
                         volume(theirs.facts["peak"]), "", ""])
    return table(["texts", "median", "to `cat`", "memory", "right", "target"], rows) if rows else "", notes


def quality():
    found = revisions.figures()
    return (f"{found['pairs']} revisions of this repository's documents, {found['right']} right: {found['changes']} changes with "
            f"{volume(found['bytes'])} in them, where `git diff --word-diff` has {found['git']} with "
            f"{volume(found['git bytes'])}; {found['confetti']} are parted from the one before by fewer than three words, "
            f"{found['cut']} cut a word.")


def word_diffed(label, old, new):
    """What finding the words alone takes another program."""
    found = race(("program", f"out={OUTPUT}.cat", "cat", old, new),
                 ("program", f"out={OUTPUT}", *revisions.GIT, old, new), seconds=4, turns=5, patience=60)
    if not found:
        return [f"git diff --word-diff, {label}", "over 60 s", "", "", "", ""]
    floor, theirs = found
    return [f"git diff --word-diff, {label}", duration(theirs.time.median), ratio(theirs.time.against(floor.time)),
            volume(theirs.facts["peak"]), "", ""]


def diffed(label, old, new):
    marked = f"{OUTPUT}.md"
    found = race(("program", f"out={OUTPUT}.cat", "cat", old, new),
                 ("program", f"out={marked}", OURS, "diff", old, new), seconds=4, turns=15, patience=60)
    if not found:
        return [label, "over 60 s", "", "", "", "missed"]
    floor, ours = found
    right = True
    for variant, text in (("original", old), ("clean", new)):
        with open(OUTPUT, "wb") as out:
            subprocess.run([OURS, "export", f"--{variant}", marked], stdout=out)
        right = right and filecmp.cmp(OUTPUT, text, shallow=False)
    return [label, duration(ours.time.median), ratio(ours.time.against(floor.time)), volume(ours.facts["peak"]),
            "yes" if right else "NO", verdict(ours.time.median, 100e6) if label == "10 MB" else ""]


@entry("word")
def word(quick, with_peers):
    """Word documents, through pandoc"""
    pandoc = peers.debian("pandoc", "pandoc")
    if not pandoc:
        return "", ["pandoc is not installed."]
    rows = []
    for label, emphasis in (("prose", ""), ("emphasis in every change", "*")):
        # What is measured once is not measured again under the same name.
        name = f"{OUTPUT}-{'plain' if not emphasis else 'emphasis'}"
        marked, clean, document = f"{name}.md", f"{name}-clean.md", f"{name}.docx"
        count = revisions.write_marked(marked, emphasis)
        for target, command in ((clean, ["export", marked]), (document, ["export", "--to", "docx", marked])):
            with open(target, "wb") as out:
                subprocess.run([OURS, *command], stdout=out, check=True)
        jobs = {
            "import": ([pandoc, "--track-changes=all", "--to", "markdown", document], ["import", document]),
            "export": ([pandoc, "--to", "docx", "--output", "-", clean], ["export", "--to", "docx", marked]),
        }
        for name, (floor, ours) in jobs.items():
            floor, ours = race(("program", f"out={OUTPUT}.pandoc", *floor), ("program", f"out={OUTPUT}", OURS, *ours),
                               seconds=8, turns=5)
            times = ours.time.against(floor.time)
            rows.append([f"{name}, {count:,} revisions, {label}", duration(ours.time.median), duration(floor.time.median),
                         ratio(times), volume(ours.facts["peak"]), volume(floor.facts["peak"]), verdict(times, 1.3)])
    return table(["document", "median", "pandoc", "ratio", "memory", "pandoc's", "target"], rows), [
        "Target: at most 1.3 × one run of pandoc: with `--track-changes=all`, or of the clean text. Memory is that of the"
        " largest process, pandoc where we start it."]


# Beside other work

@entry("beside")
def beside_searches(quick, with_peers):
    """A hover beside a search"""
    turns = 2 if quick else 5
    jobs = {
        f"an open document of {volume(len(beside.long_text()))} with {beside.LINES:,} marks": beside.beside_long_document,
        f"{beside.FOLDERS:,} folders, {beside.FILES:,} files, {beside.RULES} rules of `.gitignore`": beside.beside_scan}
    rows = []
    for label, measure in jobs.items():
        alone, worst, took = measure(turns)
        rows.append([label, duration(worst.median), duration(alone.median), ratio(worst.against(alone)),
                     duration(took.median), verdict(worst.median, 50e6)])
    notes = [
        "Target: at most 50 ms. A client asks for one hover after the other until `workspace/symbol` is answered, and the"
        f" longest counts; the floor is the longest of {beside.HOVERS} with no search. Nothing matches, so that all is searched."]
    return table(["searched", "longest", "alone", "ratio", "the search", "target"], rows), notes


@entry("files")
def files(quick, with_peers):
    """Opening many files"""
    few, many = beside.opening_files(2 if quick else 5)
    times = many.against(few)
    rows = [[f"each of {beside.MANY}", duration(many.median), duration(few.median), ratio(times),
             verdict(many.median, 2e6)]]
    notes = [
        "Target: at most 2 ms each. From didOpen to the answer to a hover, for files that nobody had open before: what is"
        f" known of each is looked for, and kept. The floor is each of {beside.FEW}."]
    return table(["opened", "time", f"of {beside.FEW}", "ratio", "target"], rows), notes


# Starting, memory

def starting():
    return race(("start", NOOP), ("start", OURS), seconds=3, turns=300, pinned=True)


@entry("start")
def starts(quick, with_peers):
    """Start"""
    floor, ours = (runner.time for runner in starting())
    times = ours.against(floor)
    rows = [["to the reply to initialize", duration(ours.median), duration(ours.p99), duration(floor.median),
             duration(floor.p99), ratio(times), verdict(times, 1.5)]]
    if with_peers:
        for peer in peers.servers():
            if not peer.command:
                rows.append([f"{peer.name}: {peer.missing}", *[""] * 6])
                continue
            floor, theirs = (runner.time for runner in race(("start", NOOP), ("start", *peer.command), turns=20))
            rows.append([peer.name, duration(theirs.median), duration(theirs.p99), duration(floor.median),
                         duration(floor.p99), ratio(theirs.against(floor)), ""])
    return (table(["server", "median", "p99", "no-op", "no-op p99", "ratio", "target"], rows),
            ["Target: at most 1.5 × the no-op server in C, from the start of the process."])


@entry("memory")
def memory(quick, with_peers):
    """Memory"""
    idle = starting()[1].facts
    rows = [["after initialize", volume(idle["idle"]), volume(idle["peak"]), "6 MB", ratio(idle["idle"] / 6e6),
             ratio(idle["peak"] / 6e6), verdict(idle["peak"], 6e6)]]
    names = {"10 MB, sparse": "sparse-10M"} | {label: name for label, (name, _) in large(quick).items()}
    for label, name in names.items():
        facts = opening(name)[1].facts
        bound = 2 * size(name) + 24 * marks(name)
        rows.append([f"{label} open", volume(facts["steady"]), volume(facts["peak"]), volume(bound),
                     ratio(facts["steady"] / bound), ratio(facts["peak"] / bound), verdict(facts["peak"], bound)])
    if with_peers:
        for peer in peers.servers():
            if not peer.command:
                rows.append([f"{peer.name}: {peer.missing}", *[""] * 6])
                continue
            idle = race(("start", NOOP), ("start", *peer.command), turns=20)[1].facts
            kind = "open-list" if "list" in peer.options else "open"
            found = race((kind, document("sparse-10M"), *peer.command), turns=1, patience=60)
            rows.append([f"{peer.name}, after initialize", volume(idle["idle"]), volume(idle["peak"]), *[""] * 4])
            if found:
                facts = found[0].facts
                rows.append([f"{peer.name}, 10 MB open", volume(facts["steady"]), volume(facts["peak"]), *[""] * 4])
    return (table(["", "steady", "peak", "at most", "steady to it", "peak to it", "target"], rows),
            ["Target: 6 MB idle; two times the document and 24 bytes a mark."])
