// Niceties. Every page works without this file.
"use strict";

// Buttons that copy what stands beside them.
function enableCopying(part) {
  for (const button of part.querySelectorAll("[data-copy]")) enableCopyButton(button);
}
function enableCopyButton(button) {
  const label = button.dataset.label ?? "Copy";
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(document.getElementById(button.dataset.copy));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
enableCopying(document);

// "/" goes to the search box.
const box = document.querySelector("[data-slash]");
document.addEventListener("keydown", (event) => {
  const typing = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (box) { box.focus(); box.select(); } else { location.href = "/search"; }
});

// Suggestions while one types: documents and clauses open, everything else is searched for.
const typing = document.querySelector("[data-suggestions]");
if (typing) {
  let list = null;
  let chosen = -1;
  let asked = 0;
  let waiting = 0;
  const typed = { text: typing.value };
  for (const [name, value] of Object.entries({
    role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "suggestions",
  })) typing.setAttribute(name, value);
  const close = () => {
    asked += 1;
    clearTimeout(waiting);
    list?.remove();
    list = null;
    chosen = -1;
    typing.setAttribute("aria-expanded", "false");
    typing.removeAttribute("aria-activedescendant");
  };
  const take = (line) => {
    if (line.dataset.href) { location.href = line.dataset.href; return; }
    typing.value = line.dataset.text;
    close();
    typing.form.requestSubmit();
  };
  const choose = (index) => {
    const lines = [...list.children];
    lines[chosen]?.setAttribute("aria-selected", "false");
    // One step before the first and behind the last is what was typed.
    chosen = index < -1 ? lines.length - 1 : index >= lines.length ? -1 : index;
    const line = lines[chosen];
    line?.setAttribute("aria-selected", "true");
    line?.scrollIntoView({ block: "nearest" });
    typing.value = line ? line.dataset.text : typed.text;
    if (line) typing.setAttribute("aria-activedescendant", line.id);
    else typing.removeAttribute("aria-activedescendant");
  };
  const show = (lines) => {
    close();
    if (!lines || lines.children.length === 0) return;
    list = document.importNode(lines, true);
    list.id = "suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    [...list.children].forEach((line, n) => {
      line.id = `suggestion-${n}`;
      line.setAttribute("aria-selected", "false");
      // Before the box loses the focus.
      line.addEventListener("mousedown", (event) => { event.preventDefault(); take(line); });
    });
    typing.after(list);
    typing.setAttribute("aria-expanded", "true");
  };
  const ask = async () => {
    const mine = ++asked;
    try {
      const address = new URL(typing.dataset.suggestions, location.href);
      address.searchParams.set("q", typing.value);
      const answer = await fetch(address, { credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine === asked && answer.ok) show(page.querySelector("ul.suggestions"));
    } catch { /* one can type on */ }
  };
  typing.addEventListener("input", () => {
    typed.text = typing.value;
    clearTimeout(waiting);
    if (typing.value.trim().length < 2) close(); else waiting = setTimeout(ask, 80);
  });
  typing.addEventListener("keydown", (event) => {
    if (!list) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); choose(chosen + step); }
    if (event.key === "Escape") { event.preventDefault(); typing.value = typed.text; close(); }
    if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); take(list.children[chosen]); }
  });
  typing.addEventListener("blur", close);
}

// A part of the page that is fetched again while something goes on. What was opened stays open.
const live = document.querySelector("[data-live]");
async function refresh(part) {
  let goesOn = true;
  try {
    const answer = await fetch(location.href, { credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = answer.ok ? page.getElementById(part.id) : null;
    if (fresh) {
      const opened = [...part.querySelectorAll("details")].map((details) => details.open);
      fresh.querySelectorAll("details").forEach((details, n) => { details.open ||= opened[n] === true; });
      part.replaceChildren(...fresh.childNodes);
      goesOn = "live" in fresh.dataset;
    }
  } catch { /* the server may be starting again */ }
  if (goesOn) setTimeout(() => refresh(part), Number(part.dataset.live));
}
if (live) setTimeout(() => refresh(live), Number(live.dataset.live));

// Forms are sent once.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", () => {
    setTimeout(() => form.querySelectorAll("button").forEach((b) => { b.disabled = true; }), 0);
  });
}
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form[method=post] button").forEach((b) => { b.disabled = false; });
});

// Decisions are narrowed while their topic is typed; the form finds them on all pages.
const topic = document.querySelector("[data-filter]");
const filtered = document.querySelectorAll("[data-filtered]");
if (topic && filtered.length > 0) {
  topic.addEventListener("input", () => {
    const words = topic.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of filtered) {
      const text = card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
    }
  });
}

