// The key of a person in the examples: the one that was made in this tab. The pages work without this file.
const KEY = "specbox-key";
const made = document.getElementById("new-key");
if (made) sessionStorage.setItem(KEY, made.textContent.trim());
const key = sessionStorage.getItem(KEY);
if (key) {
  for (const code of document.querySelectorAll("[data-example]")) {
    code.textContent = code.textContent
      .replaceAll("$SPECBOX_KEY", key)
      .replaceAll("${process.env.SPECBOX_KEY}", key)
      .replaceAll("{os.environ['SPECBOX_KEY']}", key);
  }
}
