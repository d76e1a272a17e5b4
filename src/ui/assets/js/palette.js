// The palette: one box over documents, clauses, names, meetings, meeting documents and pages. Opened by Ctrl-K.
import { fetchPage, kept } from "./page.js";

const dialog = document.createElement("dialog");
dialog.className = "palette";
dialog.setAttribute("aria-label", "Go to");
const box = document.createElement("input");
box.type = "search";
for (const [name, value] of Object.entries({
  role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": "palette-list",
  "aria-label": "Go to a document, clause, name, meeting or page", placeholder: "Document, clause, name, meeting, page",
})) box.setAttribute(name, value);
const list = document.createElement("ul");
list.id = "palette-list";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Results");
const hint = document.createElement("p");
hint.textContent = "Arrow keys move, Enter opens, Escape closes.";
dialog.append(box, list, hint);
document.body.append(dialog);

let chosen = 0;
let running = null;
/** Settled when what is shown is of the text. */
let asked = Promise.resolve();

function choose(index) {
  const lines = [...list.children];
  if (lines.length === 0) { box.removeAttribute("aria-activedescendant"); return; }
  lines[chosen]?.setAttribute("aria-selected", "false");
  chosen = (index + lines.length) % lines.length;
  lines[chosen].setAttribute("aria-selected", "true");
  lines[chosen].scrollIntoView({ block: "nearest" });
  box.setAttribute("aria-activedescendant", lines[chosen].id);
}

function show(lines) {
  list.replaceChildren(...lines);
  lines.forEach((line, n) => {
    line.id = `palette-${n}`;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", "false");
  });
  box.setAttribute("aria-expanded", String(lines.length > 0));
  chosen = 0;
  choose(0);
}

function recentLines() {
  return kept.read("history").slice(0, 5).map((item) => {
    const line = document.createElement("li");
    line.dataset.href = item.path;
    const said = Object.assign(document.createElement("span"), { className: "said", textContent: item.text });
    const kind = Object.assign(document.createElement("span"), { className: "kind", textContent: "recent search" });
    line.append(said, kind);
    return line;
  });
}

async function ask() {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  try {
    const address = new URL("/palette", location.href);
    address.searchParams.set("q", box.value);
    const page = await fetchPage(address, mine.signal);
    if (running !== mine || !page) return;
    const found = [...page.querySelectorAll("ul.palette-lines > li")].map((line) => document.importNode(line, true));
    show(box.value.trim() ? found : [...recentLines(), ...found]);
  } catch { /* given up, or the server did not answer: what is shown stays */ }
}

box.addEventListener("input", () => { asked = ask(); });
box.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) { event.preventDefault(); choose(chosen + step); }
  // A search field would only become empty.
  if (event.key === "Escape") { event.preventDefault(); dialog.close(); }
  if (event.key === "Enter") {
    event.preventDefault();
    // What is shown may still be of an earlier text.
    asked.then(() => { const line = list.children[chosen]; if (line) location.href = line.dataset.href; });
  }
});
list.addEventListener("click", (event) => {
  const line = event.target.closest("li");
  if (line) location.href = line.dataset.href;
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

/** Opens the palette, empty. */
export function openPalette() {
  if (dialog.open) { dialog.close(); return; }
  box.value = "";
  list.replaceChildren();
  dialog.showModal();
  box.focus();
  asked = ask();
}
