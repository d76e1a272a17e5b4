// What the other scripts share: pages fetched as documents, buttons that copy, and what is kept in this browser.

/** The document at an address; null if the server refused it. `signal` gives it up. */
export async function fetchPage(address, signal) {
  const answer = await fetch(address, { credentials: "same-origin", signal });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return answer.ok ? page : null;
}

/** Whether keys are meant for a field. */
export function isTyping() {
  const active = document.activeElement;
  return /^(input|textarea|select)$/i.test(active?.tagName ?? "") && !/^(radio|checkbox)$/.test(active.type);
}

/** Buttons that copy the text that stands beside them. */
export function enableCopying(part) {
  for (const button of part.querySelectorAll("[data-copy]")) enableCopyButton(button);
}

function enableCopyButton(button) {
  const label = button.dataset.label ?? "Copy";
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      source.hidden = false;
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

const account = document.querySelector("[data-account]")?.dataset.account ?? "";

/** Lists that this browser keeps for the account that is signed in: the newest first, each address once. */
export const kept = {
  read(name) {
    try { return JSON.parse(localStorage.getItem(`specbox.${account}.${name}`)) ?? []; } catch { return []; }
  },
  write(name, items) {
    try { localStorage.setItem(`specbox.${account}.${name}`, JSON.stringify(items)); } catch { /* storage is full or off */ }
  },
  add(name, item, most) {
    const others = this.read(name).filter((other) => other.path !== item.path);
    this.write(name, [item, ...others].slice(0, most));
  },
  remove(name, path) {
    this.write(name, this.read(name).filter((item) => item.path !== path));
  },
};

/** Placeholders for results that are on their way. */
export function skeletons(count) {
  const cards = [];
  for (let n = 0; n < count; n += 1) {
    const card = document.createElement("div");
    card.className = "card";
    for (const shape of ["skeleton title", "skeleton", "skeleton short"]) {
      card.append(Object.assign(document.createElement("span"), { className: shape }));
    }
    cards.push(card);
  }
  return cards;
}
