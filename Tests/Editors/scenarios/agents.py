"""Other programs change a document that is open: in the editor, while somebody writes."""

import json
import random
import subprocess
import threading

from scenarios import TEXT, scenario, seeds, sentence
from scenarios.undoing import back, forth
from session import Failed

PROPOSED = sentence("The quick {~~brown~>red~~}{>>@ai:model: livelier<<} fox jumps.")
NAMES = "ABCDEFGHIJKL"
PARAGRAPHS = "".join(f"A paragraph has a word{name} in it.\n\n" for name in NAMES)
# They tell of every key, and refuse edits of an outdated version; of what is open in Vim, the file is changed.
TELLS = ("neovim", "helix", "emacs")
HERE = "Here she writes.\n"


def calls(editor, *arguments, given=""):
    """Runs a command line of ours on the document; returns what it says."""
    done = subprocess.run(
        [*editor.server, *arguments, editor.file],
        input=given,
        capture_output=True,
        text=True,
        env={"HOME": editor.folder, "PATH": "/usr/bin:/bin"},
    )
    editor.timeline.note("command", f"{' '.join(arguments)}: {done.returncode} {done.stderr.strip()}")
    return done


def proposes(editor, old, new, reason="livelier"):
    edits = json.dumps([{"old": old, "new": new, "reason": reason}])
    return calls(editor, "propose", "--author", "ai:model", "--in-place", given=edits)


def told(done, code=0):
    if done.returncode != code:
        raise Failed(f"the command ended with {done.returncode}: {done.stderr}")


@scenario(only=TELLS)
@scenario(plug_in=True, only=("neovim",))
def what_another_program_proposes_is_shown_undone_and_saved_by_the_editor(editor):
    told(proposes(editor, "brown", "red"))
    editor.becomes(PROPOSED)
    if editor.saved != TEXT:
        raise Failed(f"the file was changed too: {editor.saved!r}")
    back(editor, TEXT)
    forth(editor, PROPOSED)
    editor.saves(PROPOSED)


@scenario(only=TELLS)
@scenario(plug_in=True, only=("neovim",))
def a_proposal_comes_while_somebody_types_and_takes_nothing_of_it(editor):
    editor.insert_at_end_of_line("The end")
    editor.type(" And")
    asked = threading.Thread(target=lambda: told(proposes(editor, "brown", "red")))
    asked.start()
    editor.type(" then she went on and on and on.", gaps=(0.05,))
    asked.join()
    editor.escape()
    editor.lets_mark()
    marked = PROPOSED.replace("The end.", "The end.{++ And then she went on and on and on.++}")
    editor.settles(sentence("The quick red fox jumps.").replace("The end.", "The end. And then she went on and on and on."))
    editor.saves(marked)


@scenario(text=PROPOSED, only=TELLS)
def what_another_program_accepts_is_accepted_in_the_editor(editor):
    told(calls(editor, "accept", "--in-place"))
    editor.becomes(sentence("The quick red fox jumps."))
    back(editor, PROPOSED)


@scenario()
def an_edit_that_cannot_be_made_changes_neither_the_file_nor_the_editor(editor):
    told(proposes(editor, "purple", "red"), code=2)
    editor.pause(editor.patience(3))
    if editor.text != TEXT or editor.saved != TEXT:
        raise Failed(f"the text is {editor.text!r}, the file {editor.saved!r}")


@scenario(plug_in=True, only=TELLS)
def what_was_typed_and_not_saved_is_read_and_proposed_on(editor):
    editor.insert_before("brown")
    editor.type("dark ")
    editor.lets_mark()
    editor.escape()
    editor.becomes(sentence("The quick {++dark ++}brown fox jumps."))
    told(proposes(editor, "fox", "vixen"))
    editor.becomes(
        sentence("The quick {++dark ++}brown {~~fox~>vixen~~}{>>@ai:model: livelier<<} jumps.")
    )


