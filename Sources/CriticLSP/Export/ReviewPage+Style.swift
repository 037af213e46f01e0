extension ReviewPage {
  /// How the page looks.
  ///
  /// Colours never stand alone: what is added is underlined, what is deleted is struck through.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --page: #ffffff; --ink: #1b1b1f; --dim: #55555e; --line: #c9c9d1; --card: #f5f5f8; --link: #0b4fa8;
      --ins: #0a5a2a; --ins-page: #dff3e4; --del: #8f1d14; --del-page: #fbe3e0; --mark: #4a3800; --mark-page: #fff0b8;
      --focus: #0b4fa8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #17181c; --ink: #e8e8ec; --dim: #b0b0ba; --line: #45464f; --card: #212228; --link: #9cc4ff;
        --ins: #9fe6b6; --ins-page: #12351f; --del: #ffb8af; --del-page: #431714; --mark: #ffe08a; --mark-page: #3b3000;
        --focus: #9cc4ff;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding: 5rem 0 2rem; }
    body {
      margin: 0; background: var(--page); color: var(--ink); font: 1.0625rem/1.6 Georgia, "Times New Roman", serif;
      display: grid; grid-template-columns: minmax(0, 1fr); overflow-wrap: break-word;
    }
    header, aside, .skip, #said, button, input { font-family: system-ui, sans-serif; }
    header { padding: 1rem 1.25rem 0.5rem; font-size: 0.9375rem; }
    header h1 { font: bold 1.5rem/1.3 Georgia, serif; margin: 0; }
    .counts { margin: 0.25rem 0 0.5rem; color: var(--dim); font-size: 0.9375rem; }
    fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.9375rem; }
    legend { padding: 0; float: left; margin-right: 1rem; color: var(--dim); }
    .bar {
      display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; font: 0.9375rem/1.6 system-ui, sans-serif;
      position: sticky; top: 0; z-index: 2; padding: 0.4rem 1.25rem; background: var(--page); border-bottom: 1px solid var(--line);
    }
    label { display: inline-flex; align-items: center; gap: 0.35rem; min-height: 1.75rem; }
    button, input:not([type]) , textarea {
      font-size: 0.9375rem; color: var(--ink); background: var(--page); border: 1px solid var(--dim); border-radius: 0.3rem;
      padding: 0.3rem 0.6rem; min-height: 2rem;
    }
    button { cursor: pointer; }
    button:disabled { cursor: default; opacity: 0.6; }
    button[aria-pressed="true"], button.main { background: var(--link); border-color: var(--link); color: var(--page); }
    textarea { width: 100%; min-height: 4rem; font-family: inherit; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 0.5rem; top: 0.5rem; background: var(--page); padding: 0.5rem; z-index: 3; }
    a { color: var(--link); }
    main { padding: 1.25rem; max-width: 44rem; width: 100%; margin: 0 auto; min-width: 0; }
    main:focus { outline: none; }
    main img { max-width: 100%; height: auto; }
    main pre { overflow-x: auto; background: var(--card); padding: 0.75rem; }
    main code { font-size: 0.9em; }
    main table { border-collapse: collapse; display: block; overflow-x: auto; }
    main th, main td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; }
    main blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 4px solid var(--line); }
    ins { color: var(--ins); background: var(--ins-page); text-decoration: underline; text-underline-offset: 0.2em; }
    del { color: var(--del); background: var(--del-page); text-decoration: line-through; }
    mark { color: var(--mark); background: var(--mark-page); }
    ins mark, del mark { color: inherit; }
    ins a, del a, mark a { color: inherit; }
    ins.block, del.block { display: block; padding: 0.1rem 0.5rem; border-left: 4px solid; }
    ins.block pre, del.block pre { background: none; text-decoration: inherit; }
    .number {
      font: bold 0.75rem/1.4 system-ui, sans-serif; text-decoration: none; color: var(--page); background: var(--dim);
      border-radius: 0.6rem; padding: 0.05rem 0.4rem; margin: 0 0.1rem; vertical-align: super;
    }
    aside .number { vertical-align: baseline; }
    .only-ins .end, .only-del .end { display: none; }
    .chosen { outline: 3px solid var(--focus); outline-offset: 1px; }
    .off { color: inherit !important; background: none !important; }
    ins.off { text-decoration: none; }
    aside { padding: 1rem 1.25rem; background: var(--card); border-top: 1px solid var(--line); font-size: 0.9375rem; }
    aside h2 { font-size: 1.0625rem; margin: 0 0 0.5rem; }
    aside ol, aside ul { list-style: none; margin: 0; padding: 0; }
    aside ol > li { padding: 0.6rem 0.5rem; border-bottom: 1px solid var(--line); }
    aside p { margin: 0 0 0.25rem; white-space: pre-wrap; }
    .thread > li { padding-left: 0.6rem; border-left: 3px solid var(--line); margin: 0.3rem 0; white-space: pre-wrap; }
    .by, .state, .kind { color: var(--dim); }
    .resolved, .resolved .thread { color: var(--dim); }
    .resolved .words > * { color: inherit; background: none; }
    .decide { display: inline-flex; gap: 0.4rem; margin: 0.3rem 0.4rem 0 0; }
    [hidden], html:not(.scripts) .scripted { display: none !important; }
    #said { position: fixed; bottom: 0; left: 0; z-index: 3; margin: 0; padding: 0.3rem 0.8rem; background: var(--ink); color: var(--page); }
    #said:empty { display: none; }
    body:has(#view-clean:checked) main :is(del, .number), body:has(#view-original:checked) main :is(ins, .number) { display: none; }
    body:has(#view-clean:checked) main :is(ins, mark), body:has(#view-original:checked) main :is(del, mark) {
      color: inherit; background: none; text-decoration: none;
    }
    body:has(#view-clean:checked) main .end, body:has(#view-original:checked) main .end { display: none; }
    body:has(#view-clean:checked) main .only-del, body:has(#view-original:checked) main .only-ins { display: none; }
    body:has(#view-clean:checked) main :is(.joins-del, .joined-del),
    body:has(#view-original:checked) main :is(.joins-ins, .joined-ins) { display: inline; }
    @media (max-width: 30rem) { .bar { padding: 0.3rem 0.5rem; } .bar label { font-size: 0.8rem; } .bar input { width: 6rem; } }
    @media (min-width: 62rem) {
      body { grid-template-columns: minmax(0, 1fr) 24rem; }
      header, .bar { grid-column: 1 / -1; }
      aside {
        position: sticky; top: 3.2rem; max-height: calc(100vh - 3.2rem); overflow-y: auto; border-top: 0; border-left: 1px solid var(--line);
        align-self: start;
      }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    @media print {
      :root { color-scheme: light; --page: #fff; --ink: #000; --card: #fff; --dim: #444; --link: #000;
        --ins: #0a5a2a; --ins-page: #fff; --del: #8f1d14; --del-page: #fff; --mark: #000; --mark-page: #eee; --line: #999; }
      body { display: block; font-size: 11pt; }
      .scripted, .views, .skip, #said { display: none !important; }
      aside { position: static; max-height: none; break-before: page; }
      aside li { break-inside: avoid; }
    }
    """#
}
