// A clause that was opened from search results: the words of the query are highlighted, and the way back is shown.

/** Highlights the words of the query that the address names in a text, and adds a line below the bar. */
export function enableSearched(text, bar) {
  const searched = new URLSearchParams(location.search).get("q")?.trim();
  if (!searched || !CSS.highlights) return;
  const common = new Set("a an and are as at be by can do does for from has have how if in is it its of on or shall should that the this to was what when where which who why will with not".split(" "));
  const words = (searched.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !common.has(word.toLowerCase()));
  const letter = "[\\p{L}\\p{N}]";
  // Inflections share a stem: triggers, triggered.
  const endings = Object.entries({ s: 3, es: 4, ed: 4, d: 4, ing: 4 });
  const stems = words.flatMap((word) => [word, ...endings.filter(([end, least]) => word.endsWith(end) && word.length >= end.length + least).map(([end]) => word.slice(0, -end.length))]);
  const inflected = (stem) => `${stem}(?:${endings.filter(([, least]) => stem.length >= least).map(([end]) => end).join("|") || "(?!)"})?`;
  const alternatives = stems.map(inflected).join("|");
  const pattern = new RegExp(`(?<!${letter})(?:${alternatives})(?!${letter})`, "giu");
  const highlight = () => {
    const found = new Highlight();
    for (const section of text.querySelectorAll("section")) {
      const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.closest("[hidden], button")) continue;
        for (const match of node.data.matchAll(pattern)) {
          const range = new Range();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          found.add(range);
        }
      }
    }
    CSS.highlights.set("searched", found);
  };
  const note = document.createElement("p");
  note.className = "searched";
  // The page of the results has filters too.
  const results = sessionStorage.getItem("results");
  const isOfThem = results && new URLSearchParams(results.split("?")[1]).get("q")?.trim() === searched;
  const back = document.createElement("a");
  back.href = isOfThem ? results : `/search?${new URLSearchParams({ q: searched })}`;
  back.textContent = `Back to the results for \u201c${searched}\u201d`;
  const stop = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: "Clear highlights" });
  const added = new MutationObserver(highlight);
  stop.addEventListener("click", () => { added.disconnect(); CSS.highlights.delete("searched"); note.remove(); });
  note.append(back, stop);
  bar.after(note);
  if (words.length > 0) {
    highlight();
    added.observe(text, { childList: true });
  }
}
