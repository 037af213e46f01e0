"""Servers that die, files that change under an editor, and documents that go by another name: nothing is forgotten."""

import os

from scenarios import TEXT, scenario, seeds, sentence
from scenarios.monkey_twin import Monkey, monkey
from session import Failed

# Nothing is marked before it is saved.
NEVER = {"idleDelay": 600_000}
NEOVIM = dict(only=("neovim",), plug_in=True)
RECONNECTING = "(setq eglot-autoreconnect t)\n(global-critic-mode)\n"


@scenario(settings=NEVER, **NEOVIM)
def a_server_that_dies_is_started_before_the_next_key_and_nothing_is_lost(editor):
    types_over_a_death(editor)
    editor.escape()
    editor.saves(sentence("The quick {++very dark ++}brown fox jumps."))


def types_over_a_death(editor):
    """The user types on when the server that dies has been followed by another one."""
    editor.insert_before("brown")
    editor.type("very ")
    editor.wait("what was typed to be told", lambda: "very " in editor.text)
    killed = editor.kill_server()
    editor.has_another_server(killed)
    editor.type("dark ")


# Neovim 0.7 stops with an error of its own when it writes to a server that is dead.
@scenario(settings=NEVER, only=("neovim-0.11",), plug_in=True)
def keys_typed_while_the_server_dies_are_recorded(editor):
    editor.insert_before("brown")
    for word in ("very ", "dark ", "and ", "soft "):
        killed = editor.kill_server()
        editor.type(word)
        editor.wait("another server", lambda killed=killed: editor.wire.server_process != killed)
        if word == "and ":
            break
    editor.escape()
    editor.wait("all of it to be told", lambda: "very dark and " in editor.text)
    editor.saves(sentence("The quick {++very dark and ++}brown fox jumps."))


@scenario(settings=NEVER, only=("neovim-0.11",), plug_in=True)
def the_next_server_hears_of_every_edit_after_one_that_was_made_while_none_ran(editor):
    editor.wait("the document to be open", lambda: editor.text == TEXT)
    editor.command("lua vim.lsp.stop_client(vim.lsp.get_active_clients(), true)")
    editor.command("sleep 300m")
    editor.insert_before("brown")
    editor.type("new ")
    editor.escape()
    editor.press(":w", "Enter")
    editor.press(":e", "Enter")
    editor.wait("the next server to know of it", lambda: "new " in editor.text)
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.wait("what was typed to be told", lambda: "red " in editor.text)
    # Whether "new " is recorded depends on whether the server was killed before it heard that the document was closed.
    texts = [sentence(f"The quick {new}brown {{++red ++}}fox jumps.") for new in ("new ", "{++new ++}")]
    for _ in range(2):
        editor.save()
        editor.wait("each mark once", lambda: editor.saved in texts)


@scenario(settings=NEVER, only=("emacs-30",), init=RECONNECTING)
def what_was_typed_is_recorded_when_eglot_connects_again(editor):
    types_over_a_death(editor)
    editor.saves(sentence("The quick {++very dark ++}brown fox jumps."))


