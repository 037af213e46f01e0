"""Our Neovim plug-in where it shows the clean text of a file that keeps its marks: nothing that is written loses them."""

import os
import signal
import subprocess

from scenarios import scenario
from twin import text_of, twin_of

MARKED = """# Hens

The {~~red~>blue~~} hen {++who laid ++}{>>@anna<<}sat
on the {==wall==}{>>@bo: which?<<}.

One{--, two--} and three.
"""
CLEAN = """# Hens

The blue hen who laid sat
on the wall.

One and three.
"""
ORIGINAL = """# Hens

The red hen sat
on the wall.

One, two and three.
"""

HIDDEN = dict(plug_in=True, hides=True, more="hide = true", settings={"author": "cy"})
BOTH = dict(text=MARKED, only=("neovim",), **HIDDEN)
NEW = dict(text=MARKED, only=("neovim-0.11",), **HIDDEN)


def opens_clean(editor, clean=CLEAN, times=1):
    """Waits until the clean text is shown, and the server has taken the marks from the file so many times.

    Until the editor has heard that they are there, it declines what the server wants to change.
    """
    editor.wait(f"the clean text {clean!r}", lambda: editor.text == clean)

    def is_known():
        results = editor.wire.results("editor", "workspace/executeCommand")
        taken = [place for place, result in enumerate(results) if result == {"marks": "file"}]
        if len(taken) < times:
            return False
        return any(result and "changes" in result for result in results[taken[times - 1] + 1 :])

    editor.wait("the server to know the marks", is_known)


def holds(editor, clean, original=ORIGINAL):
    """Waits until the file has marks that make both texts."""

    def is_held():
        text = editor.saved
        return text and editor.exported("--clean", text) == clean and editor.exported("--original", text) == original

    editor.wait(f"the file to hold {clean!r} of {original!r}", is_held)


def types(editor, word, text):
    editor.insert_before(word)
    editor.type(text)
    editor.escape()


def writes(editor, text, name=None):
    """Another program writes a file, in one step."""
    path = os.path.join(editor.folder, name) if name else editor.file
    with open(path + "-new", "w", newline="") as file:
        file.write(text)
    os.rename(path + "-new", path)


def tells(editor, expression, *values):
    """Waits until an expression of Vim script has one of these values."""
    path = os.path.join(editor.folder, "told")

    def is_told():
        if os.path.exists(path):
            os.remove(path)
        editor.command(f"silent call writefile([string({expression})], 'told')")
        editor.wait("an answer", lambda: os.path.exists(path) and os.path.getsize(path))
        return editor.read("told").strip() in map(str, values)

    editor.wait(f"{expression} to be {values}", is_told)


def is_saved(editor):
    tells(editor, "&modified", 0)


def is_unsaved(editor):
    tells(editor, "&modified", 1)


@scenario(**BOTH)
def a_file_with_marks_is_shown_clean_and_keeps_them_when_it_is_saved(editor):
    opens_clean(editor)
    assert editor.saved == MARKED
    editor.original = CLEAN
    with twin_of(editor) as twin:
        for each in (editor, twin):
            types(each, "laid", "once ")
            each.delete("three")
            each.press("p")
            each.press(":s/One/Two/", "Enter")
        wanted = text_of(twin)
    editor.wait("the text of the twin", lambda: editor.text == wanted)
    editor.save()
    editor.sees("with its marks")
    holds(editor, wanted)
    is_saved(editor)
    assert "{>>@bo: which?<<}" in editor.saved, editor.saved


@scenario(**BOTH)
def what_is_hidden_is_drawn_and_told_of(editor):
    opens_clean(editor)
    editor.sees("hen who laid sat")
    editor.sees("bo  which?")
    editor.sees("red→blue" if editor.name == "neovim-0.11" else "sat red")
    editor.command("CriticStatus")
    editor.sees("the marks are in the file, and hidden")
    editor.command("redraw | echo v:lua.require'critic'.statusline()")
    editor.wait(
        "the status line",
        lambda: editor.command("redraw | echo v:lua.require'critic'.statusline()") or editor.shows("marks hidden"),
    )
    editor.command("checkhealth critic")
    editor.sees("are in the file, and hidden")


