// The package in a page of another origin, in Chromium: the server allows that origin in `cors_origins`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { server } from "./server.mjs";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const port = Number(process.env.SPECBOX_PAGE_PORT);
const skip = !existsSync(chromium) ? "there is no Chromium" : !port && "no server that allows the origin of a page";

const PAGE = `<!doctype html><script type="module">
const report = (found) => fetch("/report", { method: "POST", body: JSON.stringify(found) });
try {
  const { Specbox } = await import("/index.js");
  const client = new Specbox(${JSON.stringify(server)});
  const documents = await client.listDocuments({ doc_number: "38.990" });
  const figure = (await client.searchImages({ query: "states of a link" })).results[0];
  const picture = await client.getPicture(figure);
  const error = await client.getDocument({ document_id: 4000000 }).catch((error) => error);
  await report({ documents: documents.length, picture: picture.length, code: error.code, id: error.requestId });
} catch (error) {
  await report({ failed: String(error) });
}
</script>`;

/** Serves the page and the package, and resolves with what the page reports. */
function serve() {
  let site;
  const reported = new Promise((resolve) => {
    site = createServer(async (request, response) => {
      if (request.url === "/report") {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        response.end();
        resolve(JSON.parse(Buffer.concat(chunks).toString()));
      } else if (request.url.endsWith(".js")) {
        response.setHeader("content-type", "text/javascript");
        response.end(readFileSync(new URL(`../dist/${request.url.slice(1)}`, import.meta.url)));
      } else {
        response.setHeader("content-type", "text/html");
        response.end(PAGE);
      }
    });
    site.listen(port, "127.0.0.1");
  });
  return { site, reported };
}

test("operations, pictures and errors reach a page of another origin", { skip, timeout: 120_000 }, async () => {
  const { site, reported } = serve();
  const profile = mkdtempSync(join(tmpdir(), "specbox-chromium-"));
  // The certificate of the test server is of its own authority.
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--ignore-certificate-errors"];
  const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: "ignore",
  });
  try {
    const stopped = new Promise((_, reject) => browser.on("exit", () => reject(new Error("Chromium stopped"))));
    const found = await Promise.race([reported, stopped]);
    assert.equal(found.failed, undefined);
    assert.ok(found.documents > 1 && found.picture > 1000, JSON.stringify(found));
    assert.equal(found.code, "document_not_found");
    assert.match(found.id, /^[0-9a-f-]{36}$/);
  } finally {
    browser.removeAllListeners("exit");
    const closed = new Promise((resolve) => browser.on("exit", resolve));
    browser.kill();
    if (browser.exitCode === null) await closed;
    site.closeAllConnections();
    site.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
