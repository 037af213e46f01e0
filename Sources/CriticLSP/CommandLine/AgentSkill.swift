/// The guide for agents as a skill: a `SKILL.md` that agents load when a task calls for it.
///
/// https://agentskills.io/specification
enum AgentSkill {
  /// The option of `critic-lsp help agents` that prints it.
  static let option = "--skill"

  static let text = """
    ---
    name: critic-lsp
    description: Edits Markdown as tracked changes (CriticMarkup) that the writer accepts or \
    rejects in their editor, with a reason for each. Use it to edit, proofread, shorten, revise \
    or comment on prose in a Markdown file, or when a file has marks such as {++added++}, \
    {--deleted--}, {~~old~>new~~} or {>>comment<<} in it.
    ---

    # Propose changes of a draft, and let the writer settle them

    The draft is Markdown with CriticMarkup in it, and the writer may have it open right now. You
    propose; they accept or reject. Where you have the tools of `critic-lsp mcp` (`read`, `changes`,
    `propose`, `comment`, `revise`, `withdraw`, `wait_for_review`), call these; else run the commands
    below. In the place of `ai:model` write your own name.

    ## 1. Read the clean text

    The one in which every change is accepted. Your edits are of this text, never of the marks.

        critic-lsp export draft.md

    It is what was saved last; the tool `read` has what the writer has not saved yet, too.

    What is proposed and said in it already, so that you do not say it again:

        critic-lsp changes --format json draft.md

    ## 2. Propose small edits, each with its reason

        critic-lsp propose draft.md --author ai:model --edits - --in-place <<'END'
        [{"old": "very unique", "new": "unique", "reason": "[concision] it has no degrees"},
         {"old": "hen", "after": "A blue ", "new": "cockerel", "reason": "[accuracy] see page 2"}]
        END

    - `old` is copied from the clean text, letter by letter, and occurs once; else add `after`, what
      stands right before it, or `before`, what stands right after it.
    - `new` is what it should read, without marks. Empty, it deletes. To add text, give
      `insert_after` or `insert_before`, the text beside it, in place of `old`.
    - One edit for each thing that the writer may want to decide by itself: words, not paragraphs.
    - The reason is one sentence. It may begin with [tone], [clarity], [structure], [grammar],
      [concision] or [accuracy].

    ## 3. Ask instead of guessing

    Where you do not know what is meant, or a fact is missing, comment, and change nothing. `text` is
    a piece of the clean text that occurs once.

        critic-lsp propose draft.md --author ai:model --edits - --in-place <<'END'
        {"review": 1, "items": [{"text": "sat on an egg", "comment": "Whose egg is it?"}]}
        END

    ## 4. Wait for the writer

        critic-lsp wait draft.md --author ai:model --format json --timeout 100

    Exit code 1: not done yet; run it again, as often as it takes. Exit code 0: they have reviewed
    it. Read the report before you do anything else:

    - `decisions`: what was accepted, rejected or edited. Do not propose again what was rejected.
    - `changes`: what the writer changed. It stays.
    - `comments`: what they say. Answer by an edit or a comment, and wait again.
    - `counts`: with `left` at 0 and no comments you are done.

    ## After an error

    Exit code 2, or an error of a tool: nothing was written, and the message says why.

    - Not in the clean text, or at several places: the message says where, or how it is spelled there.
      Read the clean text again; the writer may have changed it. Copy `old` anew, or add `after` or
      `before`. Send all edits again. If it is there and yet not found, the writer has changed it and
      not saved it: leave it alone until it is saved.
    - The editor did not take the edit: the writer is typing there. Try again after a while.
    - Anything else: tell the writer what the message says.

    Never write the file by other means because a command failed.

    ## Never

    - Never write the file with another tool: no write, edit or patch tool, no shell, no formatter.
      The marks, and what the writer has not saved, would be lost.
    - Never accept or reject a change. That is the writer's.
    - Never remove or alter marks, comments, names or dates, your own included.
    - Never put marks into `new`.

    `critic-lsp help agents` says more: how to put the marks on a text that was rewritten as a whole,
    and how to write marks by hand.

    """
}