@scenario(**BOTH)
def undo_never_leads_to_the_marks(editor):
    opens_clean(editor)
    editor.press("u")
    types(editor, "laid", "once ")
    editor.wait("what was typed", lambda: "once laid" in editor.text)
    editor.command("e!")
    opens_clean(editor, CLEAN, 2)
    editor.press("u")
    editor.wait("what was typed again", lambda: "once laid" in editor.text)
    editor.press("u")
    editor.wait("the text of before", lambda: editor.text == CLEAN)
    for _ in range(3):
        editor.press("u")
    assert editor.stays() == CLEAN
    editor.command("earlier 1d")
    assert editor.stays() == CLEAN


@scenario(**BOTH)
def an_acceptance_and_a_comment_are_written_at_once_and_nobody_is_asked_about_that(editor):
    opens_clean(editor)
    editor.sees("bo  which?")
    editor.find("blue")
    editor.command("CriticAccept")
    holds(editor, CLEAN, ORIGINAL.replace("red", "blue"))
    editor.command("checktime")
    editor.command("CriticComment so it was")
    editor.wait("the comment in the file", lambda: "so it was" in (editor.saved or ""))
    editor.command("checktime")
    is_saved(editor)
    types(editor, "laid", "once ")
    editor.command("checktime")
    is_unsaved(editor)
    assert not editor.shows("has changed"), editor.terminal.screen
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"), ORIGINAL.replace("red", "blue"))
    assert "so it was" in editor.saved
    is_saved(editor)


@scenario(**BOTH)
def a_rejection_is_an_edit_that_is_saved_and_undone(editor):
    opens_clean(editor)
    editor.sees("bo  which?")
    editor.find("blue")
    editor.command("CriticReject")
    red = CLEAN.replace("blue", "red")
    editor.wait("the old word", lambda: editor.text == red)
    is_unsaved(editor)
    editor.save()
    holds(editor, red)
    editor.press("u")
    editor.wait("the new word", lambda: editor.text == CLEAN)
    editor.save()
    holds(editor, CLEAN)