// The reader: contents that are filtered and follow the text, clauses that load as one reads on, and a search
// within the text. All of it also works with links alone.
const reader = document.querySelector(".reader");
if (reader) {
  const text = reader.querySelector(".text");
  const contents = reader.querySelector(".contents");
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.getAttribute("href"), link]));

  // Contents: filter.
  const filter = contents.querySelector(".contents-filter");
  filter.hidden = false;
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const show = (item) => {
      const below = [...item.querySelectorAll(":scope > details > ul > li")].map(show).some(Boolean);
      const own = item.querySelector("a").textContent.toLowerCase();
      const fits = words.every((word) => own.includes(word));
      item.hidden = !(fits || below);
      const details = item.querySelector(":scope > details");
      if (details && words.length > 0) details.open = below;
      return fits || below;
    };
    contents.querySelectorAll(":scope > ul > li").forEach(show);
  });

  // Contents: the clause that is read is marked, and its address is that of the page.
  let current = null;
  const markCurrent = (path) => {
    if (path === current || !links.has(path)) return;
    if (current !== null) history.replaceState(null, "", path);
    current = path;
    contents.querySelectorAll("[aria-current]").forEach((link) => link.removeAttribute("aria-current"));
    const link = links.get(path);
    link.setAttribute("aria-current", "true");
    for (let part = link.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    const aside = reader.querySelector("aside");
    const box = link.getBoundingClientRect();
    if (aside.scrollHeight > aside.clientHeight && (box.top < 60 || box.bottom > innerHeight - 40)) {
      aside.scrollTop += box.top - innerHeight / 3;
    }
  };
  const atTop = () => {
    const sections = [...text.querySelectorAll("section[data-path]")];
    const passed = sections.filter((section) => section.getBoundingClientRect().top < 120);
    return (passed.at(-1) ?? sections[0])?.dataset.path;
  };
  let ticking = false;
  addEventListener("scroll", () => {
    if (ticking) return;
    ticking = true;
    requestAnimationFrame(() => { ticking = false; markCurrent(atTop()); });
  }, { passive: true });
  current = contents.querySelector("[aria-current]")?.getAttribute("href") ?? null;
  contents.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  if (!location.hash) scrollTo(0, 0);

  // Long tables: rows that do not have the words are hidden. Rows that share a cell stay together.
  const minRows = 12;
  const rowGroups = (table) => {
    const groups = [];
    let reach = 0;
    [...table.tBodies[0].rows].forEach((row, index) => {
      if (index >= reach) groups.push([]);
      groups.at(-1).push(row);
      for (const cell of row.cells) reach = Math.max(reach, index + cell.rowSpan);
    });
    return groups;
  };
  const enableTableFilters = (part) => {
    for (const table of part.querySelectorAll(".captioned table")) {
      if ((table.tBodies[0]?.rows.length ?? 0) < minRows) continue;
      const groups = rowGroups(table);
      if (groups.length < minRows) continue;
      const box = document.createElement("input");
      box.type = "search";
      box.className = "table-filter";
      box.placeholder = "Filter rows";
      box.setAttribute("aria-label", `Filter the rows of ${table.caption?.textContent.trim() || "the table"}`);
      const said = document.createElement("span");
      said.className = "quiet";
      said.setAttribute("role", "status");
      box.addEventListener("input", () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const group of groups) {
          const text = group.map((row) => row.textContent).join(" ").toLowerCase();
          const fits = words.every((word) => text.includes(word));
          group.forEach((row) => { row.hidden = !fits; });
          if (fits) shown += 1;
        }
        said.textContent = words.length > 0 ? ` ${shown} of ${groups.length}` : "";
      });
      const line = document.createElement("div");
      line.className = "table-filter-line";
      line.append(box, said);
      table.closest(".table").before(line);
    }
  };
  enableTableFilters(text);

  // The next clause is loaded when the reader comes near the end; each one uses a request, so only when they scroll.
  let loading = false;
  const loadNext = async () => {
    const next = text.querySelector(".neighbours .next");
    if (!next || loading) return;
    loading = true;
    try {
      const answer = await fetch(next.href, { credentials: "same-origin" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const sections = page.querySelectorAll(".reader .text > section");
      const neighbours = text.querySelector(".neighbours");
      sections.forEach((section) => { neighbours.before(section); enableCopying(section); enableTableFilters(section); });
      const previews = text.querySelector(".previews");
      for (const preview of page.querySelectorAll(".previews > div")) {
        if (!document.getElementById(preview.id)) previews.append(preview);
      }
      const fresh = page.querySelector(".neighbours .next");
      if (fresh) next.replaceWith(fresh); else next.remove();
      find();
    } catch { /* the link stays */ } finally { loading = false; }
  };
  let scrolled = false;
  let isNearEnd = false;
  // The end may have been near before anybody scrolled: that is told once, and not again.
  const onScroll = () => { scrolled = true; if (isNearEnd) loadNext(); };
  addEventListener("wheel", onScroll, { passive: true });
  addEventListener("touchmove", onScroll, { passive: true });
  addEventListener("keydown", (event) => { if (/^(PageDown|ArrowDown|End| )$/.test(event.key)) onScroll(); });
  new IntersectionObserver((entries) => {
    isNearEnd = entries.at(-1).isIntersecting;
    if (scrolled && isNearEnd) loadNext();
  }, { rootMargin: "600px" }).observe(text.querySelector(".neighbours"));

  // Find within the text, with marks along the edge.
  const bar = text.querySelector(".find");
  const box = bar.querySelector("input");
  const said = bar.querySelector(".found");
  const edge = document.createElement("div");
  edge.className = "find-marks";
  document.body.append(edge);
  let ranges = [];
  let chosen = -1;
  const find = () => {
    edge.replaceChildren();
    ranges = [];
    chosen = -1;
    CSS.highlights?.clear();
    const wanted = box.value.trim().toLowerCase();
    if (!CSS.highlights || wanted.length < 2) { said.textContent = ""; return; }
    for (const section of text.querySelectorAll("section")) {
      const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.closest("[hidden], button")) continue;
        const words = node.data.toLowerCase();
        for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
    const height = document.documentElement.scrollHeight;
    for (const range of ranges.slice(0, 500)) {
      const mark = document.createElement("i");
      mark.style.setProperty("top", `${(100 * (range.getBoundingClientRect().top + scrollY)) / height}%`);
      edge.append(mark);
    }
    said.textContent = ranges.length === 0 ? "No matches on this page." : `${ranges.length} matches. Press Enter for the next one.`;
  };
  const step = (by) => {
    if (ranges.length === 0) return;
    chosen = (chosen + by + ranges.length) % ranges.length;
    CSS.highlights.set("found-now", new Highlight(ranges[chosen]));
    const top = ranges[chosen].getBoundingClientRect().top + scrollY;
    scrollTo({ top: top - innerHeight / 3 });
    said.textContent = `${chosen + 1} of ${ranges.length}`;
  };
  box.addEventListener("input", find);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { box.value = ""; find(); }
  });

  // Find in the whole specification: the clauses are listed below the box, and counted in the contents.
  const elsewhere = text.querySelector(".found-elsewhere");
  const clearElsewhere = () => {
    elsewhere.hidden = true;
    elsewhere.replaceChildren();
    contents.querySelectorAll("[data-hits]").forEach((link) => link.removeAttribute("data-hits"));
  };
  let asked = 0;
  bar.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++asked;
    clearElsewhere();
    said.textContent = "Searching\u2026";
    try {
      const address = new URL(bar.action);
      address.searchParams.set("q", box.value.trim());
      const answer = await fetch(address, { credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== asked) return;
      const count = page.querySelector(".found-count");
      const list = page.querySelector(".found-sections");
      said.textContent = (count ?? page.querySelector("main")).textContent.trim();
      if (!answer.ok || !list || list.children.length === 0) return;
      for (const item of list.children) {
        const link = item.querySelector("a");
        const known = links.get(new URL(link.href).search);
        if (known) {
          known.dataset.hits = item.dataset.count;
          for (let part = known.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
        }
      }
      elsewhere.append(list);
      elsewhere.hidden = false;
    } catch { said.textContent = "The server did not answer. Try again."; }
  });
  box.addEventListener("input", () => { asked += 1; clearElsewhere(); });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") { asked += 1; clearElsewhere(); } });

  // What a link leads to, and what an abbreviation stands for, on hover and on focus.
  const card = document.createElement("div");
  card.className = "card-preview";
  card.id = "card-preview";
  card.setAttribute("role", "tooltip");
  card.hidden = true;
  document.body.append(card);
  let shownFor = null;
  let waitingFor = null;
  let hiding = 0;
  const hideCard = () => {
    waitingFor = null;
    card.hidden = true;
    shownFor?.removeAttribute("aria-describedby");
    shownFor = null;
  };
  // The definitions of names are fetched when one rests on them; what was found is kept.
  const definitions = new Map();
  const definitionOf = async (source) => {
    const address = new URL(source.href);
    const [, , number, version] = address.pathname.split("/");
    if (address.pathname !== "/define") {
      // A clause of this or another document, whose definition is named like the link.
      address.search = new URLSearchParams({
        name: source.textContent.split("/").at(-1).replace(/['"]/g, ""), document: number, version,
      });
    }
    address.pathname = "/define/card";
    address.hash = "";
    const key = address.href;
    if (!definitions.has(key)) {
      try {
        const answer = await fetch(key, { credentials: "same-origin" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const found = page.body.firstElementChild;
        if (!answer.ok || !found?.matches(".definition")) return null;
        definitions.set(key, found);
      } catch { return null; }
    }
    return definitions.get(key);
  };
  const showDefinition = (source, delay) => {
    clearTimeout(hiding);
    if (shownFor === source) return;
    hideCard();
    waitingFor = source;
    setTimeout(async () => {
      if (waitingFor !== source) return;
      const definition = await definitionOf(source);
      if (definition && waitingFor === source) showCard(source, definition);
    }, delay);
  };
  const showCard = (source, definition) => {
    clearTimeout(hiding);
    if (shownFor === source) return;
    hideCard();
    const preview = document.getElementById(source.dataset.preview ?? "");
    // The card takes the place of the browser's own.
    const title = source.title || source.dataset.title || "";
    if (source.title) { source.dataset.title = source.title; source.removeAttribute("title"); }
    if (definition) card.replaceChildren(definition.cloneNode(true));
    else if (preview) card.replaceChildren(...[...preview.childNodes].map((node) => node.cloneNode(true)));
    else if (title) card.textContent = title;
    else return;
    card.hidden = false;
    shownFor = source;
    source.setAttribute("aria-describedby", card.id);
    const place = source.getBoundingClientRect();
    const left = Math.max(8, Math.min(place.left, document.documentElement.clientWidth - card.offsetWidth - 8));
    const below = place.bottom + 6;
    const top = below + card.offsetHeight > innerHeight ? Math.max(8, place.top - card.offsetHeight - 6) : below;
    card.style.setProperty("left", `${left + scrollX}px`);
    card.style.setProperty("top", `${top + scrollY}px`);
  };
  const named = "a.name, a.c-name, a.c-type, a.c-text";
  const sourceOf = (event) => event.target.closest?.(`a.ref, abbr[title], abbr[data-title], ${named}`);
  const show = (source, delay) => { if (source.matches(named)) showDefinition(source, delay); else showCard(source); };
  text.addEventListener("mouseover", (event) => { const source = sourceOf(event); if (source) show(source, 200); });
  text.addEventListener("focusin", (event) => { const source = sourceOf(event); if (source) show(source, 0); else hideCard(); });
  text.addEventListener("mouseout", (event) => {
    if (!sourceOf(event)) return;
    waitingFor = null;
    clearTimeout(hiding);
    hiding = setTimeout(() => { if (shownFor !== document.activeElement) hideCard(); }, 150);
  });
  card.addEventListener("mouseenter", () => clearTimeout(hiding));
  card.addEventListener("mouseleave", hideCard);
  text.addEventListener("focusout", hideCard);
  addEventListener("keydown", (event) => { if (event.key === "Escape") hideCard(); });

  // Figures in their full size, over the page.
  const frame = document.createElement("dialog");
  frame.className = "enlarged";
  frame.setAttribute("aria-label", "Figure");
  document.body.append(frame);
  text.addEventListener("click", (event) => {
    const link = event.target.closest("a.enlarge");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const picture = document.createElement("img");
    picture.src = link.href;
    picture.alt = link.querySelector("img").alt;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => frame.close());
    const open = document.createElement("a");
    open.href = link.href;
    open.textContent = "Open the picture alone";
    const png = document.createElement("a");
    png.href = link.dataset.png;
    png.textContent = "PNG";
    frame.replaceChildren(close, open, ...(link.href === png.href ? [] : [png]), picture);
    frame.showModal();
  });
  frame.addEventListener("click", (event) => { if (event.target === frame) frame.close(); });

  // j and k go to the next and the previous clause, f to the search.
  addEventListener("keydown", (event) => {
    const typing = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const neighbour = { j: ".next", k: ".before" }[event.key];
    const link = neighbour && text.querySelector(`.neighbours ${neighbour}`);
    if (link) link.click();
    if (event.key === "f") { event.preventDefault(); box.focus(); box.select(); }
  });
}
