"use strict";
(() => {
  const told = document.getElementById("document").textContent;
  const known = JSON.parse(told);
  // Answers are kept for these changes only: a number means another change in another version.
  let hash = 0;
  for (const letter of told) hash = (hash * 31 + letter.codePointAt(0)) | 0;
  const shelf = "critic-lsp " + known.file + " " + hash;
  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const main = find("main");
  const own = find("#own");
  const review = { decisions: {}, answers: {}, comments: [] };
  let saved = "";
  document.documentElement.classList.add("scripts");

  let silence = 0;
  const say = (text) => {
    find("#said").textContent = text;
    clearTimeout(silence);
    silence = setTimeout(() => { find("#said").textContent = ""; }, 6000);
  };
  const entries = () => all("aside ol:not(#own) > li").filter((entry) => !entry.hidden);
  const marks = (number) => all("[data-change]", main)
    .filter((mark) => mark.dataset.change.split(" ").includes(String(number)));

  // Blocks of which only one of the texts has anything, and those that are one in one of the texts.
  for (const block of all("p, li, tr, h1, h2, h3, h4, h5, h6, blockquote, ul, ol", main)) {
    const text = (excluded) => {
      const copy = block.cloneNode(true);
      for (const part of all(excluded + ", .number, .end", copy)) part.remove();
      return copy.textContent.trim() + (find("img, math, hr", copy) ? "x" : "");
    };
    for (const tag of ["ins", "del"]) {
      if (find(tag, block) && !text(tag)) block.classList.add("only-" + tag);
      const end = block.tagName === "P" && block.lastElementChild;
      if (end && end.matches(tag + ".end") && !block.classList.contains("only-" + tag)) {
        block.classList.add("joins-" + tag);
        const next = block.nextElementSibling;
        if (!next) continue;
        next.classList.add("joined-" + tag);
        // A line end between the two would be a space.
        while (block.nextSibling !== next) block.nextSibling.remove();
      }
    }
  }

  // Moving.
  let current = null;
  const choose = (entry, moves) => {
    for (const chosen of all(".chosen")) chosen.classList.remove("chosen");
    current = entry;
    entry.classList.add("chosen");
    const places = marks(entry.dataset.change);
    for (const place of places) place.classList.add("chosen");
    if (!moves) return;
    const shown = places.find((place) => place.offsetParent);
    if (shown) shown.scrollIntoView({ block: "center" });
    if (matchMedia("(min-width: 62rem)").matches) entry.scrollIntoView({ block: "nearest" });
    entry.focus({ preventScroll: true });
    const words = find(".words", entry);
    say(entry.dataset.kind + " " + entry.dataset.change + (words ? ": " + words.textContent : ""));
  };
  const move = (step) => {
    const list = entries();
    if (!list.length) return say("Nothing to go to");
    const at = list.indexOf(current);
    choose(list[at < 0 ? (step > 0 ? 0 : list.length - 1) : (at + step + list.length) % list.length], true);
  };
  find("#next").onclick = () => move(1);
  find("#previous").onclick = () => move(-1);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, input:not([type=radio], [type=checkbox])")) return;
    if (event.key === "n") move(1);
    else if (event.key === "p") move(-1);
    else if (event.key === "c") comment();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const place = event.target.closest("main [data-change]");
    if (place) {
      const entry = find("#entry-" + place.dataset.change.split(" ")[0]);
      if (entry && !entry.hidden) choose(entry, false);
    }
    const back = event.target.closest("aside a.number");
    if (back) choose(back.closest("[data-change]"), false);
  });

  // Filters.
  const filter = () => {
    const kinds = new Set(all("[name=kind]:checked").map((box) => box.value));
    const people = new Set(all("[name=author]:checked").map((box) => box.value));
    for (const entry of all("aside ol:not(#own) > li")) {
      const names = entry.dataset.authors.split("\u001F");
      entry.hidden = !kinds.has(entry.dataset.kind) || !names.some((name) => people.has(name));
      for (const mark of marks(entry.dataset.change)) mark.classList.toggle("off", entry.hidden);
    }
    say(entries().length + " shown");
  };
  for (const box of all("[name=kind], [name=author]")) box.onchange = filter;

  // Answers.
  const keep = () => {
    try { localStorage.setItem(shelf, JSON.stringify(review)); } catch { /* A page need not have a store. */ }
  };
  const decide = (entry, isYes) => {
    const number = entry.dataset.change;
    if (isYes === null) delete review.decisions[number]; else review.decisions[number] = isYes ? "yes" : "no";
    find(".yes", entry).setAttribute("aria-pressed", String(isYes === true));
    find(".no", entry).setAttribute("aria-pressed", String(isYes === false));
    keep();
  };
  const box = (parent, text, label, change) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("aria-label", label);
    area.oninput = () => { change(area.value); keep(); };
    parent.append(area);
    return area;
  };
  const answer = (entry, text) => {
    const number = entry.dataset.change;
    let area = find("textarea", entry);
    if (!area) {
      area = box(entry, text, "Comment on " + number, (value) => { review.answers[number] = value; });
      find(".reply", entry).hidden = true;
    }
    return area;
  };
  for (const entry of all("aside ol:not(#own) > li")) {
    for (const [selector, isYes] of [[".yes", true], [".no", false]]) {
      const button = find(selector, entry);
      if (button) button.onclick = () => decide(entry, button.getAttribute("aria-pressed") === "true" ? null : isYes);
    }
    find(".reply", entry).onclick = () => answer(entry, "").focus();
  }

  // Comments on the text, which is told as the clean text has it.
  const isText = (node) => !node.parentElement.closest("del, .number, .end, .footnote-ref, .footnote-back, annotation");
  const cited = (range) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let [text, start, end] = ["", -1, -1];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!isText(node)) continue;
      const from = node === range.startContainer ? range.startOffset : 0;
      const to = node === range.endContainer ? range.endOffset : node.length;
      if (range.intersectsNode(node) && from < to) {
        if (start < 0) start = text.length + from;
        end = text.length + to;
      }
      text += node.data;
    }
    if (start < 0 || !text.slice(start, end).trim()) return null;
    return { text: text.slice(start, end), before: text.slice(Math.max(0, start - 200), start), after: text.slice(end, end + 200) };
  };
  const show = (note) => {
    const item = document.createElement("li");
    const quote = document.createElement("p");
    const remove = document.createElement("button");
    quote.className = "words";
    quote.append(Object.assign(document.createElement("mark"), { textContent: note.text }));
    remove.type = "button";
    remove.textContent = "Remove";
    remove.onclick = () => {
      review.comments.splice(review.comments.indexOf(note), 1);
      item.remove();
      keep();
    };
    item.append(quote);
    const area = box(item, note.comment, "Your comment", (value) => { note.comment = value; });
    item.append(remove);
    own.append(item);
    return area;
  };
  let last = null;
  document.addEventListener("selectionchange", () => {
    const selection = getSelection();
    const range = selection.rangeCount ? selection.getRangeAt(0) : null;
    if (range && !range.collapsed && main.contains(range.commonAncestorContainer)) last = range.cloneRange();
    else if (document.activeElement !== find("#comment")) last = null;
  });
  const comment = () => {
    const range = last;
    if (!range) return say("Select the text that the comment is about first");
    const note = cited(range);
    if (!note) {
      const inside = range.commonAncestorContainer.nodeType === 1
        ? range.commonAncestorContainer : range.commonAncestorContainer.parentElement;
      const mark = inside.closest("[data-change]");
      if (!mark) return say("There is no text in the selection");
      const entry = find("#entry-" + mark.dataset.change.split(" ")[0]);
      choose(entry, true);
      return answer(entry, "").focus();
    }
    note.comment = "";
    review.comments.push(note);
    getSelection().removeAllRanges();
    const area = show(note);
    area.scrollIntoView({ block: "nearest" });
    area.focus();
  };
  const button = find("#comment");
  button.onmousedown = (event) => event.preventDefault();
  button.onclick = comment;

  // What is saved.
  const file = () => {
    const change = (number) => known.changes.find((change) => String(change.change) === number);
    const items = [];
    for (const [number, decision] of Object.entries(review.decisions)) items.push({ ...change(number), decision });
    for (const [number, text] of Object.entries(review.answers)) {
      if (text.trim()) items.push({ ...change(number), comment: text.trim() });
    }
    for (const note of review.comments) {
      if (note.comment.trim()) items.push({ ...note, comment: note.comment.trim() });
    }
    return JSON.stringify({ review: 1, file: known.file, author: find("#name").value.trim(), items }, null, 1) + "\n";
  };
  find("#save").onclick = () => {
    const text = file();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = known.file.replace(/\.[^.]*$/, "") + ".review.json";
    document.body.append(link);
    link.click();
    link.remove();
    saved = text;
    say("Saved as " + link.download);
  };
  addEventListener("beforeunload", (event) => {
    if (JSON.parse(file()).items.length && file() !== saved) event.preventDefault();
  });

  // What was not saved when the page was left.
  try {
    const kept = JSON.parse(localStorage.getItem(shelf) || "null");
    for (const [number, decision] of Object.entries(kept ? kept.decisions : {})) {
      const entry = find("#entry-" + number);
      if (entry && find(".yes", entry)) decide(entry, decision === "yes");
    }
    for (const [number, text] of Object.entries(kept ? kept.answers : {})) {
      const entry = find("#entry-" + number);
      if (entry && text) { answer(entry, text); review.answers[number] = text; }
    }
    for (const note of kept ? kept.comments : []) { review.comments.push(note); show(note); }
    find("#name").value = localStorage.getItem("critic-lsp name") || "";
    find("#name").onchange = () => localStorage.setItem("critic-lsp name", find("#name").value);
  } catch { /* A page need not have a store. */ }
})();
