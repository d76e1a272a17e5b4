// Searching as people do it: while they type, with the keyboard, and again later.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { inaccessible, launch, shot } from "./browser.mjs";
import { sameSession, signedInOperator } from "./operator.mjs";
import { Server, sample } from "./server.mjs";

let server, browser, operator;

before(async () => {
  server = await Server.start();
  const report = sample.replace(/archive\/?$/, "mirror/tsg_ran/WG1_RL1/TSGR1_190/Report");
  server.run("meetings", "import", `${report}/Final_Minutes_report_RAN1#190_v100.zip`);
  browser = await launch();
  operator = await signedInOperator(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

async function looksRight(page, name) {
  await shot(page, name);
  assert.deepEqual(await inaccessible(page), [], name);
  assert.deepEqual(operator.faults, [], name);
}

const results = (page) => page.locator("#results");

test("matches of words appear while one types, and the complete search follows by itself", async () => {
  const { page } = operator;
  await page.goto("/search");
  await page.getByRole("combobox", { name: "Search query" }).pressSequentially("waiting time overloaded");
  await page.locator("#results[data-stage=words] .passages li").first().waitFor();
  await looksRight(page, "search-while-typing");
  await page.locator("#results[data-stage=complete] .passages li").first().waitFor();
  assert.match(page.url(), /q=waiting\+time\+overloaded/);
  assert.ok((await results(page).locator("mark").count()) > 0);
});

test("an answer that is late does not replace a newer one", async () => {
  const { page } = operator;
  await page.goto("/search");
  let held = null;
  await page.route(/\/search\/live.*q=beacon&?/, async (route) => {
    held = route;
  });
  const box = page.getByRole("combobox", { name: "Search query" });
  await box.fill("beacon");
  await page.waitForFunction(() => document.querySelector("#results").ariaBusy === "true");
  await box.fill("dormant link identity");
  await page.locator("#results .passages li", { hasText: "dormant" }).first().waitFor();
  await held?.continue().catch(() => {});
  await page.unroute(/\/search\/live.*q=beacon&?/);
  await page.locator("#results[data-stage=complete]").waitFor();
  assert.equal(await box.inputValue(), "dormant link identity");
  assert.match(await results(page).locator(".passages li").first().textContent(), /dormant/i);
});

test("members with a limited plan are asked to press Enter, and typing costs them nothing", async () => {
  const made = JSON.parse(server.run("user", "add", "carl", "--plan", "free"));
  const visit = await sameSession(browser, server, operator, {});
  await visit.context.clearCookies();
  const { page } = visit;
  await page.goto(made.setup_url);
  await page.getByLabel("New password").fill("a long enough password");
  await page.getByLabel("Repeat the password").fill("a long enough password");
  await page.getByRole("button", { name: /Set password/ }).click();
  await page.waitForURL("**/dashboard");
  await page.goto("/search");
  await page.getByRole("combobox", { name: "Search query" }).pressSequentially("beacon unit");
  await page.getByText("press Enter for reranked results").waitFor();
  await page.goto("/dashboard");
  assert.match(await page.locator("main").textContent(), /0 of \d+ requests/);
  assert.deepEqual(visit.faults, []);
  await visit.context.close();
});

test("facets count, narrow the results, and are removed as chips", async () => {
  const { page } = operator;
  await page.goto("/search?q=timer");
  const facets = page.locator(".facets");
  await facets.getByRole("heading", { name: "Release" }).waitFor();
  const release = facets.getByRole("link", { name: /^Rel-19 \d+$/ });
  await looksRight(page, "search-facets");
  await release.click();
  const chip = page.getByRole("link", { name: "Remove filter Rel-19" });
  await chip.waitFor();
  for (const facts of await page.locator(".passages header .facts").allTextContents()) assert.match(facts, /Rel-19/);
  await chip.click();
  await chip.waitFor({ state: "detached" });
});

test("a clause is one result, with its other passages below it", async () => {
  const { page } = operator;
  await page.goto("/search?q=timer+T390+T391+T392+value");
  const places = await page.locator(".passages a.place").evaluateAll((all) => all.map((a) => a.href));
  assert.equal(new Set(places).size, places.length);
});

test("a clause opened from the results highlights the words of the query and leads back", async () => {
  const { page } = operator;
  await page.goto("/search?q=overloaded+beacons&release=Rel-18");
  await page.locator(".passages a.place").first().click();
  await page.waitForURL("**/read/**");
  const back = page.getByRole("link", { name: /Back to the results for .overloaded beacons/ });
  await back.waitFor();
  const highlighted = () => page.evaluate(() => CSS.highlights.get("searched")?.size ?? 0);
  assert.ok(await highlighted() > 0);
  await looksRight(page, "reader-searched");
  await page.getByRole("button", { name: "Clear highlights" }).click();
  assert.equal(await highlighted(), 0);
  await page.reload();
  await back.click();
  await page.waitForURL("**/search?q=overloaded+beacons&release=Rel-18");
});

test("the keyboard alone finds, moves and opens", async () => {
  const { page } = operator;
  await page.goto("/search");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("/");
  await page.keyboard.type("beacon unit");
  await page.keyboard.press("Enter");
  await page.locator("#results[data-stage=complete] .passages li").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement.matches(".passages li:first-child a.place"));
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement.matches(".passages li:nth-child(2) a.place"));
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement.matches("input[type=search]"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/read/**");
});

test("Ctrl-K opens documents, clauses, names, meetings and pages", async () => {
  const { page } = operator;
  await page.goto("/docs/start");
  for (const [text, line, url] of [
    ["38.990 5.3.1", /Link setup/, /read\/38\.990.*section=5\.3\.1$/],
    ["RAN1#190", /RAN1#190/, /\/meeting\/R1-190/],
    ["R1-2600104", /R1-2600104/, /\/contributions\/R1-2600104/],
    ["watches", /Watches/, /\/dashboard\/watches/],
    ["LRCSetup", /LRCSetup/, /\/(define|search|read)/],
  ]) {
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Go to" });
    await palette.getByRole("combobox").fill(text);
    await palette.getByRole("option", { name: line }).first().waitFor();
    if (text === "RAN1#190") await looksRight(page, "palette");
    await page.keyboard.press("Enter");
    await page.waitForURL(url);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Go to" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Go to" }).waitFor({ state: "hidden" });
});

test("searches are remembered in this browser, saved, and forgotten on sign-out", async () => {
  const { page } = operator;
  await page.goto("/search?q=dormant+link");
  await page.getByRole("button", { name: "Save search" }).click();
  await page.getByRole("button", { name: "Saved" }).waitFor();
  await page.goto("/search");
  const remembered = page.locator("#remembered");
  await remembered.getByRole("heading", { name: "Saved searches" }).waitFor();
  await remembered.getByRole("heading", { name: "Recent searches" }).waitFor();
  await looksRight(page, "search-remembered");
  await remembered.getByRole("link", { name: "dormant link" }).first().click();
  await page.waitForURL(/q=dormant\+link/);
  await page.goto("/search");
  await remembered.getByRole("button", { name: "Remove dormant link" }).first().click();
  assert.equal(await remembered.getByRole("heading", { name: "Saved searches" }).count(), 0);
});

test("lists are files: CSV with a row for each record, JSON as the operation returns it", async () => {
  const { page } = operator;
  const { cookies } = await operator.context.storageState();
  const cookie = cookies.find(({ name }) => name === "__Host-sid").value;
  for (const [path, text] of [
    ["/search?q=timer", "doc_number"],
    ["/library", "38.990"],
    ["/contributions", "R1-2600104"],
    ["/meeting", "R1-190"],
    ["/meeting/R1-190", "decision_type"],
    ["/decision-search?q=waiting+time+after+a+refusal", "decision"],
    ["/read/38.990/19.0.0/names", "T390"],
    ["/read/38.990/compare?from=18.1.0&to=19.0.0", "section_number"],
    ["/terms?term=LRC", "meaning"],
    ["/contributions/R1-2600104", "tdoc_id"],
  ]) {
    const join = path.includes("?") ? "&" : "?";
    const csv = server.curl(`${path}${join}format=csv`, "-b", `__Host-sid=${cookie}`);
    assert.equal(csv.status, 200, path);
    assert.match(csv.body.split("\r\n")[0], /^[\w.,]+$/, path);
    assert.ok(csv.body.includes(text), `${path} as CSV has ${text}`);
    const json = server.curl(`${path}${join}format=json`, "-b", `__Host-sid=${cookie}`);
    assert.ok(JSON.parse(json.body).length > 0, path);
    assert.ok(json.body.includes(text), `${path} as JSON has ${text}`);
  }
  await page.goto("/contributions/R1-2600104");
  await operator.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy citation" }).click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /R1-2600104, RAN1#190/);
  await page.getByRole("button", { name: "BibTeX" }).click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^@techreport\{3gpp\.R1-2600104,/);
});

test("terms and the trace of a clause have pages, and the reader leads to them", async () => {
  const { page } = operator;
  await page.goto("/terms?term=LRC");
  await page.getByText("Link Resource Control").first().waitFor();
  await looksRight(page, "terms");
  await page.goto("/terms?term=zzzz");
  await page.getByText("No indexed document defines this term.").waitFor();
  await looksRight(page, "terms-nothing");
  await page.goto("/read/38.990/19.0.0?section=5.3.1.4a");
  await page.getByRole("link", { name: "Trace", exact: true }).first().click();
  await page.getByRole("heading", { name: "Trace of 38.990, 5.3.1.4a" }).waitFor();
  await page.getByRole("link", { name: "R1-2600107" }).first().waitFor();
  await looksRight(page, "trace");
});
