"""The instrument that measures: the Swift program in Instrument/, the no-op server, and valgrind."""

import functools
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# Outputs and peers, and the documents; nothing here is committed.
WORK = os.path.join(TOP, ".build/benchmarks")
CORPUS = os.path.join(WORK, "corpus")
INSTRUMENT = os.path.join(TOP, ".build/release/Benchmarks")
OURS = os.path.join(TOP, ".build/release/critic-lsp")
NOOP = os.path.join(WORK, "noop")
OUTPUT = os.path.join(WORK, "output")

# How long one race may take, in seconds.
PATIENCE = 300
# Makes all races shorter where it is less than 1.
pace = 1
# Dictionaries of Swift are seeded anew in every process unless they are told not to be.
UNSEEDED = {"SWIFT_DETERMINISTIC_HASHING": "1"}


def prepare(longest):
    """Makes the documents, as far as they are missing."""
    for program in (INSTRUMENT, OURS):
        if not os.path.exists(program):
            sys.exit(f"There is no {os.path.relpath(program, TOP)}; `make bench` and `make growth` build it.")
    os.makedirs(WORK, exist_ok=True)
    subprocess.run([INSTRUMENT, "corpus", CORPUS, str(longest)], check=True)


def compile_noop():
    """Compiles the no-op server."""
    subprocess.run(["cc", "-O2", "-o", NOOP, os.path.join(HERE, "noop.c")], check=True)


def document(name):
    return os.path.join(CORPUS, f"{name}.md")


def size(name):
    return os.path.getsize(document(name))


def marks(name):
    with open(os.path.join(CORPUS, f"{name}.marks")) as file:
        return int(file.read())


class Times(list):
    """Nanoseconds, in the order in which they were measured."""

    @property
    def median(self):
        return statistics.median(self)

    @property
    def p99(self):
        """None where there are too few to tell."""
        return sorted(self)[len(self) * 99 // 100] if len(self) >= 100 else None

    def against(self, floor):
        """How many times the floor's: the median of what each measurement is to the one beside it.

        Where there is not one beside each, because something slow was cut short, medians are compared.
        """
        if len(self) == len(floor):
            return statistics.median(time / least for time, least in zip(self, floor))
        return self.median / floor.median

    def __add__(self, other):
        return Times(map(sum, zip(self, other)))


class Runner:
    """What came of one contender."""

    def __init__(self, answer):
        self.times = {name: Times(times) for name, times in answer["times"].items()}
        self.facts = answer["facts"]

    def __getitem__(self, name):
        return self.times[name]

    @property
    def time(self):
        return self["time"]


@functools.cache
def race(*contenders, turns=1000, seconds=5, patience=PATIENCE, pinned=False):
    """Measures contenders in turn; each is a tuple of words. None if they take longer than `patience`.

    Pinned, the instrument and what it starts share one core. To wake a process on another one costs several times
    what the wire does, and the system puts the processes here or there as it likes.
    """
    words = [INSTRUMENT, "race", f"turns={turns}", f"seconds={seconds * pace}"]
    for contender in contenders:
        words += ["--", *map(str, contender)]
    with tempfile.TemporaryDirectory() as state:
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, start_new_session=True, preexec_fn=pin if pinned else None, env=knowing(state))
        try:
            answer, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
    if process.returncode:
        raise RuntimeError(f"could not measure {contenders}")
    return [Runner(result) for result in json.loads(answer)]


def pin():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def knowing(state):
    """The environment of a server with a state folder of its own, which knows nothing of what an earlier one had open."""
    return {**os.environ, "XDG_STATE_HOME": state}


def has_valgrind():
    return shutil.which("valgrind") is not None


def instructions(*command, input=None, fails=False):
    """How many instructions a command takes, and what it writes; `fails`: whether its exit code may tell that it found something."""
    with open(input or os.devnull, "rb") as source, tempfile.TemporaryDirectory() as state:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
            stdin=source, capture_output=True, env={**knowing(state), **UNSEEDED}, timeout=1800)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode > fails or not found:
        raise RuntimeError(f"valgrind could not run {command}: {done.stderr.decode(errors='replace')[-500:]}")
    return int(found[1]), done.stdout


# How many keystrokes instructions are counted for.
KEYS = 50
# How often they are counted where something else came between.
TRIES = 4


@functools.cache
def engine_instructions(name):
    """Instructions for one keystroke in the engine: a run of twice the keys against one of half of them."""
    once, twice = (instructions(INSTRUMENT, "type", document(name), keys)[0] for keys in (KEYS, 2 * KEYS))
    return (twice - once) / KEYS


@functools.cache
def server_instructions(name):
    """Instructions for one didChange and hover in the server, and how many lists of changes are in them.

    A list of changes goes out after a pause. One that falls between the keys because valgrind is slow is work that
    belongs to none of them, so all is counted again then, a few times.
    """
    for _ in range(TRIES):
        counts = []
        for keys in (KEYS, 2 * KEYS):
            session = os.path.join(WORK, "session")
            with open(session, "wb") as file:
                subprocess.run([INSTRUMENT, "session", document(name), str(keys)], stdout=file, check=True)
            counts.append(instructions(OURS, input=session))
        lists = [written.count(b"textDocument/publishDiagnostics") for _, written in counts]
        if lists[0] == lists[1]:
            break
    return (counts[1][0] - counts[0][0]) / KEYS, lists[1] - lists[0]


def text_instructions(words, text):
    """Instructions for a command line on a text, which it names in its place, or last."""
    path = os.path.join(WORK, "text.md")
    with open(path, "w") as file:
        file.write(text)
    command = [path if word == "TEXT" else word for word in words.split()] + [path]
    return instructions(OURS, *command, fails=True)[0]


def command_instructions(session, changes):
    """Instructions for what a session does after its first messages; `session` makes both lists of messages."""
    counts = []
    opening, command = session(changes)
    for messages in (opening, opening + command):
        path = os.path.join(WORK, "session")
        with open(path, "wb") as file:
            for message in [*messages, {"id": "end", "method": "shutdown"}, {"method": "exit"}]:
                body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                file.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        counts.append(instructions(OURS, input=path)[0])
    return counts[1] - counts[0]
