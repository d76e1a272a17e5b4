// Niceties. Every page works without these files; each page loads those that it has a use for.
import { enableCopying, fetchPage, isTyping } from "./page.js";

enableCopying(document);

// "/" goes to the search box, Ctrl-K opens the palette.
const box = document.querySelector("[data-slash]");
async function showPalette() {
  const { openPalette } = await import("./palette.js");
  openPalette();
}
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    if (!document.querySelector("[data-palette]")) return;
    event.preventDefault();
    showPalette();
    return;
  }
  if (event.key !== "/" || isTyping() || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (box) { box.focus(); box.select(); } else { location.href = "/search"; }
});
for (const button of document.querySelectorAll("[data-palette]")) {
  button.hidden = false;
  button.addEventListener("click", showPalette);
}

// On a phone, the navigation of the dashboard is wider than the screen.
const tab = document.querySelector("nav.side [aria-current]");
if (tab) {
  const [nav, box] = [tab.closest("nav"), tab.getBoundingClientRect()];
  nav.scrollLeft += box.left - nav.getBoundingClientRect().left - (nav.clientWidth - box.width) / 2;
}

// What only some pages need.
if (document.querySelector("[data-suggestions]")) import("./suggestions.js");
if (document.querySelector("form[data-live]")) import("./search.js");
if (document.querySelector(".reader")) import("./reader.js");
if (document.querySelector("[data-narrows]")) import("./narrow.js");
if (document.querySelector("[data-openapi]")) import("./schema.js");
if (document.querySelector("[data-upload]")) import("./upload.js");
if (document.querySelector("[data-example], #new-key")) import("./docs.js");

// A part of the page that is fetched again while something goes on. What was opened stays open.
const live = document.querySelector("[data-refresh]");
async function refresh(part) {
  let goesOn = true;
  try {
    const page = await fetchPage(location.href);
    const fresh = page?.getElementById(part.id);
    if (fresh) {
      const opened = [...part.querySelectorAll("details")].map((details) => details.open);
      fresh.querySelectorAll("details").forEach((details, n) => { details.open ||= opened[n] === true; });
      part.replaceChildren(...fresh.childNodes);
      goesOn = "refresh" in fresh.dataset;
    }
  } catch { /* the server may be starting again */ }
  if (goesOn) setTimeout(() => refresh(part), Number(part.dataset.refresh));
}
if (live) setTimeout(() => refresh(live), Number(live.dataset.refresh));

// Forms are sent once, and say that they are on their way.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", () => {
    setTimeout(() => form.querySelectorAll("button").forEach((b) => {
      b.disabled = true;
      if (b.dataset.busy) { b.dataset.idle = b.textContent; b.textContent = b.dataset.busy; }
    }), 0);
  });
}
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form[method=post] button").forEach((b) => {
    b.disabled = false;
    if (b.dataset.idle) b.textContent = b.dataset.idle;
  });
});

// Recent searches are forgotten when their account signs out.
document.querySelector("form[action='/sign-out']")?.addEventListener("submit", () => {
  for (const name of Object.keys(localStorage)) if (/^specbox\..*\.history$/.test(name)) localStorage.removeItem(name);
});
