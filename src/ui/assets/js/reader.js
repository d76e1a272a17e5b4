// The reader: contents that are filtered and follow the text, clauses that load as one reads on, and a search
// within the text. All of it also works with links alone.
import { enableCopying, fetchPage, isTyping } from "./page.js";
import "./previews.js";
import { enableSearched } from "./searched.js";

const reader = document.querySelector(".reader");
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

// The contents scroll on their own: on a phone, the list; otherwise, what stands beside the text, below its heading.
const showInContents = (link) => {
  const aside = reader.querySelector("aside");
  const pane = aside.scrollHeight > aside.clientHeight ? aside : contents;
  const [box, frame] = [link.getBoundingClientRect(), pane.getBoundingClientRect()];
  const top = pane === aside ? aside.querySelector("header").getBoundingClientRect().bottom : frame.top;
  const bottom = Math.min(frame.bottom, innerHeight);
  if (box.top < top || box.bottom > bottom - 40) pane.scrollTop += box.top - (top + bottom) / 2;
};

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
  showInContents(link);
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
if (!location.hash) scrollTo(0, 0);
const opened = contents.querySelector("[aria-current]");
if (opened) showInContents(opened);

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
    const page = await fetchPage(next.href);
    if (!page) return;
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
  CSS.highlights?.delete("found");
  CSS.highlights?.delete("found-now");
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

// j and k go to the next and the previous clause, f to the search.
addEventListener("keydown", (event) => {
  if (isTyping() || event.ctrlKey || event.metaKey || event.altKey) return;
  const neighbour = { j: ".next", k: ".before" }[event.key];
  const link = neighbour && text.querySelector(`.neighbours ${neighbour}`);
  if (link) link.click();
  if (event.key === "f") { event.preventDefault(); box.focus(); box.select(); }
});
enableSearched(text);
