"""The page that `export --to html` writes, in a real browser: read, clicked, commented on, and its review applied."""

import base64
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess

import pytest

import browser
from conftest import SERVER


@pytest.fixture(autouse=True)
def _programs():
    # In a CI both have to be there.
    if "CI" not in os.environ and (browser.NAME is None or shutil.which("pandoc") is None):
        pytest.skip("the page is made by pandoc and looked at in Chromium, and one of them is not installed")


_DRAFT = """---
title: Hens & foxes
---

# The {~~red~>blue~~}{>>@ada | 2026-11-22 | her colour<<} hen

The **fast** fox {++quickly ++}jumps over {--the--}{>>@bob: cut<<} a [lazy](https://example.org) dog. {==Look==}{>>@ada: here<<}{>>@bob: where?<<}

{++One more paragraph.

And one more.

++}<script>document.title = "run"</script> <img src=x onerror="document.title = 'run'">

[bad](javascript:document.title='run') ![far](https://example.org/a.png) and `code`.

- one
{++- two
++}- three

Split{++

++}here. {>>[resolved] done<<} The fast fox sleeps.

| a | b |
|---|---|
| x {++y++} | z |
{--| p | q |
--}| r | s |
"""


def _run(folder, *arguments, text=None):
    outcome = subprocess.run([*SERVER, *arguments], cwd=folder, input=text, capture_output=True, timeout=120)
    assert outcome.returncode == 0, outcome.stderr.decode()
    return outcome.stdout.decode(), outcome.stderr.decode()


@contextlib.contextmanager
def _page(folder, **how):
    (folder / "draft.md").write_text(_DRAFT)
    _run(folder, "export", "--to", "html", "-o", "draft.html", "draft.md")
    page = browser.Page(folder, (folder / "draft.html").as_uri(), **how)
    try:
        yield page
    finally:
        page.close()


def the_page_loads_nothing_and_runs_nothing_of_the_document(tmp_path):
    with _page(tmp_path) as page:
        assert page.ask("document.title") == "Hens & foxes"
        assert all(url.startswith(("file:", "data:")) for url in page.requests)
        assert len(page.requests) == 1
        assert page.problems == []
        assert "onerror" in page.ask("document.querySelector('main').textContent")
        assert page.ask("document.querySelectorAll('main script, main img').length") == 0
        assert page.ask("[...document.links].every((link) => link.protocol != 'javascript:')")


