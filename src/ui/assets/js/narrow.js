// A list that is narrowed while its topic is typed. What is loaded is narrowed at once; then the server answers from all
// of it, and its part of the page is put in place, unless something newer was typed.
import { fetchPage, skeletons } from "./page.js";

const box = document.querySelector("[data-narrows]");
const part = document.getElementById(box.dataset.narrows);
const DELAY = 400;
let running = null;
let waiting = 0;

function narrowLoaded() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of part.querySelectorAll("[data-filtered]")) {
    const text = card.textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
}

async function askServer() {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  const address = new URL(box.form.action, location.href);
  for (const [name, value] of new FormData(box.form)) if (value) address.searchParams.set(name, value);
  part.setAttribute("aria-busy", "true");
  try {
    const page = await fetchPage(address, mine.signal);
    const fresh = page?.getElementById(part.id);
    if (running !== mine || !fresh) return;
    part.replaceChildren(...fresh.childNodes);
    history.replaceState(null, "", address);
  } catch { /* given up, or the server did not answer: Enter says more */ } finally {
    if (running === mine) part.removeAttribute("aria-busy");
  }
}

box.addEventListener("input", () => {
  running?.abort();
  clearTimeout(waiting);
  narrowLoaded();
  if (box.dataset.asks === "typing") waiting = setTimeout(askServer, DELAY);
});
box.form.addEventListener("change", (event) => { if (event.target !== box) box.form.requestSubmit(); });
box.form.addEventListener("submit", () => { clearTimeout(waiting); part.replaceChildren(...skeletons(4)); });
