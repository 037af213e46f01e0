"""Somebody who types, deletes, undoes and wanders about at random, while edits arrive in time or late.

What such a person means cannot be told, but whatever happens the original is never lost.
`SEEDS=100:200 Tests/Editors/run -k monkey` tries others than the usual few.
"""

import random

from scenarios import TEXT, scenario, seeds

WORDS = ("a ", "very ", "the ", "brown", "jump", ", ", ".", "é", " 😀 ", "fox fox ")
ORIGINAL = TEXT * 2
ROUNDS = 40
PAUSES = (0, 0, 0, 0.03, 0.1, 0.3)


def monkey(seed):
    def run(editor):
        chance = random.Random(seed)
        for round in range(ROUNDS):
            # Now and then edits are held back for a while; never several in a row, for then the server gives up.
            late = round % 8 == 7
            if late:
                editor.hold()
            chance.choice((types, types, takes_back, deletes, undoes))(editor, chance)
            editor.pause(chance.choice(PAUSES))
            if late:
                editor.let_go()
        editor.escape()
        # What an undo left unmarked, and half a mark, wait for the user to save.
        editor.save()
        editor.wait("a file that holds the original", lambda: holds_original(editor))

    run.__name__ = f"a_monkey_never_loses_the_original_{seed}"
    scenario(text=ORIGINAL, settings={"idleDelay": 200}, plug_in=True, auto_format=True)(run)


def holds_original(editor):
    # Editors end a file with a line end on their own account.
    return editor.exported("--original", editor.saved or "").rstrip("\n") == ORIGINAL.rstrip("\n")


def types(editor, chance):
    editor.escape()
    editor.press(*chance.choices(editor.moves, k=3))
    editor.insert(chance.choice(editor.ways_to_insert))
    for _ in range(chance.randint(1, 3)):
        editor.type(chance.choice(WORDS))
        editor.pause(chance.choice(PAUSES))


def takes_back(editor, chance):
    if editor.is_normal:
        editor.insert_here()
    editor.press(*chance.choice((["BSpace"], ["BSpace"] * 4, ["DC"], ["DC"] * 3, [editor.word_back], ["Enter"])))


def deletes(editor, chance):
    editor.escape()
    editor.press(*chance.choices(editor.moves, k=2))
    editor.press(*chance.choice(editor.ways_to_delete))


def undoes(editor, chance):
    editor.escape()
    for _ in range(chance.randint(1, 3)):
        editor.undo() if chance.random() < 0.7 else editor.redo()
        editor.pause(chance.choice(PAUSES))


for number in seeds("1:3"):
    monkey(number)