@scenario(settings=NEVER, only=("emacs-30",), init=RECONNECTING)
def what_was_recorded_when_eglot_connected_again_can_be_taken_as_original(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.wait("what was typed to be told", lambda: "very " in editor.text)
    editor.has_another_server(editor.kill_server())
    editor.sees("recorded 1 lost change")
    editor.command("critic-take-as-original")
    editor.saves_plain(sentence("The quick very brown fox jumps."))


@scenario(settings=NEVER, only=("helix",), auto_format=True)
def what_was_typed_is_recorded_when_helix_is_told_to_start_the_server_again(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.wait("what was typed to be told", lambda: "very " in editor.text)
    killed = editor.kill_server()
    editor.press(":lsp-restart", "Enter")
    editor.has_another_server(killed)
    editor.saves(sentence("The quick {++very ++}brown fox jumps."))


@scenario(settings=NEVER, only=("neovim-0.11",))
def a_document_that_goes_on_under_another_name_keeps_what_was_typed(editor):
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.command("saveas other.md")
    editor.press(":w!", "Enter")
    other = os.path.join(os.path.dirname(editor.file), "other.md")
    editor.wait("the marks in the other file", lambda: os.path.exists(other) and "{++very ++}" in open(other).read())
    editor.insert_before("fox")
    editor.type("dark ")
    editor.escape()
    editor.press(":w", "Enter")
    editor.wait("marks there again", lambda: "{++dark ++}" in open(other).read())


def reads_what_another_program_wrote(editor, command, text=TEXT, new=sentence("The quick red fox jumps.")):
    editor.wait("the document as it is read over", lambda: editor.text == text)
    # By then the server knows the file as it was, as it does before any writer has read a line.
    editor.pause(0.5)
    with open(editor.file, "w") as file:
        file.write(new)
    editor.press(*command.split(" ", 1), "Enter")
    editor.wait("the other text", lambda: editor.text == new)


@scenario(settings={"idleDelay": 300}, **NEOVIM)
def what_another_program_wrote_is_asked_about_without_taking_a_key_and_can_be_recorded(editor):
    reads_what_another_program_wrote(editor, ":e!")
    editor.sees("(:CriticRecordMeanwhile)")
    editor.press(":CriticRecordMeanwhile", "Enter")
    editor.wait("the marks", lambda: "{~~brown~>red~~}" in editor.text)
    editor.saves(sentence("The quick {~~brown~>red~~} fox jumps."))


@scenario(settings={"idleDelay": 300}, **NEOVIM)
def undo_over_what_another_program_wrote_leads_back_to_the_text_with_its_marks(editor):
    marked = sentence("The quick {++very ++}brown fox jumps.")
    editor.insert_before("brown")
    editor.type("very ")
    editor.escape()
    editor.becomes(marked)
    reads_what_another_program_wrote(editor, ":e!", marked)
    editor.press("u")
    editor.becomes(marked)
    editor.saves(marked)


@scenario(settings={"idleDelay": 300}, only=("neovim-0.11",))
def what_another_program_wrote_is_not_the_writers(editor):
    reads_what_another_program_wrote(editor, ":checktime")
    editor.press("Enter")
    editor.press("Enter")
    if editor.stays() != sentence("The quick red fox jumps."):
        raise Failed(f"the text is {editor.text!r}")


# A document with marks, what a program makes of it that writes it anew without them, and what comes of that.
MARKED = sentence("The quick {~~red~>brown~~} fox{>>which?<<} jumps.")
RED = sentence("The quick red fox jumps.")
WITHOUT_MARKS = sentence("The quick brown fox jumps. It sings.")
WITH_MARKS_AGAIN = sentence("The quick {~~red~>brown~~} fox{>>which?<<} jumps.{++ It sings.++}")


def gets_its_marks_back_until_undo(editor, command, undo):
    reads_what_another_program_wrote(editor, command, MARKED, WITHOUT_MARKS)
    editor.sees("2 marks put back.")
    editor.becomes(WITH_MARKS_AGAIN)
    editor.press(undo)
    editor.becomes(WITHOUT_MARKS)
    editor.stays()


@scenario(text=MARKED, settings={"idleDelay": 1000}, **NEOVIM)
def marks_that_another_program_left_out_come_back_and_one_u_takes_them_away(editor):
    editor.original = RED
    gets_its_marks_back_until_undo(editor, ":e!", "u")
    editor.press("u")
    editor.becomes(MARKED)
    editor.saves(MARKED)


@scenario(text=MARKED, settings={"idleDelay": 1000}, **NEOVIM)
def marks_that_another_program_left_out_are_saved_with_what_it_changed(editor):
    editor.original = RED
    reads_what_another_program_wrote(editor, ":e!", MARKED, WITHOUT_MARKS)
    editor.becomes(WITH_MARKS_AGAIN)
    editor.saves(WITH_MARKS_AGAIN, WITHOUT_MARKS)


@scenario(text=MARKED, settings={"idleDelay": 300}, **NEOVIM)
def marks_of_a_text_that_was_accepted_elsewhere_come_back_only_if_asked_for(editor):
    editor.original = RED
    reads_what_another_program_wrote(editor, ":e!", MARKED, sentence("The quick brown fox jumps."))
    editor.sees("(:CriticRecordMeanwhile)")
    editor.stays()
    editor.press(":CriticRecordMeanwhile", "Enter")
    editor.becomes(MARKED)
    editor.saves(MARKED)


@scenario(text=MARKED, settings={"idleDelay": 1000}, only=("emacs",))
def marks_that_another_program_left_out_come_back_in_emacs_and_undo_takes_them_away(editor):
    gets_its_marks_back_until_undo(editor, "M-: (revert-buffer t t t)", "C-/")


@scenario(text=MARKED, settings={"idleDelay": 1000}, only=("helix",))
def marks_that_another_program_left_out_come_back_in_helix_and_undo_takes_them_away(editor):
    gets_its_marks_back_until_undo(editor, ":reload", "u")


class Dying(Monkey):
    """A monkey whose server is killed between its edits, three times at most: then the plug-in lets it be."""

    # Undo over the death of a server leads to texts that the next one never saw.
    may_undo = False
    deaths = 0

    def edits(self):
        super().edits()
        if self.deaths < 3 and self.chance.random() < 0.5:
            self.deaths += 1
            self.keys.append("kill")
            killed = self.editor.kill_server()
            if self.chance.random() < 0.5:
                super().edits()
            self.editor.wait("another server", lambda: self.editor.wire.server_process != killed)
            self.editor.rests()
            self.agrees()


for number in seeds("1:4"):
    monkey(Dying, number, "in_neovim_whose_server_dies", only=("neovim-0.11",), plug_in=True)
    monkey(Dying, number, "in_emacs_whose_server_dies", only=("emacs-30",), init=RECONNECTING)
