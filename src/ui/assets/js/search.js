// Search as one types: matches of words at once, reranked results when typing stops. Arrows move through the results.
// Searches that were sent and saved are kept in this browser.
import { enableCopying, fetchPage, kept, skeletons } from "./page.js";

const form = document.querySelector("form[data-live]");
const box = form.querySelector("input[type=search]");
const results = document.getElementById("results");
const MAX_HISTORY = 20;
const MAX_SAVED = 100;
/** Milliseconds without a key before words are searched, and before the whole search runs. */
const WORDS_DELAY = 50;
const RERANK_DELAY = 700;

let running = null;
let timers = [];

function addressOf(path) {
  const address = new URL(path, location.href);
  for (const [name, value] of new FormData(form)) {
    // What is not said is text.
    if (value && !(name === "kind" && value === "text")) address.searchParams.set(name, value);
  }
  return address;
}

function stop() {
  running?.abort();
  timers.forEach(clearTimeout);
  timers = [];
  results.removeAttribute("aria-busy");
}

/** Puts the results of a page in place, unless something newer was typed meanwhile. */
async function replaceResults(address, isWhole) {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  results.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => {
    if (running === mine && !results.querySelector("ol, ul")) results.replaceChildren(...skeletons(3));
  }, 150);
  try {
    const page = await fetchPage(address, mine.signal);
    if (running !== mine) return;
    const fresh = page?.getElementById("results");
    // The text was the address of a clause, or the server refused: Enter says more.
    if (!fresh) return;
    results.replaceChildren(...fresh.childNodes);
    results.dataset.stage = fresh.dataset.stage;
    enableResults();
    if (isWhole) {
      history.replaceState(null, "", address);
      document.title = page.title;
      remember();
    }
  } catch { /* given up, or the server did not answer */ } finally {
    clearTimeout(slow);
    if (running === mine) results.removeAttribute("aria-busy");
  }
}

function searchSoon() {
  stop();
  const text = box.value.trim();
  if (text.length < 2) { results.replaceChildren(); showRemembered(); return; }
  document.getElementById("remembered")?.setAttribute("hidden", "");
  timers = [setTimeout(() => replaceResults(addressOf(form.dataset.live), false), WORDS_DELAY)];
  // An address leads to its clause, which Enter opens.
  const isAddress = /^(t[sr]\s*)?\d\d\.?\d{3}/i.test(text);
  if (form.dataset.rerank === "typing" && !isAddress) {
    timers.push(setTimeout(() => replaceResults(addressOf(form.action), true), RERANK_DELAY));
  }
}

box.addEventListener("input", searchSoon);
form.querySelector(".filters").addEventListener("change", () => { if (box.value.trim()) form.requestSubmit(); });
form.addEventListener("submit", () => {
  stop();
  results.replaceChildren(...skeletons(3));
  results.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// Arrows move from the box through the results; Enter opens what has the focus.
results.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches("a.place")) return;
  event.preventDefault();
  const places = [...results.querySelectorAll("a.place")];
  const next = places[places.indexOf(event.target) + step];
  if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); } else if (step < 0) box.focus();
});

// The clause that is opened leads back here.
results.addEventListener("click", (event) => {
  const address = addressOf(form.action);
  if (event.target.closest("a")) sessionStorage.setItem("results", address.pathname + address.search);
});

// History and saved searches.
const here = () => location.pathname + location.search;

function remember() {
  const text = box.value.trim();
  if (text) kept.add("history", { path: here(), text: labelOf(text) }, MAX_HISTORY);
}

/** The text of a search with its filters. */
function labelOf(text) {
  const filters = [...new FormData(form)].filter(([name, value]) => value && !["q", "kind"].includes(name));
  return [text, ...filters.map(([, value]) => value)].join(" \u00b7 ");
}

function enableResults() {
  enableCopying(results);
  // On a phone the results come first. What opens beside them moves nothing.
  const facets = results.querySelector(".facets");
  if (facets && matchMedia("(min-width: 60rem)").matches) facets.open = true;
  const save = results.querySelector("[data-save]");
  if (!save) return;
  const isSaved = () => kept.read("saved").some((item) => item.path === here());
  const show = () => { save.textContent = isSaved() ? "Saved" : "Save search"; save.setAttribute("aria-pressed", String(isSaved())); };
  save.addEventListener("click", () => {
    if (isSaved()) kept.remove("saved", here());
    else kept.add("saved", { path: here(), text: labelOf(box.value.trim()) }, MAX_SAVED);
    show();
  });
  show();
}

function showRemembered() {
  const part = document.getElementById("remembered");
  if (!part) return;
  part.replaceChildren();
  for (const [name, title] of [["saved", "Saved searches"], ["history", "Recent searches"]]) {
    const items = kept.read(name);
    if (items.length === 0) continue;
    const column = document.createElement("section");
    column.append(Object.assign(document.createElement("h2"), { textContent: title }));
    const list = document.createElement("ul");
    for (const item of items) {
      const line = document.createElement("li");
      const remove = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Remove" });
      remove.setAttribute("aria-label", `Remove ${item.text}`);
      remove.addEventListener("click", () => { kept.remove(name, item.path); showRemembered(); });
      line.append(Object.assign(document.createElement("a"), { href: item.path, textContent: item.text }), remove);
      list.append(line);
    }
    column.append(list);
    part.append(column);
  }
  if (part.children.length > 0) {
    part.append(Object.assign(document.createElement("p"), { className: "quiet", textContent: "Stored only in this browser." }));
  }
  part.hidden = part.children.length === 0;
}

if (new URLSearchParams(location.search).get("q")?.trim()) { if (results.querySelector("ol, ul, .nothing")) remember(); } else showRemembered();
enableResults();
