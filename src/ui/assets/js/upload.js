// Uploads with progress, and files that are dropped. The form works without this file.
const form = document.querySelector("[data-upload]");
const card = form.closest("section");
const list = card.querySelector("[data-uploads]");
const input = form.querySelector("input[type=file]");
const token = form.querySelector("input[type=hidden]");

/** What could not be uploaded, while the page is loaded again to show the jobs. */
const FAILURES = "failed-uploads";

/** Sends one file; resolves to an error text, or to nothing. */
function send(file, line) {
  return new Promise((done) => {
    const body = new FormData();
    body.append(token.name, token.value);
    body.append("file", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", (event) => {
      const share = event.lengthComputable ? Math.floor((100 * event.loaded) / event.total) : 0;
      line.textContent = `${file.name}: ${share} %`;
    });
    request.addEventListener("load", () => {
      if (request.status === 200) { done(null); return; }
      let reason = `the server answered ${request.status}`;
      try {
        const detail = JSON.parse(request.responseText).detail;
        reason = (typeof detail === "string" ? detail : detail.message) ?? reason;
      } catch { /* The number says enough. */ }
      done(reason);
    });
    request.addEventListener("error", () => done("the connection was interrupted"));
    request.send(body);
  });
}

async function sendAll(files) {
  const button = form.querySelector("button");
  button.disabled = true;
  const failures = [];
  for (const file of files) {
    const line = document.createElement("li");
    line.textContent = `${file.name}: 0 %`;
    list.append(line);
    const error = await send(file, line);
    line.textContent = error === null ? `${file.name}: uploaded` : `${file.name}: ${error}`;
    if (error !== null) failures.push(line.textContent);
  }
  button.disabled = false;
  form.reset();
  if (failures.length === files.length) return;
  // The jobs on the page show the rest.
  sessionStorage.setItem(FAILURES, JSON.stringify(failures));
  location.reload();
}

for (const failure of JSON.parse(sessionStorage.getItem(FAILURES) ?? "[]")) {
  list.append(Object.assign(document.createElement("li"), { textContent: failure }));
}
sessionStorage.removeItem(FAILURES);

form.addEventListener("submit", (event) => {
  if (input.files.length === 0) return;
  event.preventDefault();
  void sendAll([...input.files]);
});
for (const name of ["dragenter", "dragover"]) {
  card.addEventListener(name, (event) => {
    event.preventDefault();
    card.classList.add("dropping");
  });
}
card.addEventListener("dragleave", (event) => {
  if (!card.contains(event.relatedTarget)) card.classList.remove("dropping");
});
card.addEventListener("drop", (event) => {
  event.preventDefault();
  card.classList.remove("dropping");
  if (event.dataTransfer.files.length > 0) void sendAll([...event.dataTransfer.files]);
});
