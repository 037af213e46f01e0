"""Our Neovim plug-in: going from change to change, comments on all of them, export, keys."""

import os
import subprocess

from scenarios import scenario
from scenarios.plugin import NEOVIM
from scenarios.reviewing import CHANGED

COMMENTED = "The {++very ++}{>>so it is<<}quick {--brown --}fox {~~jumps~>leaps~~}{>>better<<}.\n\nThe {++real ++}end.\n"


@scenario(text=COMMENTED, **NEOVIM)
def the_next_change_without_a_comment_is_gone_to_and_around_at_the_end(editor):
    for place in ("{--brown", "{++real", "{--brown"):
        editor.command("CriticNextUncommented")
        editor.wait(f"the caret on {place!r}", lambda: editor.caret_is_on(place))


@scenario(text=CHANGED, **NEOVIM)
def steps_that_are_taken_faster_than_they_are_answered_are_all_taken(editor):
    for _ in range(3):
        editor.command("CriticNext")
    editor.wait("the caret on the third", lambda: editor.caret_is_on("{~~jumps"))
    # Back to where the last step began.
    editor.press("``")
    editor.wait("the caret on the second", lambda: editor.caret_is_on("{--brown"))


@scenario(text="Nothing was changed.\n", **NEOVIM)
def where_there_is_no_change_the_steps_say_so(editor):
    editor.command("CriticNext")
    editor.sees("critic: no changes")
    editor.command("CriticAnnotate")
    editor.sees("critic: every change has a comment")


@scenario(text=CHANGED, **NEOVIM)
def a_pass_asks_for_a_comment_on_each_change(editor):
    editor.find("fox")
    editor.command("CriticAnnotate")
    editor.sees("Why “jumps” → “leaps”? (4 to go)")
    editor.type("more of a jump\n")
    editor.sees("Why “real ”? (3 to go)")
    editor.type("is it?\n")
    editor.sees("Why “very ”? (2 to go)")
    editor.type("so it is\n")
    editor.sees("Why “brown ”? (1 to go)")
    editor.type("redundant\n")
    editor.becomes(
        "The {++very ++}{>>so it is<<}quick {--brown --}{>>redundant<<}fox "
        "{~~jumps~>leaps~~}{>>more of a jump<<}.\n\nThe {++real ++}{>>is it?<<}end.\n"
    )
    editor.sees("every change has a comment")
    # Each comment is an undo step of its own.
    editor.undo()
    editor.wait("one comment less", lambda: editor.text.count("{>>") == 3)


@scenario(text=CHANGED, only=("neovim-0.11",), plug_in=True)
def comments_of_a_pass_that_land_while_the_next_is_asked_for_are_steps_of_their_own(editor):
    editor.command("CriticAnnotate")
    editor.sees("Why “very ”? (4 to go)")
    editor.hold()
    editor.type("so it is\n")
    editor.held()
    editor.sees("Why “brown ”? (3 to go)")
    editor.type("redundant\n")
    editor.let_go()
    editor.wait("two comments", lambda: editor.text.count("{>>") == 2)
    editor.press("Escape", "Escape")
    editor.undo()
    editor.wait("one comment less", lambda: editor.text.count("{>>") == 1)


@scenario(text=CHANGED, only=("neovim-0.11",), plug_in=True)
def in_a_pass_an_empty_line_leaves_a_change_without_a_comment_and_escape_ends_it(editor):
    editor.command("CriticAnnotate")
    editor.sees("Why “very ”? (4 to go)")
    editor.type("\n")
    editor.sees("Why “brown ”? (3 to go)")
    editor.type("redundant\n")
    editor.sees("Why “jumps” → “leaps”? (2 to go)")
    editor.press("Escape")
    editor.becomes(CHANGED.replace("{--brown --}", "{--brown --}{>>redundant<<}"))
    editor.command("CriticAnnotate")
    editor.sees("Why “jumps” → “leaps”? (3 to go)")
    for left in (2, 1):
        editor.type("\n")
        editor.sees(f"({left} to go)")
    editor.type("\n")
    editor.sees("3 left without a comment")


@scenario(text=CHANGED, **NEOVIM)
def a_variant_is_shown_in_a_window_of_its_own(editor):
    editor.command("CriticExport")
    editor.sees("The very quick fox leaps.")
    editor.command("q")
    editor.command("CriticExport original")
    editor.sees("The quick brown fox jumps.")
    editor.command("q")
    editor.command("CriticExport fair")
    editor.sees("a variant is one of clean, original, markup")


