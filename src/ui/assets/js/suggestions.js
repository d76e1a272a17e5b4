// Suggestions while one types: documents and clauses open, everything else is searched for.
import { fetchPage } from "./page.js";

const typing = document.querySelector("[data-suggestions]");
const typed = { text: typing.value };
let list = null;
let chosen = -1;
let asked = 0;
let waiting = 0;

for (const [name, value] of Object.entries({
  role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "suggestions",
})) typing.setAttribute(name, value);

function close() {
  asked += 1;
  clearTimeout(waiting);
  list?.remove();
  list = null;
  chosen = -1;
  typing.setAttribute("aria-expanded", "false");
  typing.removeAttribute("aria-activedescendant");
}

function take(line) {
  if (line.dataset.href) { location.href = line.dataset.href; return; }
  typing.value = line.dataset.text;
  close();
  typing.form.requestSubmit();
}

function choose(index) {
  const lines = [...list.children];
  // Below the last suggestion come the results, if some are shown.
  const result = index >= lines.length && document.querySelector("#results a.place");
  if (result) { typing.value = typed.text; close(); result.focus(); return; }
  lines[chosen]?.setAttribute("aria-selected", "false");
  // One step before the first and behind the last is what was typed.
  chosen = index < -1 ? lines.length - 1 : index >= lines.length ? -1 : index;
  const line = lines[chosen];
  line?.setAttribute("aria-selected", "true");
  line?.scrollIntoView({ block: "nearest" });
  typing.value = line ? line.dataset.text : typed.text;
  if (line) typing.setAttribute("aria-activedescendant", line.id);
  else typing.removeAttribute("aria-activedescendant");
}

function show(lines) {
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
}

async function ask() {
  const mine = ++asked;
  try {
    const address = new URL(typing.dataset.suggestions, location.href);
    address.searchParams.set("q", typing.value);
    const page = await fetchPage(address);
    if (mine === asked && page) show(page.querySelector("ul.suggestions"));
  } catch { /* one can type on */ }
}

typing.addEventListener("input", () => {
  typed.text = typing.value;
  clearTimeout(waiting);
  if (typing.value.trim().length < 2) close(); else waiting = setTimeout(ask, 80);
});
typing.addEventListener("keydown", (event) => {
  if (!list) {
    const result = event.key === "ArrowDown" && document.querySelector("#results a.place");
    if (result) { event.preventDefault(); result.focus(); }
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) { event.preventDefault(); choose(chosen + step); }
  if (event.key === "Escape") { event.preventDefault(); typing.value = typed.text; close(); }
  if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); take(list.children[chosen]); }
});
typing.addEventListener("blur", close);
typing.form.addEventListener("submit", close);
