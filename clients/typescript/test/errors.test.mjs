// Errors carry what the server said, and what may be repeated is repeated.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Specbox, SpecboxError } from "../dist/index.js";
import { client, scripted, server, withoutWaiting } from "./server.mjs";

const BUSY = { detail: { code: "overloaded", message: "The service is busy.", retry_after: 2 } };

/** The error that a promise is rejected with. */
const errorOf = async (promise) => {
  const error = await promise.then(() => assert.fail("it was answered"), (reason) => reason);
  assert.ok(error instanceof SpecboxError, String(error));
  return error;
};

test("an error has status, code, message and request ID", async () => {
  const error = await errorOf(client.getDocument({ document_id: 4_000_000 }));
  assert.deepEqual([error.status, error.code, error.canRetry], [404, "document_not_found", false]);
  assert.equal(error.message, "There is no document with ID 4000000.");
  assert.match(error.requestId, /^[0-9a-f-]{36}$/);
});

test("every invalid parameter is named", async () => {
  const error = await errorOf(client.searchText({ query: "timer", match_count: 0, rerank_top_k: 1000 }));
  assert.equal(error.status, 422);
  assert.deepEqual(error.detail.map((fault) => fault.loc.join(".")), ["body.match_count", "body.rerank_top_k"]);
  assert.match(error.message, /^body\.match_count: .*; body\.rerank_top_k: /);
});

test("a wrong key is an error with the message of the server", async () => {
  const error = await errorOf(new Specbox({ ...server, key: "sk-wrong" }).listDocuments());
  assert.deepEqual([error.status, error.message], [401, "Invalid API key"]);
});

test("an authority that is not trusted is named as the cause", () => {
  const code = `
    const { Specbox } = await import(${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)});
    await new Specbox({ url: process.env.SPECBOX_URL }).health().catch((error) => console.log(error.message));`;
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const done = spawnSync(process.execPath, ["--input-type=module", "-e", code], { env: environment, encoding: "utf8" });
  assert.match(done.stdout, /not trusted: set NODE_EXTRA_CA_CERTS/, done.stderr);
});

test("a busy server is asked again after the given time", async () => {
  const { client, requests } = scripted([[503, { "retry-after": "2" }, BUSY], [429, {}, BUSY], [200, {}, []]]);
  const { outcome, waits } = await withoutWaiting(() => client.listDocuments());
  assert.deepEqual([outcome, waits, requests.length], [[], [2000, 2000], 3]);
});

test("without a time the waits grow, and the last error is thrown", async () => {
  const { client } = scripted(Array(4).fill([503, { "x-request-id": "a-1" }, { detail: "" }]), { maxRetries: 3 });
  const { outcome, waits } = await withoutWaiting(() => client.listDocuments());
  assert.deepEqual([outcome.status, outcome.requestId, waits.length], [503, "a-1", 3]);
  waits.forEach((wait, at) => assert.ok(wait >= 250 * 2 ** at && wait <= 500 * 2 ** at, `${waits}`));
});

for (const [name, answer] of Object.entries({
  "a wait that is too long": [429, { "retry-after": "3600" }, BUSY],
  "a used-up allowance": [402, { "retry-after": "1" }, { detail: { code: "api_quota_exhausted", message: "" } }],
  "an invalid request": [422, {}, { detail: [] }],
})) {
  test(`${name} is left to the caller`, async () => {
    const { client, requests } = scripted([answer, [200, {}, []]]);
    const { outcome, waits } = await withoutWaiting(() => client.listDocuments());
    assert.deepEqual([outcome.status, waits.length, requests.length], [answer[0], 0, 1]);
  });
}

test("a failed connection is retried", async () => {
  const { client } = scripted([new TypeError("fetch failed"), [200, {}, []]]);
  const { outcome, waits } = await withoutWaiting(() => client.listDocuments());
  assert.deepEqual([outcome, waits.length], [[], 1]);
});

test("a request that took too long is not repeated", async () => {
  let asked = 0;
  const fetch = (_, { signal }) => {
    asked += 1;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const error = await errorOf(new Specbox({ url: "https://specs.example", fetch, timeout: 5 }).listDocuments());
  assert.match(error.message, /within 0.005 s/);
  assert.equal(asked, 1);
});

test("an aborted call stops waiting for its retry", async () => {
  const { client, requests } = scripted([[503, { "retry-after": "30" }, BUSY], [200, {}, []]]);
  const controller = new AbortController();
  const call = client.listDocuments({}, { signal: controller.signal });
  queueMicrotask(() => controller.abort(new Error("enough")));
  await assert.rejects(call, /enough/);
  assert.ok(requests.length <= 1);
});

test("a running fetch is waited for, and no longer than the time limit", async () => {
  const running = { detail: { code: "tdoc_fetch_in_progress", message: "It is being fetched.", retry_after: 3 } };
  const answers = [[202, {}, running], [202, {}, running], [200, {}, { tdoc_id: "R1-1" }]];
  const { outcome, waits } = await withoutWaiting(() => scripted([...answers]).client.waitForTdoc("R1-1"));
  assert.deepEqual([outcome, waits], [{ tdoc_id: "R1-1" }, [3000, 3000]]);
  const error = await errorOf(scripted([...answers]).client.waitForTdoc("R1-1", { timeout: 1000 }));
  assert.deepEqual([error.status, error.code], [202, "tdoc_fetch_in_progress"]);
});

test("the key and the values are sent where they belong, and null is not sent", async () => {
  const { client, requests } = scripted([[200, {}, {}], [200, {}, {}]]);
  await client.fetchTdoc({ tdoc_id: "R1/1", include: ["units", "text"], text_offset: null });
  await client.searchText({ query: "timer", filter_release: null });
  const [first, second] = requests;
  assert.equal(first.url, "https://specs.example/tdocs/R1%2F1/fetch?include=units%2Ctext");
  assert.deepEqual([first.method, first.body, first.redirect], ["POST", null, "manual"]);
  assert.equal(first.headers.authorization, "Bearer sk-1");
  assert.deepEqual([second.url, second.body], ["https://specs.example/search/text", '{"query":"timer"}']);
});

test("the allowance is that of the last reply", async () => {
  const headers = { "x-ratelimit-limit": "150", "x-ratelimit-remaining": "149", "x-ratelimit-reset": "1796083200" };
  const { client } = scripted([[200, headers, []], [200, {}, []]]);
  assert.equal(client.allowance, undefined);
  await client.listDocuments();
  await client.listDocuments();
  assert.deepEqual(client.allowance, { limit: 150, remaining: 149, resetAt: new Date("2026-12-01T00:00:00Z") });
});

test("an answer of another server is an error, and so is an address without a scheme", async () => {
  const fetch = async () => new Response("<html>");
  await assert.rejects(new Specbox({ url: "https://proxy.example", fetch }).listDocuments(), /not JSON/);
  assert.throws(() => new Specbox({ url: "localhost:8443" }), TypeError);
});
