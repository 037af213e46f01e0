/// What a program that edits drafts has to know; `docs/agents.md` says the same.
enum AgentGuide {
  static let text = """
    # Editing a draft that a person settles

    A document with tracked changes is plain Markdown with CriticMarkup in it:

        {++added++}  {--deleted--}  {~~old~>new~~}  {==highlighted==}  {>>comment<<}

    What you change, you propose; the person accepts or rejects it in their editor. Say why.

    ## Propose edits

    Give critic-lsp the text as it reads now, what it should read, and the reason:

        critic-lsp propose draft.md --author ai:model --edits - --in-place <<'END'
        [{"old": "very unique", "new": "unique", "reason": "[style] unique has no degrees"}]
        END

    - `old` is a piece of the clean text, the one in which every change is accepted:
      critic-lsp export draft.md. It has to occur once; else add `after`, what stands right
      before it, `before`, what stands right after it, or the `lines` of the clean text that it
      is in: `[12, 14]`. `"replace_all": true` means every place, and each becomes a change.
    - `new` takes its place. Empty: it is deleted. To add text, give `insert_after` or
      `insert_before`, the text beside it, in place of `old`. `lines` without `old` are replaced;
      lines shift when somebody writes, so give `old`, too, where you can.
    - A line end in them means the file's own. No CriticMarkup in `new`: the marks are written
      for you, inside a highlight where there is one.
    - `reason` becomes a comment on the change; `--author` says whose it is.
    - All edits are checked before one is written. Exit code 2: nothing was written, and the
      message names the edit and the lines where `old` was found, or how a text is spelled
      there that is like it. An edit that changes nothing is named, and the others are made.
      `--partial` makes those that can be made; exit code 1: some were left out.
    - To revise what you proposed, propose an edit of the text as it reads with it. The tools `revise`
      and `withdraw`, below, change it as if it had not been there.
    - To move a text, delete it in one edit and put it in with another. What is proposed in it goes
      along as it reads when accepted, and can no longer be settled by itself; its comments stay with
      the deletion. So wait until the person has settled it.
    - If the person has the file open in an editor, the edit is made there, where they see it
      and can undo it, and what they have not saved is kept: standard error says so. The file
      changes when they save. Exit code 2 if the editor does not take the edit, because a menu
      is open or they are writing in that very place; try again later.

    Prefer many small edits with a reason each to one large one: each is settled by itself.

    ## Wait for the person

        critic-lsp wait draft.md --author ai:model --format json --timeout 100

    It ends when the person says “Done reviewing” in their editor, and tells what became of each
    change, what they changed themselves, and what they commented. Exit code 1: not yet; call it
    again. What they answer is in `comments`; answer them with `propose`, and wait again. A change has
    the `id` there that the tool `propose` answered when you proposed it.

    ## Rewrite a whole text

    Write it, without marks, into another file, and have the marks of the draft put on it:

        critic-lsp carry draft.md rewritten.md --author ai:model --append -o draft.md

    What you changed becomes changes. Marks and comments go where their text is still there; exit
    code 1: the others are listed, and stand in comments at the end.

    ## Write marks by hand

    Where you edit the file yourself, write the marks yourself, whole words, nothing nested:

        The {~~red~>blue~~}{>>@ai:model: clearer<<} hen{++ and her chicks++}.

    - A comment right behind a mark belongs to it; `@name: ` at its beginning says who wrote it.
    - Deleted text stays in its mark, byte for byte. Text that you do not change stays as it is.
    - In code, marks are text: put the whole code span or the whole fenced block into one
      substitution.
    - In a list or a table, mark what is in an item or a cell, not across.
    - Where draft.md.critic lies beside draft.md, that has the marks, and a mark in draft.md is text:
      propose and comment with the commands above.
    - critic-lsp check --malformed draft.md tells what is not a mark though it looks like one.

    ## Read what was changed, and what became of it

        critic-lsp changes --format jsonl draft.md
        critic-lsp decisions proposed.md final.md --format jsonl
        critic-lsp export --original draft.md
        critic-lsp lessons --since HEAD~50 --format markdown .

    ## Over the Model Context Protocol

        critic-lsp mcp ~/book

    as the command of a server in your settings, with the folders and files that you may reach. The
    tools: list_documents, read, changes, propose, comment, revise, withdraw, wait_for_review,
    decisions; they do what stands here, and each says what it takes. Of a long text, read a section by
    its `heading`, and ask for changes with `detail` `brief`. A change has an `id`, which stays while
    others come and go. `revise` and `withdraw` take the `id` that `propose` answered: what you proposed
    is changed or taken back while nobody has settled, changed or answered it, and the server runs;
    else they say why not, and the person decides. `comment` on a change whose thread is resolved opens
    the thread again. The revisions from 2024-11-05 to 2026-07-28 are spoken.

    ## As a skill

    critic-lsp help agents --skill prints the short form of this page as a SKILL.md, which agents
    load when a task calls for it. Claude Code looks for ~/.claude/skills/critic-lsp/SKILL.md, Codex
    for ~/.agents/skills/critic-lsp/SKILL.md, OpenCode for both, each of them also in a project.

    ## Where nobody is to write past the marks

    critic-lsp guard, as a hook, makes proposals of what an agent would write into a Markdown file
    with its own tools, and of what its shell has written; files that are named behind it, in any
    language, it guards alone. In the settings of Claude Code (.claude/settings.json):

        {"hooks": {
          "PreToolUse": [{"matcher": "Write|Edit|MultiEdit|Bash",
            "hooks": [{"type": "command", "command": "critic-lsp guard --author ai:claude"}]}],
          "PostToolUse": [{"matcher": "Bash",
            "hooks": [{"type": "command", "command": "critic-lsp guard --author ai:claude"}]}],
          "PostToolUseFailure": [{"matcher": "Bash",
            "hooks": [{"type": "command", "command": "critic-lsp guard --author ai:claude"}]}]}}

    In those of Codex (~/.codex/config.toml):

        [[hooks.PreToolUse]]
        matcher = "apply_patch|Bash"
        [[hooks.PreToolUse.hooks]]
        type = "command"
        command = "critic-lsp guard --author ai:codex"

        [[hooks.PostToolUse]]
        matcher = "Bash"
        [[hooks.PostToolUse.hooks]]
        type = "command"
        command = "critic-lsp guard --author ai:codex"

    OpenCode takes a plug-in, .opencode/plugins/critic-lsp.js:

        import { spawnSync } from "node:child_process"
        import { existsSync } from "node:fs"
        import { resolve } from "node:path"

        export const CriticGuard = async ({ directory }) => ({
          "tool.execute.before": async ({ tool, callID }, { args }) => {
            if (tool === "bash") return void shell(directory, "PreToolUse", callID)
            const { filePath: file_path, oldString: old_string, newString: new_string } = args
            const calls = {
              write: ["Write", { file_path, content: args.content }],
              // Without an old text it writes the whole file.
              edit: old_string
                ? ["Edit", { file_path, old_string, new_string, replace_all: args.replaceAll }]
                : ["Write", { file_path, content: new_string }],
              apply_patch: ["apply_patch", { command: args.patchText }],
            }
            const [tool_name, tool_input] = calls[tool] ?? []
            if (!tool_name) return
            const guard = run({ cwd: directory, tool_name, tool_input })
            if (guard.status !== 0) throw new Error(`${guard.error ?? guard.stderr}`)
            if (guard.stdout.length > 0) {
              throw new Error(JSON.parse(guard.stdout).hookSpecificOutput.permissionDecisionReason)
            }
            // OpenCode would take a text that is only like the old one, and write past the marks.
            const updates = args.patchText?.matchAll(/^\\*\\*\\* Update File: (.+)$/gm) ?? []
            const paths = file_path ? [file_path] : [...updates].map((update) => update[1])
            const isDraft = (path) =>
              /\\.(md|markdown|mdo?wn|mkdn?|mkdown|[qr]md)$/i.test(path)
              && existsSync(resolve(directory, path))
            if (tool_name !== "Write" && paths.some(isDraft)) {
              throw new Error("The old text is not there letter by letter; read the file again.")
            }
          },
          "tool.execute.after": async ({ tool, callID }, result) => {
            const told = tool === "bash" ? shell(directory, "PostToolUse", callID).stdout : ""
            if (told?.length > 0) {
              result.output += `\\n${JSON.parse(told).hookSpecificOutput.additionalContext}`
            }
          },
        })

        const run = (call) =>
          spawnSync("critic-lsp", ["guard", "--author", "ai:opencode"], { input: JSON.stringify(call) })

        const shell = (cwd, hook_event_name, tool_use_id) =>
          run({ cwd, hook_event_name, tool_use_id, tool_name: "Bash", tool_input: {} })

    A call of such a tool is denied, with the reason that it is done: do not write again. A shell is
    called, and you are told of the files in which what it wrote has become changes; what the person
    saved meanwhile stays theirs. Name the drafts behind guard, critic-lsp guard chapters, where a
    shell may change other Markdown files, as git checkout does.

    Beside an agent without hooks, and for what a shell writes in the background, the person starts

        critic-lsp guard --watch --author ai:model chapters

    While a file is open in an editor with the server, what is saved there is the person's. In a file
    that is not, everything that is written counts as the agent's.

    ## What you must not do

    - Do not accept or reject changes, and do not remove marks or comments of others: that is for
      the person. (critic-lsp mcp has no tool for it.)
    - Do not write clean text over text that has marks in it: its changes would be lost.
    - Do not change anything in {--deleted--} text or in comments of others.

    """
}