@scenario(text=CHANGED, **NEOVIM)
def a_variant_is_written_to_a_file_that_is_not_there_yet_or_with_a_bang(editor):
    path = os.path.join(editor.folder, "clean copy.md")

    def written():
        if os.path.exists(path):
            with open(path, newline="") as file:
                return file.read()

    editor.command("CriticExport clean clean copy.md")
    editor.wait("the file", lambda: written() == "The very quick fox leaps.\n\nThe real end.\n")
    editor.command("CriticExport original clean copy.md")
    editor.sees("is there already")
    editor.command("CriticExport! original clean copy.md")
    editor.wait("the other text", lambda: written() == "The quick brown fox jumps.\n\nThe end.\n")


@scenario(text=CHANGED, only=("neovim",), plug_in=True, more="keys = true")
def with_keys_they_do_what_the_commands_do(editor):
    editor.find("very")
    editor.press("]k")
    editor.wait("the caret on the second", lambda: editor.caret_is_on("{--brown"))
    editor.press("\\a")
    editor.becomes(CHANGED.replace("{--brown --}", ""))
    editor.find("jumps")
    editor.press("v", "$", "\\r")
    editor.becomes("The {++very ++}quick fox jumps.\n\nThe {++real ++}end.\n")
    editor.press("[k")
    editor.wait("the caret on the first", lambda: editor.caret_is_on("{++very"))
    editor.press("\\c")
    editor.sees("Comment:")
    editor.type("why?\n")
    editor.becomes("The {++very ++}{>>why?<<}quick fox jumps.\n\nThe {++real ++}end.\n")


OWN_KEYS = "keys = { accept = 'gA' }"
OWN_MAPPING = "vim.keymap.set('n', 'gR', '<Plug>(critic-reject)')\n"


@scenario(text=CHANGED, only=("neovim",), plug_in=True, more=OWN_KEYS, lua=OWN_MAPPING)
def keys_can_be_chosen_one_by_one(editor):
    editor.find("very")
    editor.press("gA")
    editor.becomes(CHANGED.replace("{++very ++}", "very "))
    editor.find("leaps")
    editor.press("gR")
    editor.becomes("The very quick {--brown --}fox jumps.\n\nThe {++real ++}end.\n")


@scenario(only=("neovim",), plug_in=True, more="colour = true")
def an_option_that_is_not_there_is_named(editor):
    editor.sees("there is no option `colour`")


@scenario(**NEOVIM)
def the_health_check_says_where_the_server_runs(editor):
    editor.command("checkhealth critic")
    editor.sees(f"Neovim {editor.version}")
    editor.sees("the program is")
    server = subprocess.run([*editor.server, "--version"], capture_output=True, text=True, check=True)
    editor.sees(f"{server.stdout.strip()} runs in")


@scenario(**NEOVIM)
def the_manual_is_found(editor):
    editor.command("helptags ALL")
    editor.command("help :CriticAnnotate")
    editor.sees("Ask for a comment on each change that has none")


@scenario(text=CHANGED, **NEOVIM)
def the_clean_text_is_shown_beside_the_text_and_follows_it(editor):
    editor.command("CriticView")
    editor.sees("The very quick fox leaps.")
    editor.insert_before("end")
    editor.type("bitter ")
    editor.sees("The real bitter end.")
    editor.escape()
    editor.command("CriticView original")
    editor.sees("The quick brown fox jumps.")
    editor.command("CriticView original")
    editor.wait("one window", lambda: not editor.shows("The quick brown fox jumps."))
    editor.command("CriticView")
    editor.sees("The very quick fox leaps.")
    editor.press("C-w", "l", "q")
    editor.wait("one window", lambda: not editor.shows("The very quick fox leaps."))
    editor.command("CriticView fair")
    editor.sees("a variant is one of clean, original, markup")


@scenario(text="{--Gone.\n--}" * 50 + "".join(f"Line {number}.\n" for number in range(200)), **NEOVIM)
def the_clean_text_beside_the_text_is_at_the_same_place(editor):
    editor.command("CriticView")
    editor.sees("Line 0.")
    editor.find("Line 120")
    editor.wait("it twice", lambda: "\n".join(editor.terminal.screen).count("Line 120.") == 2)