@scenario()
def without_the_editor_the_file_is_changed(editor):
    editor.quit()
    editor.wait("the editor to end", lambda: editor.terminal.ended)
    editor.wait("the server to end", lambda: not editor.server_lives)
    told(proposes(editor, "brown", "red"))
    if editor.saved != PROPOSED:
        raise Failed(f"the file is {editor.saved!r}")


def two_hands(seed):
    """An agent proposes in one paragraph after the other, while somebody types, deletes and undoes in the last one."""

    def run(editor):
        chance = random.Random(seed)
        failures = []

        def agent():
            for name in NAMES:
                done = proposes(editor, f"word{name}", f"term{name}")
                if done.returncode:
                    failures.append(done.stderr)

        hands = threading.Thread(target=agent)
        editor.insert_at_end_of_line("she writes")
        hands.start()
        typed = ""
        while hands.is_alive() or len(typed) < 60:
            word = " " + chance.choice(("so", "then", "very", "é", "slowly"))
            editor.type(word, gaps=(0.03, 0.08))
            typed += word
            if chance.random() < 0.3:
                editor.press(*["BSpace"] * len(word))
                typed = typed[: -len(word)]
            if chance.random() < 0.2:
                editor.pause(0.5)
        hands.join()
        if failures:
            raise Failed(f"a proposal was not made: {failures[0]}")
        editor.escape()
        editor.lets_mark()
        clean = PARAGRAPHS.replace(" word", " term") + HERE.replace("writes.", f"writes.{typed}")
        editor.settles(clean)
        editor.save()
        editor.wait("all of it in the file", lambda: editor.exported("--clean", editor.saved or "") == clean)
        editor.promises(PARAGRAPHS + HERE, clean)
        if (count := editor.saved.count("@ai:model")) != 12:
            raise Failed(f"{count} of 12 proposals are in {editor.saved!r}")

    run.__name__ = f"an_agent_and_a_writer_lose_nothing_of_each_other_{seed}"
    scenario(text=PARAGRAPHS + HERE, settings={"idleDelay": 200}, plug_in=True, only=TELLS, size=(120, 50))(run)


for number in seeds("1:2"):
    two_hands(number)


def waits(editor, *arguments, author="ai:model", form="json"):
    """Waits for the review on a thread of its own; returns the thread and where the outcome will be."""
    outcome = []

    def run():
        outcome.append(calls(editor, "wait", "--author", author, "--format", form, *arguments))

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def says_done(editor):
    """The writer says that the review is done, as the editor's page says how."""
    {
        "neovim": lambda: editor.command("CriticDone"),
        "emacs": lambda: editor.command("critic-done"),
        # Before Helix 25.07 a key cannot say which document.
        "helix": lambda: editor.choose_action("Done reviewing"),
    }[editor.family]()


@scenario(plug_in=True, only=TELLS)
def who_waits_is_told_what_was_decided_changed_and_said(editor):
    told(proposes(editor, "brown", "red"))
    told(proposes(editor, "jumps", "leaps", "higher"))
    thread, outcome = waits(editor, "--timeout", "60")
    editor.sees("ai:model waits; ")
    told(calls(editor, "accept", "--change", "1", "--in-place"))
    editor.becomes(sentence("The quick red fox {~~jumps~>leaps~~}{>>@ai:model: higher<<}."))
    editor.insert_at_end_of_line("leaps")
    editor.type(" And ran.")
    editor.lets_mark()
    editor.escape()
    says_done(editor)
    thread.join()
    told(outcome[0])
    report = json.loads(outcome[0].stdout)
    if [(c["old"], c["decision"]) for c in report["decisions"]] != [("brown", "accepted")]:
        raise Failed(f"decided: {report['decisions']}")
    if [c["new"] for c in report["changes"]] != [" And ran."] or report["counts"]["left"] != 2:
        raise Failed(f"changed: {report['changes']}, {report['counts']}")
