// Chromium that reaches nothing but this machine, and tells of every error on a page.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Screenshots are kept where SPECBOX_SCREENSHOTS says, to be looked at. */
const shots = process.env.SPECBOX_SCREENSHOTS;

export async function launch(...more) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
      ...more,
    ],
  });
}

/** A fresh profile with one page; `faults` fills with what goes wrong on it. */
export async function profile(browser, url, options = {}) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, baseURL: url, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const target = request.url();
    if (!target.startsWith(url) && !/^(data|blob):/.test(target)) faults.push(`asks for ${target}`);
  });
  return { context, page, faults };
}

/** Serious and critical findings of axe-core on the page as it stands. */
export async function inaccessible(page) {
  // The page's policy forbids scripts of others; the test is none of them.
  const session = await page.context().newCDPSession(page);
  const expression = `${axeSource}; axe.run(document, {resultTypes: ["violations"]})
    .then((found) => JSON.stringify(found.violations.map((v) => ({
      id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 3).map((n) => n.html + " :: " + n.failureSummary) }))))`;
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression, awaitPromise: true, returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return JSON.parse(result.value).filter(({ impact }) => impact === "serious" || impact === "critical");
}

export async function shot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}
