// Measures pages with Lighthouse on a simulated phone and on a desktop, and prints a table: lighthouse.mjs RESULTS.json

import { writeFileSync } from "node:fs";
import { cpus } from "node:os";

import { launch } from "./browser.mjs";
import { signedInOperator } from "./operator.mjs";
import { Server } from "./server.mjs";

// Not among the packages of the tests, which CI installs: scripts/bench-pages says where it is.
const { default: lighthouse } = await import(`${process.env.LIGHTHOUSE}/core/index.js`);
const { default: desktop } = await import(`${process.env.LIGHTHOUSE}/core/config/desktop-config.js`);

const PORT = 9223;
/** Each page is measured so often; the figures are medians. */
const ROUNDS = 3;
const PAGES = {
  search: "/search?q=timer+T390",
  reader: "/read/38.990/19.0.0?section=5.3.1",
  meeting: "/meeting/R1-190",
};
const CATEGORIES = ["performance", "accessibility", "best-practices"];

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** One round: scores from 0 to 100, times in milliseconds as a phone with a slow network or a desktop would have them. */
async function measure(url, cookie, device) {
  const options = {
    port: PORT, onlyCategories: CATEGORIES, extraHeaders: { Cookie: cookie }, logLevel: "error",
    disableStorageReset: true,
  };
  const { lhr } = await lighthouse(url, options, device === "desktop" ? desktop : undefined);
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  const time = (audit) => lhr.audits[audit].numericValue;
  const failed = Object.values(lhr.audits).filter((audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== "informative");
  return {
    ...Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)])),
    first_paint_ms: time("first-contentful-paint"),
    largest_paint_ms: time("largest-contentful-paint"),
    // What this browser itself took, without simulated network and processor.
    observed_first_paint_ms: lhr.audits.metrics.details.items[0].observedFirstContentfulPaint,
    layout_shift: time("cumulative-layout-shift"),
    blocking_ms: time("total-blocking-time"),
    bytes: time("total-byte-weight"),
    failed: failed.map((audit) => audit.id),
  };
}

const server = await Server.start();
const browser = await launch(`--remote-debugging-port=${PORT}`, "--ignore-certificate-errors");
try {
  const visit = await signedInOperator(browser, server);
  const { cookies } = await visit.context.storageState();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const rows = [];
  for (const [page, path] of Object.entries(PAGES)) {
    for (const device of ["phone", "desktop"]) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(server.url + path, cookie, device));
      const figures = Object.keys(rounds[0]).filter((name) => name !== "failed");
      const row = Object.fromEntries(figures.map((name) => [name, Number(median(rounds.map((round) => round[name])).toFixed(3))]));
      rows.push({ page, device, ...row, failed: rounds[0].failed });
      console.log(JSON.stringify(rows.at(-1)));
    }
  }
  const machine = `${cpus().length} cores, ${cpus()[0].model.trim()}`;
  const results = { measured_on: new Date().toISOString().slice(0, 10), machine, rounds: ROUNDS, rows };
  writeFileSync(process.argv[2], `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await browser.close();
  server.stop();
}
