// A clause that was opened from search results: the words of the query are highlighted, and the way back keeps the filters.

/** Highlights the words that a line of the page names in the text. */
export function enableSearched(text) {
  const line = text.querySelector(".searched");
  if (!line) return;
  const { query, pattern } = line.dataset;
  const results = sessionStorage.getItem("results");
  const isOfThem = results && new URLSearchParams(results.split("?")[1]).get("q")?.trim() === query;
  if (isOfThem) line.querySelector("a").href = results;
  if (!pattern || !CSS.highlights) return;
  const letter = "[\\p{L}\\p{N}]";
  const words = new RegExp(`(?<!${letter})(?:${pattern})(?!${letter})`, "giu");
  const highlight = () => {
    const found = new Highlight();
    for (const section of text.querySelectorAll("section")) {
      const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.closest("[hidden], button")) continue;
        for (const match of node.data.matchAll(words)) {
          const range = new Range();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          found.add(range);
        }
      }
    }
    CSS.highlights.set("searched", found);
  };
  const added = new MutationObserver(highlight);
  const clear = line.querySelector("button");
  clear.addEventListener("click", () => { added.disconnect(); CSS.highlights.delete("searched"); line.remove(); });
  clear.hidden = false;
  highlight();
  added.observe(text, { childList: true });
}
