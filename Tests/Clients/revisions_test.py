"""Every tool in every revision of the Model Context Protocol, called by a second client, `plain_agent.py`."""

import pytest

from conftest import ENVIRONMENT, SERVER
from plain_agent import REVISIONS, Agent

DRAFT = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
PROPOSED = DRAFT.replace("very unique", "{~~very unique~>rare~~}{>>@ai: short<<}")
EDIT = {"old": "very unique", "new": "rare", "reason": "short"}


def _agent(folder, revision):
    return Agent([*SERVER, "mcp", str(folder)], revision, ENVIRONMENT)


@pytest.mark.parametrize("revision", REVISIONS)
def every_tool_is_called_in_every_revision(tmp_path, revision):
    draft = tmp_path / "draft.md"
    draft.write_text(DRAFT)
    called = set()
    with _agent(tmp_path, revision) as agent:
        def call(tool, **arguments):
            called.add(tool)
            failed, text, said = agent.call(tool, **arguments)
            assert not failed, text
            return said

        def about(tool, **arguments):
            return call(tool, path="draft.md", **arguments)

        assert call("list_documents")["documents"] == [{"path": "draft.md", "changes": 1, "open": 1}]
        assert about("read")["text"] == "The very unique hen.\n\nA blue hen.\n"
        [made] = about("propose", edits=[EDIT], author="ai")["changes"]
        assert draft.read_text() == PROPOSED
        [revised] = about("revise", change=made["id"], new="odd", reason="odder", author="ai")["changes"]
        assert draft.read_text() == PROPOSED.replace("rare", "odd").replace("short", "odder")
        assert [change["id"] for change in about("changes", detail="brief")["changes"]][0] == revised["id"]
        about("withdraw", change=revised["id"], author="ai")
        assert draft.read_text() == DRAFT
        assert about("wait_for_review", timeout=1)["done"] is False
        told = about("decisions", proposed=PROPOSED.replace("rare", "odd"))["decisions"]
        assert [decision["decision"] for decision in told] == ["withdrawn", "pending"]
        about("comment", text="unique", comment="How?", author="ai")
        assert draft.read_text() == DRAFT.replace("unique", "{==unique==}{>>@ai: How?<<}")
        assert called == set(agent.tools)


@pytest.mark.parametrize("revision", REVISIONS)
def what_is_not_ones_own_or_not_as_it_was_is_not_taken_back(tmp_path, revision):
    draft = tmp_path / "draft.md"
    draft.write_text(DRAFT)
    with _agent(tmp_path, revision) as agent:
        path = {"path": "draft.md"}
        [made] = agent.call("propose", **path, edits=[EDIT], author="ai")[2]["changes"]
        answered = PROPOSED.replace("short<<}", "short<<}{>>@bea: No.<<}")
        for text, author, said in (
            (PROPOSED, "other", "it is ai's"),
            (answered, "ai", "bea commented on it since"),
            (PROPOSED.replace("rare", "quite rare"), "ai", "is no longer there as it was proposed"),
            (DRAFT.replace("very unique", "rare"), "ai", "is no longer there as it was proposed"),
        ):
            draft.write_text(text)
            for tool, more in (("withdraw", {}), ("revise", {"new": "odd"})):
                failed, told, _ = agent.call(tool, **path, change=made["id"], author=author, **more)
                assert failed and said in told
            assert draft.read_text() == text


def calls_come_in_a_batch_in_the_revision_that_has_batches(tmp_path):
    (tmp_path / "draft.md").write_text(DRAFT)
    with _agent(tmp_path, "2025-03-26") as agent:
        path = {"path": "draft.md"}
        results = agent.call_all([
            ("list_documents", {}),
            ("read", path),
            ("propose", path | {"edits": [EDIT], "author": "ai"}),
            ("comment", path | {"change": 2, "comment": "Why?", "author": "ai"}),
            ("changes", path),
            ("wait_for_review", path | {"timeout": 1}),
            ("decisions", path | {"proposed": PROPOSED}),
        ])
        assert [failed for failed, _, _ in results] == [False] * 7
        [made] = results[2][2]["changes"]
        results = agent.call_all([
            ("revise", path | {"change": made["id"], "new": "odd", "author": "ai"}),
            ("withdraw", path | {"change": made["id"], "author": "ai"}),
        ])
        assert [failed for failed, _, _ in results] == [False, True]
        assert "taken back already" in results[1][1]
