"""A monkey with a twin, and an agent on the same draft: it proposes, and decides for the writer, while keys are pressed.

The twin has no server and no agent. What it holds must be the clean text but for what the agent has written, the original
must be there but for what was accepted, and who waits must be told what became of each proposal.
`SEEDS=100:200 Tests/Editors/run -k monkey_agent` tries others than the usual one.
"""

import json
import random
import threading

from scenarios import scenario, seeds
from scenarios.agents import NAMES, PARAGRAPHS, TELLS, calls, says_done, told, waits
from scenarios.monkey_twin import Monkey, draft
from session import Failed
from twin import twin_of

STEPS = 18


class Beside(Monkey):
    # It would take back what the agent did, which the twin has not done.
    may_undo = False

    def __init__(self, editor, twin, chance):
        super().__init__(editor, twin, chance)
        # What became of each proposal, by its name; None while it is in marks.
        self.proposed = {}
        self.refused = 0
        self.hand = None

    def plays(self):
        thread, outcome = waits(self.editor, "--timeout", "600")
        for _ in range(STEPS):
            self.edits()
        self.saves()
        says_done(self.editor)
        thread.join()
        told(outcome[0])
        self.was_told(json.loads(outcome[0].stdout))

    def edits(self):
        self.hand = threading.Thread(target=self.chooses())
        self.hand.start()
        super().edits()
        self.joins()

    def joins(self):
        if self.hand:
            self.hand.join()
            self.hand = None
        accepted = [name for name, decision in self.proposed.items() if decision == "accepted"]
        for name in accepted:
            self.editor.original = self.editor.original.replace(f"word{name} ", f"term{name} ")

    def agrees(self):
        self.joins()
        super().agrees()

    def keeps_its_promises(self):
        # What the clean text must be is seen already.
        self.editor.promises(self.editor.original)

    @property
    def clean(self):
        return super().clean.replace(" term", " word")

    def chooses(self):
        """What the agent does next, chosen beforehand: the choices must not depend on who is faster."""
        left = [name for name in NAMES if name not in self.proposed]
        pending = [name for name, decision in self.proposed.items() if decision is None]
        if left and (not pending or self.chance.random() < 0.6):
            return lambda: self.proposes(left[0])
        if pending:
            name, decision = self.chance.choice(pending), self.chance.choice(("accept", "reject"))
            return lambda: self.decides(name, decision)
        return lambda: None

    def proposes(self, name):
        edits = json.dumps([{"old": f"word{name}", "new": f"term{name}", "reason": "livelier"}])
        if self.answers("propose", "--author", f"ai:{name}", given=edits):
            self.proposed[name] = None

    def decides(self, name, decision):
        if self.answers(decision, "--author", f"ai:{name}"):
            self.proposed[name] = decision + "ed"

    def answers(self, *arguments, given=""):
        """Whether it was done: the editor may refuse what comes while it is busy."""
        done = calls(self.editor, *arguments, "--in-place", given=given)
        self.keys.append(f"{' '.join(arguments)}: {done.returncode}")
        if done.returncode not in (0, 2):
            raise Failed(f"{arguments} ended with {done.returncode}: {done.stderr}")
        self.refused += done.returncode == 2
        return done.returncode == 0

    def was_told(self, report):
        if self.refused * 2 > STEPS:
            raise Failed(f"{self.refused} of {STEPS} calls were refused:\n{self.told}")
        decided = {change["author"]: change["decision"] for change in report["decisions"]}
        for name, decision in self.proposed.items():
            if decided.get(f"ai:{name}") != decision:
                raise Failed(f"ai:{name} is {decision}, and told is {decided}\n{self.told}")
        pending = [name for name, decision in self.proposed.items() if decision is None]
        if self.editor.saved.count("{>>@ai:") != len(pending):
            raise Failed(f"{pending} are pending in {self.editor.saved!r}")


def monkey(seed):
    def run(editor):
        with twin_of(editor) as twin:
            Beside(editor, twin, random.Random(seed)).plays()

    run.__name__ = f"a_monkey_and_an_agent_lose_nothing_of_each_other_{seed}"
    text = PARAGRAPHS + draft(random.Random(seed))
    scenario(text=text, settings={"idleDelay": 200}, plug_in=True, auto_format=True, only=TELLS, size=(120, 70))(run)


for number in seeds("1:1"):
    monkey(number)
