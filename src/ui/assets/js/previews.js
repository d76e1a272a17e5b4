// What a link leads to, and what an abbreviation stands for, on hover and on focus; figures in their full size.
import { fetchPage } from "./page.js";

const text = document.querySelector(".reader .text");
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
      const page = await fetchPage(key);
      const found = page?.body.firstElementChild;
      if (!found?.matches(".definition")) return null;
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

// Figures over the page: fitted to the window or in their own size, one after the other.
const frame = document.createElement("dialog");
frame.className = "enlarged";
frame.setAttribute("aria-label", "Figure");
document.body.append(frame);
const button = (label, act) => {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "small";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
};
const link = (label, address) => Object.assign(document.createElement("a"), { href: address, textContent: label });
let shownLink = null;
const showFigure = (source) => {
  shownLink = source;
  const all = [...text.querySelectorAll("a.enlarge")];
  const at = all.indexOf(source);
  const picture = document.createElement("img");
  picture.src = source.href;
  picture.alt = source.querySelector("img").alt;
  const zoom = button("Original size", () => {
    zoom.textContent = frame.classList.toggle("zoomed") ? "Fit to window" : "Original size";
  });
  picture.addEventListener("click", () => zoom.click());
  const caption = document.createElement("p");
  caption.textContent = picture.alt;
  const tools = document.createElement("div");
  tools.className = "enlarged-tools";
  tools.append(button("Close", () => frame.close()), zoom);
  if (all.length > 1) {
    tools.append(
      button("Previous figure", () => showFigure(all.at(at - 1))),
      button("Next figure", () => showFigure(all[(at + 1) % all.length])),
    );
  }
  tools.append(link("Open in a tab", source.href));
  if (source.href !== new URL(source.dataset.png, location.href).href) tools.append(link("PNG", source.dataset.png));
  const canvas = document.createElement("div");
  canvas.className = "enlarged-picture";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "group");
  canvas.setAttribute("aria-label", "Picture");
  canvas.append(picture);
  frame.classList.remove("zoomed");
  frame.replaceChildren(tools, canvas, caption);
  if (!frame.open) frame.showModal();
};
text.addEventListener("click", (event) => {
  const source = event.target.closest("a.enlarge");
  if (!source || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  showFigure(source);
});
frame.addEventListener("click", (event) => { if (event.target === frame) frame.close(); });
frame.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || frame.classList.contains("zoomed")) return;
  const all = [...text.querySelectorAll("a.enlarge")];
  showFigure(all.at((all.indexOf(shownLink) + by) % all.length));
});