@scenario(settings={"author": "cy", "idleDelay": 600_000}, **{k: v for k, v in BOTH.items() if k != "settings"})
def a_server_that_is_killed_before_the_file_is_saved_is_followed_by_one_that_saves_it(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    killed = editor.kill_server()
    editor.has_another_server(killed)
    types(editor, "sat", "then ")
    editor.save()
    holds(editor, CLEAN.replace("laid sat", "once laid then sat"))
    is_saved(editor)


@scenario(**NEW)
def a_file_is_saved_although_the_server_is_killed_right_before(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    editor.kill_server()
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"))
    is_saved(editor)


@scenario(**BOTH)
def nothing_is_written_without_a_server_but_a_copy_where_that_is_asked_for(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    editor.command("lua vim.lsp.stop_client(vim.lsp.get_active_clients(), true)")
    editor.command("sleep 300m")
    editor.save()
    editor.sees("not written: the server does not")
    is_unsaved(editor)
    writes(editor, "mine\n", "doc.md.clean")
    editor.press(":w!", "Enter")
    editor.sees("doc.md.clean.2")
    editor.wait("the copy", lambda: editor.read("doc.md.clean.2") == CLEAN.replace("laid", "once laid"))
    assert editor.read("doc.md.clean") == "mine\n"
    is_unsaved(editor)
    editor.press(":x", "Enter")
    editor.sees("not written: the server does not")
    assert editor.saved == MARKED
    assert not editor.terminal.ended


@scenario(**BOTH)
def what_another_program_changed_is_not_written_over(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    other = MARKED.replace("three", "{~~three~>four~~}")
    writes(editor, other)
    editor.save()
    editor.sees("not written: ")
    assert editor.saved == other
    is_unsaved(editor)
    editor.press(":w!", "Enter")
    editor.wait("the copy", lambda: editor.read("doc.md.clean") == CLEAN.replace("laid", "once laid"))
    assert editor.saved == other
    editor.command("e!")
    opens_clean(editor, CLEAN.replace("three", "four"), 2)
    types(editor, "laid", "twice ")
    editor.save()
    holds(editor, CLEAN.replace("three", "four").replace("laid", "twice laid"))


@scenario(**BOTH)
def what_is_checked_out_is_read_clean_and_undo_leads_back(editor):
    for arguments in ("init -q", "add doc.md", "-c user.name=a -c user.email=a@b commit -qm a"):
        subprocess.run(["git", *arguments.split()], cwd=editor.folder, check=True)
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.save()
    once = CLEAN.replace("laid", "once laid")
    holds(editor, once)
    is_saved(editor)
    subprocess.run(["git", "checkout", "-q", "doc.md"], cwd=editor.folder, check=True)
    assert editor.saved == MARKED
    editor.command("checktime")
    opens_clean(editor, CLEAN, 2)
    is_saved(editor)
    editor.press("u")
    editor.wait("the text of before", lambda: editor.text == once)
    editor.save()
    holds(editor, once)


@scenario(**BOTH)
def a_text_with_changes_is_asked_about_when_another_program_changes_the_file(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    other = MARKED.replace("three", "{~~three~>four~~}")
    writes(editor, other)
    editor.command("checktime")
    editor.sees("(L)oad")
    editor.press("Enter")
    # What is typed while the question is still shown is lost.
    editor.wait("the question to be gone", lambda: not editor.shows("(L)oad"))
    is_unsaved(editor)
    writes(editor, other.replace("One", "Two"))
    editor.command("checktime")
    editor.sees("(L)oad")
    editor.press("l")
    opens_clean(editor, CLEAN.replace("three", "four").replace("One", "Two"), 2)
    is_saved(editor)


@scenario(**BOTH)
def marks_that_another_program_changes_alone_are_taken_from_the_file(editor):
    opens_clean(editor)
    writes(editor, MARKED.replace("{~~red~>blue~~}", "blue"))
    editor.command("checktime")
    opens_clean(editor, CLEAN, 2)
    types(editor, "laid", "once ")
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"), ORIGINAL.replace("red", "blue"))


SWAPPING = "vim.o.swapfile = true\nvim.o.directory = vim.env.HOME\nvim.o.updatetime = 100\n"


@scenario(lua=SWAPPING, **BOTH)
def what_was_typed_before_neovim_was_killed_is_recovered_clean(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    once = CLEAN.replace("laid", "once laid")
    editor.wait("what was typed to be told", lambda: editor.text == once)
    editor.command("preserve")
    editor.command("call writefile([string(getpid())], 'pid')")
    process = int(editor.wait("the process", lambda: editor.read("pid")))
    os.kill(process, signal.SIGKILL)
    editor.wait("the editor to end", lambda: editor.terminal.ended)
    editor.terminal.close()
    editor.run("-r")
    editor.sees("Press ENTER")
    editor.press("Enter")
    editor.sees("once laid")
    opens_clean(editor, once, 2)
    is_unsaved(editor)
    for _ in range(3):
        editor.press("u")
    assert editor.stays() == once
    editor.save()
    holds(editor, once)


@scenario(**BOTH)
def another_file_gets_what_is_seen_and_the_file_itself_no_part_of_it(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    once = CLEAN.replace("laid", "once laid")
    editor.command("w other.md")
    editor.sees("without marks")
    assert editor.read("other.md") == once
    is_unsaved(editor)
    assert editor.saved == MARKED
    editor.command("1,3w! doc.md")
    editor.sees("not written")
    editor.command("w! >> doc.md")
    editor.sees("not written")
    assert editor.saved == MARKED
    editor.command("1w! other.md")
    editor.wait("the part", lambda: editor.read("other.md") == "# Hens\n")
    editor.command("saveas new.md")
    editor.wait("the text under the other name", lambda: editor.read("new.md") == once)
    assert editor.saved == MARKED
    is_saved(editor)
    editor.file = os.path.join(editor.folder, "new.md")
    opens_clean(editor, once, 2)
    types(editor, "three", "all ")
    editor.save()
    holds(editor, once.replace("three", "all three"), once)


LISTENING = """
vim.api.nvim_create_autocmd({ 'BufWritePre', 'BufWritePost' }, { pattern = '*.md', callback = function(event)
  vim.fn.writefile({ event.event .. ' ' .. vim.fn.fnamemodify(event.match, ':t') }, vim.env.HOME .. '/heard', 'a')
end })
vim.o.backup = true
vim.o.backupskip = ''
vim.o.backupdir = vim.env.HOME .. '/backups'
vim.fn.mkdir(vim.o.backupdir, 'p')
"""


@scenario(lua=LISTENING, **BOTH)
def whoever_listens_hears_of_what_is_written_and_what_was_there_is_backed_up(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.command("wa")
    holds(editor, CLEAN.replace("laid", "once laid"))
    editor.wait("both", lambda: editor.read("heard") == "BufWritePre doc.md\nBufWritePost doc.md\n")
    editor.wait("the server to be told", lambda: editor.wire.sent("editor", "textDocument/didSave"))
    assert editor.read("backups/doc.md~") == MARKED


@scenario(text=MARKED.replace("\n", "\r\n").removesuffix("\r\n"), only=("neovim",), **HIDDEN)
def line_ends_stay_and_the_last_line_gets_one_as_in_neovim(editor):
    clean, original = (text.replace("\n", "\r\n") for text in (CLEAN, ORIGINAL))
    opens_clean(editor, clean.removesuffix("\r\n"))
    types(editor, "laid", "once ")
    editor.command("w")
    holds(editor, clean.replace("laid", "once laid"), original)
    is_saved(editor)
    editor.command("set ff=unix")
    editor.save()
    editor.sees("not written: line ends")
    is_unsaved(editor)
    holds(editor, clean.replace("laid", "once laid"), original)


@scenario(text=MARKED.removesuffix("\n"), only=("neovim",), **HIDDEN)
def lines_are_put_behind_a_last_one_without_an_end_where_marks_are_hidden(editor):
    opens_clean(editor, CLEAN.removesuffix("\n"))
    editor.press("G", "o", "new", "Escape", "y", "y", "p")
    editor.command("w")
    holds(editor, CLEAN + "new\nnew\n")
    is_saved(editor)
    editor.press("d", "d")
    editor.command("w")
    holds(editor, CLEAN + "new\n")
    is_saved(editor)


@scenario(text=MARKED.removesuffix("\n"), only=("neovim",), lua="vim.o.fixendofline = false\n", **HIDDEN)
def marks_are_shown_where_a_last_line_is_to_have_no_end(editor):
    editor.sees("the marks are shown: its last line has no end")
    types(editor, "laid", "once ")
    editor.command("w")
    holds(editor, CLEAN.replace("laid", "once laid").removesuffix("\n"), ORIGINAL.removesuffix("\n"))
    is_saved(editor)


@scenario(text="\ufeff" + MARKED, only=("neovim",), **HIDDEN)
def a_byte_order_mark_stays(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.save()
    holds(editor, "\ufeff" + CLEAN.replace("laid", "once laid"), "\ufeff" + ORIGINAL)
    is_saved(editor)


@scenario(text=CLEAN, only=("neovim",), plug_in=True, hides=True, more="hide = true", settings={"tracking": "on"})
def a_file_without_marks_gets_its_first_ones(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"), CLEAN)
    assert "{++once ++}" in editor.saved
    assert editor.stays() == CLEAN.replace("laid", "once laid")


LATIN = "vim.fn.system({ 'sh', '-c', 'printf \"Fif\\\\351th {++hen++}.\\\\n\" > doc.md' })\n"


@scenario(lua=LATIN, **BOTH)
def a_file_that_is_not_utf_8_is_shown_with_its_marks(editor):
    editor.sees("the marks are shown: it is not UTF-8")
    tells(editor, "getline(1)", "Fiféth {++hen++}.", "'Fiféth {++hen++}.'")
    is_saved(editor)


@scenario(text=MARKED, only=("neovim",), plug_in=True, hides=True)
def marks_are_hidden_and_shown_by_commands(editor):
    editor.wait("the marks", lambda: editor.text == MARKED)
    editor.command("CriticHide")
    opens_clean(editor)
    editor.press("u")
    assert editor.stays() == CLEAN
    tells(editor, "execute('messages') =~ 'without its marks'", 0)
    types(editor, "laid", "once ")
    editor.command("CriticShow")
    editor.sees("save first")
    editor.save()
    once = CLEAN.replace("laid", "once laid")
    holds(editor, once)
    editor.command("CriticShow")
    editor.wait("the marks", lambda: editor.text == editor.saved)
    editor.press("u")
    assert editor.stays() == editor.saved
    types(editor, "three", "all ")
    editor.save()
    holds(editor, once.replace("three", "all three"))
    assert editor.text == editor.saved


UNDOING = "vim.o.undofile = true\nvim.o.undodir = vim.env.HOME\n"


@scenario(lua=UNDOING, **BOTH)
def undo_that_is_kept_with_the_file_is_that_of_the_clean_text(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.save()
    once = CLEAN.replace("laid", "once laid")
    holds(editor, once)
    editor.command("bwipeout | edit doc.md")
    opens_clean(editor, once, 2)
    editor.press("u")
    editor.wait("the text of before", lambda: editor.text == CLEAN)
    is_unsaved(editor)
    editor.press("u")
    assert editor.stays() == CLEAN
    editor.press("C-r")
    editor.wait("the text of after", lambda: editor.text == once)


@scenario(**BOTH)
def clean_texts_are_compared_and_shown_in_two_windows(editor):
    opens_clean(editor)
    writes(editor, MARKED.replace("One", "Two"), "other.md")
    editor.command("vertical diffsplit other.md")
    editor.sees("Two and three.")
    tells(editor, "join(getline(1, '$'), '|') =~ '[{}]'", 0)
    tells(editor, "len(filter(range(1, line('$')), 'diff_hlID(v:val, 1) > 0'))", 1)
    editor.command("only | split | buffer doc.md")
    types(editor, "laid", "once ")
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"))


@scenario(**BOTH)
def a_session_that_is_restored_shows_the_clean_text(editor):
    opens_clean(editor)
    editor.command("mksession! s.vim | bwipeout | source s.vim")
    opens_clean(editor, CLEAN, 2)
    types(editor, "laid", "once ")
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"))


@scenario(**BOTH)
def marks_that_a_command_moves_into_the_text_are_saved_there(editor):
    opens_clean(editor)
    editor.command(
        "lua require('critic.server').execute(vim.api.nvim_get_current_buf(), 'marks', { marks = 'inline' })"
    )
    editor.wait("the marks", lambda: editor.text == MARKED)
    editor.save()
    editor.wait("the marks in the file", lambda: editor.saved == MARKED)
    is_saved(editor)
    types(editor, "laid", "once ")
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"))


@scenario(**BOTH)
def what_looks_like_marks_is_saved_as_text_and_read_again_with_the_marks_that_keep_it_apart(editor):
    opens_clean(editor)
    editor.insert_at_end_of_line("three")
    editor.type(" {++so++} {>>no<<}")
    editor.escape()
    typed = CLEAN.replace("three.", "three. {++so++} {>>no<<}")
    editor.wait("what was typed to be told", lambda: editor.text == typed)
    editor.save()
    holds(editor, typed)
    is_saved(editor)
    editor.command("e")
    editor.sees("the marks are shown: its text looks")
    editor.wait("the marks", lambda: editor.text == editor.saved)
    editor.press("u")
    assert editor.stays() == editor.saved
    editor.save()
    holds(editor, typed)


@scenario(lua="vim.o.autoread = false\n", **BOTH)
def who_reads_no_file_by_itself_is_asked_and_reads_it_clean(editor):
    opens_clean(editor)
    writes(editor, MARKED.replace("three", "{~~three~>four~~}"))
    editor.command("checktime")
    editor.sees("(L)oad")
    editor.press("l")
    opens_clean(editor, CLEAN.replace("three", "four"), 2)


@scenario(text=MARKED, only=("neovim-0.11",), plug_in=True, hides=True, enabled="`vim.lsp.enable`")
def marks_are_hidden_where_neovim_starts_the_server_by_itself(editor):
    editor.wait("the marks", lambda: editor.text == MARKED)
    editor.command("CriticHide")
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.save()
    holds(editor, CLEAN.replace("laid", "once laid"))
    editor.command("CriticShow")
    editor.wait("the marks", lambda: editor.text == editor.saved)


@scenario(**BOTH)
def a_file_that_is_written_without_autocommands_gets_its_marks_back(editor):
    opens_clean(editor)
    types(editor, "laid", "once ")
    editor.wait("what was typed to be told", lambda: "once " in editor.text)
    editor.command("noautocmd write")
    editor.sees("has its marks again")
    once = CLEAN.replace("laid", "once laid")
    holds(editor, once)
    assert "{>>@bo: which?<<}" in editor.saved
    is_saved(editor)
    types(editor, "three", "all ")
    editor.save()
    holds(editor, once.replace("three", "all three"))