def the_script_of_the_page_is_allowed_by_its_hash_and_no_other_is(tmp_path):
    (tmp_path / "draft.md").write_text(_DRAFT)
    html, _ = _run(tmp_path, "export", "--to", "html", "draft.md")
    (script,) = re.findall("<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert re.findall("script-src ([^;]*);", html) == [f"'sha256-{digest}'"]


def the_texts_are_switched(tmp_path):
    with _page(tmp_path) as page:
        heading = "document.querySelector('main h1').innerText"
        assert page.ask(heading).split() == ["The", "1redblue", "hen"]
        page.click("#view-clean")
        assert page.ask(heading) == "The blue hen"
        assert "One more paragraph." in page.ask("document.querySelector('main').innerText")
        page.click("#view-original")
        assert page.ask(heading) == "The red hen"
        text = page.ask("document.querySelector('main').innerText")
        assert "One more paragraph." not in text and "two" not in text
        # What was one paragraph is one.
        first, second = page.ask("""[...document.querySelectorAll("main p")].filter((p) => /^(Split|here)/.test(p.innerText))
          .map((p) => { const r = p.getClientRects()[0]; return [r.left, r.right, r.top]; })""")
        assert first[1] == second[0] and first[2] == second[2]
        assert page.ask("[...document.querySelectorAll('main li')].filter((item) => item.offsetParent).length") == 2
        page.click("#view-clean")
        assert page.ask("[...document.querySelectorAll('main tr')].filter((row) => row.offsetParent).length") == 3


def added_paragraphs_that_touch_stay_paragraphs(tmp_path):
    with _page(tmp_path) as page:
        paragraphs = page.ask("[...document.querySelectorAll('main p')].map((p) => p.innerText)")
        assert [text for text in paragraphs if "more" in text] == ["5One more paragraph.", "And one more."]


def keys_and_links_lead_from_change_to_change(tmp_path):
    with _page(tmp_path) as page:
        chosen = "document.querySelector('aside .chosen')?.dataset.change"
        for _ in range(2):
            page.press("n")
        assert page.ask(chosen) == "2"
        page.press("p")
        assert page.ask(chosen) == "1"
        assert page.ask("document.activeElement.id") == "entry-1"
        assert "substitution 1" in page.ask("document.querySelector('#said').textContent")
        page.click("#place-4")
        assert page.ask(chosen) == "4"
        assert page.ask("location.hash") == "#entry-4"
        assert page.ask("document.querySelector('#entry-4 a.number').hash") == "#place-4"
        # A key that is typed is a letter.
        page.click("#name")
        page.press("n")
        assert page.ask("document.querySelector('#name').value") == "n"
        assert page.ask(chosen) == "4"


def filters_hide_entries(tmp_path):
    with _page(tmp_path) as page:
        shown = "[...document.querySelectorAll('#entries > ol:first-of-type > li')].filter((e) => !e.hidden).map((e) => e.id)"
        count = len(page.ask(shown))
        page.click("summary")
        page.click("[name=kind][value=addition]")
        assert len(page.ask(shown)) == count - 5
        page.click("[name=author][value='']")
        page.click("[name=author][value=bob]")
        assert page.ask(shown) == ["entry-1", "entry-4"]
        page.press("n")
        page.press("n")
        assert page.ask("document.querySelector('aside .chosen').id") in ("entry-1", "entry-4")


def a_review_is_saved_and_applied(tmp_path):
    with _page(tmp_path) as page:
        page.click("#name")
        page.type("Eve")
        page.click("#entry-1 .yes")
        page.click("#entry-2 .no")
        page.click("#entry-4 .reply")
        page.type("There, of course.")
        page.select("fast")
        page.press("Escape")
        page.click("#comment")
        page.type("how fast?")
        page.select("The fast fox sleeps")
        page.press("c")
        page.type("the <<} fox")
        page.click("#save")
        saved = page.download()
        assert saved.name == "draft.review.json"
        review = json.loads(saved.read_text())
        assert review["author"] == "Eve" and len(review["items"]) == 5
        assert page.problems == []
        listed, told = _run(tmp_path, "propose", "draft.md", text=saved.read_bytes())
        assert "yes to change 1: “red” → “blue”" in told and "no to change 2" in told
        assert _clean(tmp_path, listed) == _clean(tmp_path, _DRAFT)
        assert "The **{==fast==}{>>@Eve: how fast?<<}** fox" in listed
        assert "{>>@bob: where?<<}{>>@Eve: There, of course.<<}" in listed
        assert "{==The fast fox sleeps==}{>>@Eve: the " in listed
        _run(tmp_path, "propose", "--in-place", "--apply", "draft.md", text=saved.read_bytes())
        applied = (tmp_path / "draft.md").read_text()
        assert applied.startswith("---\ntitle: Hens & foxes\n---\n\n# The blue hen\n")
        assert "fox jumps over {--the--}{>>@bob: cut<<}" in applied
        assert "how fast?" in applied and "There, of course." in applied


def _clean(folder, text):
    return _run(folder, "export", "-", text=text.encode())[0]


def what_was_not_saved_is_there_when_the_page_is_opened_again(tmp_path):
    with _page(tmp_path) as page:
        page.click("#entry-2 .no")
        page.click("#entry-4 .reply")
        page.type("Kept.")
        page.go("Page.reload")
        assert page.questions == 1
        assert page.ask("document.querySelector('#entry-2 .no').getAttribute('aria-pressed')") == "true"
        assert page.ask("document.querySelector('#entry-4 textarea').value") == "Kept."


def it_is_read_without_a_script(tmp_path):
    with _page(tmp_path, scripts=False) as page:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
        assert page.ask("document.querySelector('#save').offsetParent") is None
        assert page.ask("document.querySelectorAll('aside li[id]').length") == 10
        page.click("#view-clean")
        assert page.ask("document.querySelector('main h1').innerText") == "The blue hen"


def it_fits_a_phone(tmp_path):
    with _page(tmp_path, width=360, height=740) as page:
        assert page.ask("document.documentElement.scrollWidth") <= 360
        small = page.ask("""[...document.querySelectorAll("button, input, label")].filter((e) => e.offsetParent &&
          e.type != "radio" && e.type != "checkbox" && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)""")
        assert small == []


# The contrast of each text with what is behind it (WCAG 2.2, 1.4.3), of the least.
_CONTRAST = """(() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const over = (top, under) => {
    const alpha = top[3] ?? 1;
    return [0, 1, 2].map((i) => top[i] * alpha + under[i] * (1 - alpha));
  };
  const behind = (element) => {
    const chain = [];
    for (let e = element; e; e = e.parentElement) chain.unshift(e);
    let [colour, opacity] = [[255, 255, 255], 1];
    for (const e of chain) {
      colour = over(parse(getComputedStyle(e).backgroundColor), colour);
      opacity *= Number(getComputedStyle(e).opacity);
    }
    return [colour, opacity];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.offsetParent || element.closest(".skip")) continue;
    const [under, opacity] = behind(element);
    const ink = parse(getComputedStyle(element).color);
    ink[3] = (ink[3] ?? 1) * opacity;
    const [a, b] = [light(over(ink, under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push([node.data.trim().slice(0, 20), element.tagName + "." + element.className, ratio]);
  }
  return poor;
})()"""


@pytest.mark.parametrize("dark", [False, True])
def every_text_stands_out_enough(tmp_path, dark):
    with _page(tmp_path, dark=dark) as page:
        page.click("summary")
        page.click("#entry-1 .yes")
        page.click("#entry-4 .reply")
        page.press("n")
        assert page.ask(_CONTRAST) == []
        assert page.ask("getComputedStyle(document.body).backgroundColor") == ("rgb(23, 24, 28)" if dark else "rgb(255, 255, 255)")


def everything_has_a_name_and_a_place_in_the_order_of_keys(tmp_path):
    with _page(tmp_path) as page:
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        roles = {"button", "link", "textbox", "radio", "checkbox"}
        controls = [node for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in roles]
        assert len(controls) > 30
        assert [node for node in controls if not node.get("name", {}).get("value")] == []
        seen = set()
        for _ in range(12):
            page.press("Tab")
            seen.add(page.ask("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
        assert {"view-markup", "previous", "next", "comment", "name", "save"} <= seen
