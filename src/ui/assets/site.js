// Niceties. Every page works without this file.
"use strict";

// Buttons that copy what stands beside them.
for (const button of document.querySelectorAll("[data-copy]")) {
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
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

// "/" goes to the search box.
const box = document.querySelector("[data-slash]");
document.addEventListener("keydown", (event) => {
  const typing = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (box) { box.focus(); box.select(); } else { location.href = "/search"; }
});

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
