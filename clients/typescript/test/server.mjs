// A server over the sample corpus, which scripts/check-clients starts, and a client of it.

import { readFileSync } from "node:fs";
import { Specbox } from "../dist/index.js";

const { SPECBOX_URL: url, SPECBOX_KEY: key } = process.env;
if (!url || !key) throw new Error("set SPECBOX_URL and SPECBOX_KEY, or run scripts/check-clients");

export const server = { url, key };
export const client = new Specbox(server);

const file = new URL("../../../crates/wire/src/examples.json", import.meta.url);
/** A request to each operation that the sample corpus answers; none for pictures that no model has compared. */
export const examples = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(file, "utf8")))
    .filter(([name]) => name !== "similar_images")
    .map(([name, example]) => [name, example.parameters]),
);

export const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A client of a server that gives these answers in turn: [status, headers, body], or an error. */
export function scripted(answers, options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    const [status, headers, body] = answer;
    return new Response(JSON.stringify(body), { status, headers });
  };
  return { requests, client: new Specbox({ url: "https://specs.example/", key: "sk-1", fetch, ...options }) };
}

/** Runs something with a clock that does not wait; the waits it asked for, in milliseconds. */
export async function withoutWaiting(action) {
  const { setTimeout: real } = globalThis;
  const waits = [];
  // The time limit of a request is left alone.
  globalThis.setTimeout = (run, delay) => (delay < 30_000 ? (waits.push(delay), real(run, 0)) : real(run, delay));
  try {
    const outcome = await action().catch((error) => error);
    return { waits, outcome };
  } finally {
    globalThis.setTimeout = real;
  }
}
