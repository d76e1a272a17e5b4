// The pages as people use them, in Chromium.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { inaccessible, launch, profile, shot } from "./browser.mjs";
import { Server, sample } from "./server.mjs";

const PASSWORD = "a password of some length";
let server, browser, operator;

before(async () => {
  server = await Server.start('\n[[plans]]\nname = "free"\nrequests_per_month = 4\n');
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Looks at a page: no error on it, nothing asked of others, nothing that shuts people out. */
async function looksRight(visit, name) {
  await shot(visit.page, name);
  assert.deepEqual(await inaccessible(visit.page), [], name);
  assert.deepEqual(visit.faults, [], name);
}

async function signIn(visit, name, password = PASSWORD) {
  await visit.page.goto("/sign-in");
  await visit.page.getByLabel("Name").fill(name);
  await visit.page.getByLabel("Password").fill(password);
  await visit.page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
}

/** Makes an account at the command line and sets its password by the link. */
async function member(name) {
  const made = JSON.parse(server.run("user", "add", name, "--plan", "free"));
  const visit = await profile(browser, server.url);
  await visit.page.goto(made.setup_url);
  await visit.page.getByLabel("New password").fill(PASSWORD);
  await visit.page.getByLabel("Repeat the password").fill(PASSWORD);
  await visit.page.getByRole("button", { name: /Set password/ }).click();
  await visit.page.waitForURL("**/dashboard");
  return visit;
}

test("the first start is set up by the printed link, once", async () => {
  operator = await profile(browser, server.url);
  const { page } = operator;
  await page.goto("/");
  await looksRight(operator, "home");
  await page.goto(server.link);
  await looksRight(operator, "setup");
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill("a password of another kind");
  await page.getByRole("button", { name: /Set password/ }).click();
  await page.getByRole("alert").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 422.
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByRole("button", { name: /Set password/ }).click();
  await page.waitForURL("**/dashboard");
  await looksRight(operator, "dashboard-empty");
  const stranger = await profile(browser, server.url);
  assert.equal((await stranger.page.goto(server.link)).status(), 404);
  await stranger.context.close();
});

test("signing in needs the password, and signing out ends it", async () => {
  const visit = await profile(browser, server.url);
  await visit.page.goto("/dashboard/keys");
  assert.match(visit.page.url(), /sign-in\?next=%2Fdashboard%2Fkeys/);
  await looksRight(visit, "sign-in");
  await signIn(visit, "operator", "not the password");
  await visit.page.getByRole("alert").waitFor();
  await signIn(visit, "Operator");
  await visit.page.waitForURL("**/dashboard");
  const cookie = (await visit.context.cookies()).find(({ name }) => name === "__Host-sid");
  assert.deepEqual(
    [cookie.httpOnly, cookie.secure, cookie.sameSite, cookie.path],
    [true, true, "Lax", "/"],
  );
  await visit.page.getByRole("button", { name: "Sign out" }).click();
  await visit.page.waitForURL(`${server.url}/`);
  await visit.context.addCookies([cookie]);
  await visit.page.goto("/dashboard");
  assert.match(visit.page.url(), /sign-in/, "the old cookie opens nothing");
  await visit.context.close();
});

test("a key is shown once, works with curl, and is refused when deactivated", async () => {
  const { page } = operator;
  await page.goto("/dashboard/keys");
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.locator("#new-key").textContent();
  assert.match(key, /^sk-[0-9a-f]{64}$/);
  assert.match(await page.locator("#new-key-curl").textContent(), new RegExp(`${server.url}.*${key}`));
  await operator.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).first().click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  await looksRight(operator, "key-once");
  const bearer = ["-H", `Authorization: Bearer ${key}`];
  assert.equal(server.curl("/documents?doc_number=38.990", ...bearer).status, 200);
  await page.goto("/dashboard/keys");
  assert.ok(!(await page.content()).includes(key), "it is not shown again");
  const row = page.getByRole("row", { name: /laptop/ });
  assert.match(await row.textContent(), /laptopsk-[0-9a-f]{6}….*20\d\d-.*active/);
  assert.ok(!(await row.textContent()).includes("never"), "its use is noted");
  await looksRight(operator, "keys");
  await row.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("deactivated").waitFor();
  assert.equal(server.curl("/documents?doc_number=38.990", ...bearer).status, 401);
  await page.getByRole("button", { name: "Delete laptop" }).click();
  await page.getByText("No keys yet").waitFor();
});

test("a program is let in by a person who read who asks, and disconnected", async (t) => {
  const answers = [];
  const program = createServer((request, response) => {
    answers.push(new URL(request.url, "http://127.0.0.1"));
    // As programs do, the browser is sent on: the policy of our page must not reach so far.
    if (request.url.startsWith("/callback")) response.writeHead(302, { location: "/done" });
    response.end("You can close this page.");
  });
  await new Promise((done) => program.listen(0, "127.0.0.1", done));
  t.after(() => {
    program.closeAllConnections();
    program.close();
  });
  const back = `http://127.0.0.1:${program.address().port}/callback`;
  const made = server.curl(
    "/oauth/register", "-H", "Content-Type: application/json",
    "-d", JSON.stringify({ client_name: "Tester's agent", redirect_uris: ["http://127.0.0.1/callback"] }),
  );
  const asks = new URLSearchParams({
    response_type: "code", client_id: JSON.parse(made.body).client_id, redirect_uri: back, state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256",
  });
  const visit = await profile(browser, server.url);
  const { page } = visit;
  await page.goto(`/oauth/authorize?${asks}`);
  assert.match(page.url(), /sign-in\?next=/);
  await page.getByLabel("Name").fill("operator");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: /Tester's agent/ }).waitFor();
  await looksRight(visit, "consent");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/done/);
  const code = answers[0].searchParams.get("code");
  assert.deepEqual([answers[0].searchParams.get("state"), answers[0].searchParams.get("iss")], ["s", server.url]);
  visit.faults.length = 0; // The program's own page was asked for, elsewhere.
  const form = new URLSearchParams({
    grant_type: "authorization_code", client_id: asks.get("client_id"), code, redirect_uri: back,
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  });
  const granted = JSON.parse(server.curl("/oauth/token", "-d", String(form)).body);
  const call = () => server.curl(
    "/mcp", "-H", `Authorization: Bearer ${granted.access_token}`, "-H", "Content-Type: application/json",
    "-H", "Accept: application/json, text/event-stream",
    "-d", '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
  );
  assert.equal(call().status, 200);
  await page.goto("/dashboard/clients");
  await looksRight(visit, "programs");
  await page.getByRole("button", { name: "Disconnect Tester's agent" }).click();
  await page.getByText("No connected programs yet").waitFor();
  assert.equal(call().status, 401);
  await page.goto(`/oauth/authorize?${asks}`);
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.waitForURL(/\/done/);
  // Beside the answers a browser may ask for more, such as an icon.
  const refusal = answers.findLast((asked) => asked.pathname === "/callback");
  assert.equal(refusal.searchParams.get("error"), "access_denied");
  asks.set("client_id", "0000");
  assert.equal((await page.goto(`/oauth/authorize?${asks}`)).status(), 400);
  visit.faults.length = 0; // Chromium tells of the status 400.
  await looksRight(visit, "consent-unknown");
  await visit.context.close();
});

test("a search shows passages with marks, filters them, and leads into the reader", async () => {
  const { page } = operator;
  await page.goto("/search");
  await looksRight(operator, "search-empty");
  await page.getByLabel("Search query").fill("states of the UE and timer T391");
  await page.getByLabel("Release").selectOption("Rel-19");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const first = page.locator(".passages li").first();
  await first.waitFor();
  assert.ok((await page.locator(".passages mark").count()) > 3);
  for (const facts of await page.locator(".passages .facts").allTextContents()) {
    assert.match(facts, /19\.\d+\.\d+ · Rel-19 · [01]\.\d\d/);
  }
  await looksRight(operator, "search");
  await first.locator("a.place").click();
  await page.waitForURL("**/read/**");
  await page.locator(".text section").first().waitFor();
});

test("the search box completes names, opens addresses, and asks what was meant", async () => {
  const { page } = operator;
  await page.goto("/search");
  const box = page.getByRole("combobox", { name: /Search query/ });
  await box.pressSequentially("38.990 5.3");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await list.getByRole("option", { name: /Link setup/ }).waitFor();
  await looksRight(operator, "suggestions");
  await box.press("ArrowDown");
  assert.equal(await box.inputValue(), "38.990 5.3");
  await box.press("ArrowDown");
  assert.equal(await box.inputValue(), "38.990 5.3.1");
  assert.equal(await box.getAttribute("aria-activedescendant"), "suggestion-1");
  await box.press("Escape");
  assert.equal(await list.count(), 0);
  assert.equal(await box.inputValue(), "38.990 5.3");
  await box.fill("LRC");
  await list.getByRole("option", { name: /Link Resource Control/ }).waitFor();
  await box.fill("38.990 5.3.4");
  await list.getByRole("option", { name: /Link release/ }).click();
  await page.waitForURL(/read\/38\.990\/.*section=5\.3\.4/);
  await page.goto("/search?q=TS+38.990+clause+5.3.5a");
  await page.waitForURL(/read\/38\.990\/.*section=5\.3\.5a/);
  await page.goto("/search?q=overloded+beacon");
  await page.getByRole("status").getByRole("link", { name: "overloaded beacon" }).click();
  await page.waitForURL(/q=overloaded\+beacon/);
  await looksRight(operator, "search-corrected");
});

test("figures are thumbnails that lead to their place in the document", async () => {
  const { page } = operator;
  await page.goto("/search?q=link+states+and+transitions&kind=figures&release=Rel-19");
  const image = page.locator(".figures img").first();
  await image.waitFor();
  assert.ok(await image.evaluate((img) => img.decode().then(() => img.naturalWidth > 100)));
  await looksRight(operator, "figures");
  await page.locator(".figures a").first().click();
  await page.waitForURL(/\/read\/38\.990\/19\.0\.0.*#figure-0/);
  const placed = page.locator("#figure-0 img");
  assert.ok(await placed.evaluate((img) => img.decode().then(() => img.naturalWidth > 100)));
  const order = await page.evaluate(() => {
    const figure = document.getElementById("figure-0");
    return figure.nextElementSibling.textContent;
  });
  assert.match(order, /^Figure 4\.2\.1-1/, "it stands before its caption");
  await looksRight(operator, "reader-figure");
});

test("the reader has contents, tables, cited clauses as links, and a version switch", async () => {
  const { page } = operator;
  await page.goto("/read/38.990");
  await page.waitForURL("**/read/38.990/19.0.0**");
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: /^5 / }).click();
  await page.waitForURL(/section=5$/);
  await looksRight(operator, "reader");
  const cited = page.locator(".text a.ref");
  assert.match(await cited.first().textContent(), /^clause /);
  assert.match(await cited.first().getAttribute("title"), /^\d/, "it says what is there");
  await page.goto("/read/38.990/19.0.0?section=7.1");
  await page.getByRole("columnheader", { name: "At expiry" }).waitFor();
  await looksRight(operator, "reader-table");
  await page.goto("/read/38.990/19.0.0?section=5");
  await page.getByText("4 versions").click();
  await page.getByRole("link", { name: /18\.0\.0/ }).click();
  await page.waitForURL(/38\.990\/18\.0\.0\?section=5/);
  assert.equal((await page.goto("/read/99.999")).status(), 404);
  operator.faults.length = 0; // Chromium tells of the status 404.
});

test("the reader filters its contents, finds words, loads what follows, and lists references", async () => {
  const { page } = operator;
  await page.goto("/read/38.990/19.0.0?section=5.3");
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByLabel("Filter the table of contents").fill("scope");
  await contents.getByRole("link", { name: "1 Scope" }).waitFor();
  assert.equal(await contents.getByRole("link", { name: /^5\.3 / }).isVisible(), false);
  await contents.getByLabel("Filter the table of contents").fill("");
  await page.getByLabel("Find in this specification").fill("timer");
  await page.getByText(/^\d+ matches\./).waitFor();
  await page.getByLabel("Find in this specification").press("Enter");
  await page.getByText(/^1 of \d+$/).waitFor();
  await page.getByLabel("Find in this specification").press("Escape");
  const sections = page.locator(".text > section");
  const before = await sections.count();
  // Not a click: whatever stands in the middle of the page may be a link.
  await page.mouse.move(700, 450);
  // One turn of the wheel moves three screens at most.
  for (let turn = 0; turn < 12; turn += 1) {
    await page.mouse.wheel(0, 2_000);
    await page.waitForTimeout(150);
  }
  await page.waitForFunction((n) => document.querySelectorAll(".text > section").length > n, before);
  const citation = page.locator("[data-copy^='cite-']").first();
  assert.equal(await citation.isVisible(), true);
  const id = await citation.getAttribute("data-copy");
  const words = await page.locator(`#${id}`).textContent();
  assert.match(words, /^3GPP TS 38\.990 V19\.0\.0, clause 5\.3, https:/);
  await page.goto("/read/38.990/19.0.0/references?section=5.3.5.2");
  await page.getByRole("heading", { name: /^Cited by \(1\)/ }).waitFor();
  await looksRight(operator, "reader-references");
});

test("versions are compared from the contents to the words, and a section leads to its change request", async () => {
  const { page } = operator;
  await page.goto("/read/38.990/19.0.0?section=5.3.1.4a");
  await page.getByRole("link", { name: "What changed in this version" }).click();
  await page.getByRole("heading", { name: "What changed in 38.990" }).waitFor();
  assert.equal(await page.getByLabel("From").inputValue(), "18.1.0");
  await looksRight(operator, "compare");
  await page.getByRole("link", { name: /^6\.3\.1 / }).click();
  assert.match(await page.locator("ins").first().textContent(), /groupSpread/);
  await looksRight(operator, "compare-section");
  await page.getByRole("link", { name: "Side by side" }).click();
  await page.locator(".hunk.split").first().waitFor();
  await looksRight(operator, "compare-split");
  await page.getByLabel("From").selectOption("17.2.0");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.waitForURL(/from=17\.2\.0/);
  await page.locator(".hunk.split").first().waitFor();
  await page.goto("/read/38.990/19.0.0?section=5.3.1.4a");
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByText("CR 0015").waitFor();
  await page.getByText("certain", { exact: true }).waitFor();
  await looksRight(operator, "section-history");
  await page.getByRole("link", { name: "Show changes" }).click();
  await page.getByText("added", { exact: true }).waitFor();
  assert.equal((await page.goto("/read/38.990/compare?from=1.0.0")).status(), 400);
  operator.faults.length = 0; // Chromium tells of the status 400.
});

test("names lead to their definitions, show them on hover, and have pages with their members", async () => {
  const { page } = operator;
  await page.goto("/read/38.990/19.0.0?section=6.2.2");
  const card = page.getByRole("tooltip");
  await page.locator("a.c-name", { hasText: "shadowAllowed" }).first().hover();
  await card.waitFor();
  assert.match(await card.textContent(), /optional.*beacon units/s);
  await looksRight(operator, "names-card");
  await page.locator("a.c-name", { hasText: "shadowAllowed" }).first().click();
  await page.getByRole("heading", { name: "shadowAllowed" }).first().waitFor();
  await page.goto("/define?name=LRCSetup&document=38.990");
  const member = page.locator(".structure a.member", { hasText: "windowLength" });
  await member.waitFor({ state: "hidden" });
  await page.locator(".structure summary", { hasText: "wakeUpConfig" }).click();
  await member.waitFor();
  const optional = page.locator(".structure a.member", { hasText: "shadowAllowed" });
  await optional.waitFor();
  await page.getByLabel("Mandatory only").first().check();
  await optional.waitFor({ state: "hidden" });
  await looksRight(operator, "names-structure");
  await page.goto("/read/38.990/19.0.0?section=7.1.1");
  await page.locator("a.name", { hasText: "T390" }).first().focus();
  await card.waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Names and modules" }).click();
  await page.getByLabel("Kind").selectOption("timer");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("link", { name: "T390" }).waitFor();
  await looksRight(operator, "names-list");
  await page.goto("/read/29.990/18.0.0/findings");
  await page.getByText("missing here").first().waitFor();
  await looksRight(operator, "names-findings");
});

test("links and abbreviations show what they stand for, and words are found in the whole specification", async () => {
  const { page } = operator;
  await page.goto("/read/38.990/19.0.0?section=5.3");
  const card = page.getByRole("tooltip");
  const link = page.locator(".text a.ref[data-preview]").first();
  await link.hover();
  await card.waitFor();
  assert.match(await card.textContent(), /TS 38\.990 19\.0\.0/);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  await link.focus();
  await card.waitFor();
  const short = page.locator(".text abbr").first();
  await short.focus();
  await page.waitForFunction(() => !document.querySelector("#card-preview strong"));
  assert.ok((await card.textContent()).length > 3);
  await looksRight(operator, "reader-preview");
  await page.getByLabel("Find in this specification").fill("timer");
  await page.getByRole("button", { name: "Search whole specification" }).click();
  await page.getByText(/^\d+ matches in \d+ clauses$/).waitFor();
  assert.ok((await page.locator(".found-elsewhere li").count()) > 1);
  assert.ok((await page.locator(".contents a[data-hits]").count()) > 1, "the contents count them");
  await looksRight(operator, "reader-found");
  await page.goto("/read/38.990/19.0.0/find?q=timer");
  await page.locator(".found-sections mark").first().waitFor();
  await looksRight(operator, "reader-find-page");
  await page.goto("/read/38.990/19.0.0?section=4.2.1");
  await page.locator("a.enlarge").first().click();
  await page.getByRole("dialog").waitFor();
  await looksRight(operator, "reader-enlarged");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});

test("the quota page counts, and an allowance that is used up is told", async () => {
  const visit = await member("ann");
  const { page } = visit;
  for (let n = 0; n < 4; n += 1) await page.goto("/library");
  await page.goto("/dashboard");
  assert.match(await page.locator("main").textContent(), /4 of 4 requests \(plan free\)/);
  await looksRight(visit, "quota-used-up");
  assert.equal((await page.goto("/search?q=timer")).status(), 402);
  visit.faults.length = 0; // Chromium tells of the status 402.
  await looksRight(visit, "quota-refused");
  await page.goto("/dashboard/plan");
  await looksRight(visit, "plan");
  assert.equal((await page.goto("/dashboard/users")).status(), 403, "for operators alone");
  await visit.context.close();
});

test("operators see users, jobs, health and the corpus", async () => {
  const { page } = operator;
  for (const [path, text] of [
    ["/dashboard/corpus", /13 document versions/],
    ["/dashboard/users", /operator/],
    ["/dashboard/jobs", /13 indexed/],
    ["/dashboard/health", /Text model/],
    ["/dashboard/account", /Signed in as operator/],
    ["/library", /38\.991-1/],
    ["/dashboard", /By operation/],
  ]) {
    await page.goto(path);
    assert.match(await page.locator("main").textContent(), text, path);
    await looksRight(operator, path.slice(1).replace("/", "-"));
  }
  await page.goto("/dashboard/users");
  await page.getByLabel("Name", { exact: true }).fill("bob");
  await page.getByRole("button", { name: "Create account", exact: true }).click();
  assert.match(await page.locator("#setup-link").textContent(), /setup\?token=/);
  await page.goto("/dashboard/users");
  await page.getByRole("button", { name: "Disable bob" }).click();
  await page.getByRole("button", { name: "Enable bob" }).waitFor();
});

test("a run is watched while it goes on", async () => {
  const { page } = operator;
  const run = server.spawn("ingest", "--force", sample);
  for (let n = 0; n < 40 && !(await page.getByText("running").count()); n += 1) {
    await page.goto("/dashboard/jobs");
  }
  await page.getByText("running").first().waitFor();
  await looksRight(operator, "dashboard-jobs-running");
  await run;
  // The page finds out by itself.
  await page.getByText("running").waitFor({ state: "detached" });
  assert.equal(await page.getByText("finished").count(), 4);
});

test("the API explorer, the reference and the documentation work with no network", async () => {
  const visit = await profile(browser, server.url);
  const { page } = visit;
  await page.goto("/swagger");
  await page.getByRole("heading", { name: /specbox \(0\.2\.0\)/ }).waitFor();
  assert.ok((await page.locator("details.operation[id^=search_]").count()) >= 4);
  await page.getByLabel("Filter operations").fill("health");
  const health = page.locator("details.operation#health");
  await health.locator("summary").first().click();
  await health.getByRole("button", { name: "Send request" }).click();
  await health.locator(".status.ok", { hasText: "200" }).waitFor();
  await looksRight(visit, "swagger");
  await page.goto("/redoc#search_text");
  await page.locator("#search_text[open] .members").first().waitFor();
  assert.equal(await page.locator("form.sender").count(), 0, "the reference sends nothing");
  await looksRight(visit, "redoc");
  assert.deepEqual(visit.faults, []);
  await page.goto("/docs");
  const links = await page.locator(".docs nav a").evaluateAll((all) => all.map((a) => a.pathname));
  assert.ok(links.length > 20);
  for (const path of links.filter((link) => link.startsWith("/docs/"))) {
    const answer = await page.goto(path);
    assert.equal(answer.status(), 200, path);
    assert.deepEqual(await inaccessible(page), [], path);
    await shot(page, path.slice(1).replaceAll("/", "-"));
  }
  assert.deepEqual(visit.faults, []);
  await visit.context.close();
});

test("pages fit a narrow window and the dark", async () => {
  const { cookies } = await operator.context.storageState();
  const narrow = await profile(browser, server.url, {
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
    storageState: { cookies, origins: [] },
  });
  for (const path of [
    "/search?q=timer+T391&kind=both",
    "/read/38.990/19.0.0?section=5.3",
    "/dashboard",
    "/dashboard/keys",
    "/docs/start",
    "/contributions?q=beacon",
    "/meeting/R1-190",
  ]) {
    await narrow.page.goto(path);
    const wide = await narrow.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${path} is ${wide} pixels too wide`);
    await looksRight(narrow, `dark${path.split("?")[0].replaceAll("/", "-")}`);
  }
  await narrow.context.close();
});

test("contributions are filtered, and lead to their records and companies", async () => {
  const { page } = operator;
  await page.goto("/contributions");
  await page.getByText("14 documents in 1 meeting").waitFor();
  await looksRight(operator, "contributions");
  await page.getByLabel("Company").fill("Exampel Radio");
  await page.getByLabel("Agenda item").fill("8");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Showing results for Example Radio").waitFor();
  assert.equal(await page.locator("tbody tr").count(), 3);
  await looksRight(operator, "contributions-company");
  await page.getByRole("link", { name: "R1-2600104" }).click();
  await page.getByRole("heading", { name: /R1-2600104 On waiting times/ }).waitFor();
  await page.goto("/contributions/R1-2600105");
  await looksRight(operator, "contribution");
  await page.getByRole("link", { name: "R1-2600110" }).click();
  await page.goto("/contributions/R1-2600107");
  await page.getByText("Decision of the TSG").waitFor();
  await looksRight(operator, "change-request");
  await page.getByRole("link", { name: "Borealis Wireless" }).first().click();
  await page.getByText("By role").waitFor();
  await looksRight(operator, "company");
  await page.goto("/contributions?source=China");
  await page.getByText("Choose one:").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 409.
  await looksRight(operator, "company-ambiguous");
  await page.goto("/contributions?meeting=R1-999");
  await page.getByText("Meeting RAN1#999 is unknown").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 400.
});

test("a contribution is fetched, its units lead into its text, and its words are found", async () => {
  const { page } = operator;
  await page.goto("/contributions/R1-2600104");
  await page.getByRole("button", { name: "Fetch file" }).click();
  await page.getByRole("link", { name: "Proposal 2", exact: true }).waitFor();
  assert.equal(await page.locator("ol.units > li").count(), 4);
  await looksRight(operator, "contribution-units");
  await page.getByRole("link", { name: "Proposal 2", exact: true }).click();
  await page.getByText("T390 is started when BeaconRefuse is received").first().waitFor();
  assert.equal(await page.locator(".quoted .piece").count(), 4);
  await page.locator(".quoted").waitFor();
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".quoted").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await looksRight(operator, "contribution-text");
  await page.goto("/contributions/search");
  await page.getByLabel("Query").fill("waiting time after the second refusal");
  await page.getByLabel("Submitted by").fill("Example Radio");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("Searched: 1 of 14 documents of R1-190").waitFor();
  await looksRight(operator, "contribution-search");
  await page.locator("ol.results a").first().click();
  await page.locator(".quoted .piece").first().waitFor();
  await page.getByRole("link", { name: "Back to search" }).click();
  await page.getByText("Searched: 1 of 14 documents of R1-190").waitFor();
  await page.goto("/contributions/search?q=x&meeting=R1-999");
  await page.getByText("Meeting RAN1#999 is unknown").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 400.
});

test("a change request shows its clauses before and after, in line and side by side", async () => {
  const { page } = operator;
  await page.goto("/contributions/R1-2600107");
  await page.getByRole("button", { name: "Fetch file" }).click();
  await page.getByRole("link", { name: "Show changes" }).click();
  await page.getByRole("heading", { name: "What R1-2600107 changes" }).waitFor();
  assert.equal(await page.locator("article.difference").count(), 2);
  await page.getByText("fits 18.1.0").waitFor();
  await page.getByText("The text of 5.3.1.4a was changed in 18.1.0").waitFor();
  assert.equal(await page.locator("article ins").last().textContent(), " and when timer T390 expires");
  await looksRight(operator, "change-request-changes");
  await page.getByRole("link", { name: "Side by side" }).click();
  await page.locator(".hunk.split").first().waitFor();
  await looksRight(operator, "change-request-split");
});

test("the margin says in which version each paragraph last changed", async () => {
  const { page } = operator;
  await page.goto("/read/38.990/19.0.0?section=5.3.2.3");
  await page.getByRole("link", { name: "Show when each paragraph last changed" }).click();
  await page.locator(".since").first().waitFor();
  const labels = await page.locator("#s-5\\.3\\.2\\.3 .since").allTextContents();
  assert.ok(labels.includes("18.0.0") && labels.some((label) => label.startsWith("\u2264")), labels.join());
  await looksRight(operator, "reader-margin");
  await page.locator(".since", { hasText: "18.0.0" }).first().click();
  await page.getByRole("heading", { name: /History of 38.990, 5.3.2.3/ }).waitFor();
});

test("what a person watches becomes events and a feed", async () => {
  const { page } = operator;
  await page.goto("/read/38.990/19.0.0?section=5.3.1.4a");
  await page.getByRole("link", { name: "Watch", exact: true }).first().click();
  assert.equal(await page.getByLabel("Subject").inputValue(), "38.990 5.3.1.4a");
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await page.getByRole("cell", { name: "38.990 5.3.1.4a", exact: true }).waitFor();
  await page.getByLabel("Type", { exact: true }).selectOption("clause");
  await page.getByLabel("Subject").fill("38.990");
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await page.getByText("is not a clause. Example: 38.331 5.3.5").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 422.
  await looksRight(operator, "watches");
  await page.getByRole("button", { name: "Create address" }).click();
  await page.getByText("Copy it now").waitFor();
  const address = await page.locator("#feed-atom").textContent();
  assert.match(address, /\/feeds\/feed-[0-9a-f]{64}\.atom$/);
  await page.goto("/dashboard/watches");
  await page.getByRole("button", { name: "Stop watching 38.990 5.3.1.4a" }).click();
  await page.getByText("No watches yet.", { exact: true }).waitFor();
});

test("a meeting shows what was decided, by item, type and topic", async () => {
  const { page } = operator;
  const report = sample.replace(/archive\/?$/, "mirror/tsg_ran/WG1_RL1/TSGR1_190/Report");
  server.run("meetings", "import", `${report}/Final_Minutes_report_RAN1#190_v100.zip`);
  await page.goto("/meeting");
  await looksRight(operator, "meetings");
  await page.getByRole("link", { name: "RAN1#190" }).click();
  await page.getByRole("heading", { name: "RAN1#190" }).waitFor();
  const cards = page.locator("article.decision");
  await cards.filter({ hasText: "is doubled with each refusal" }).first().waitFor();
  await looksRight(operator, "meeting");
  // What is typed narrows what is shown.
  await page.getByLabel("Topic").pressSequentially("keeps its link");
  assert.equal(await page.locator("article.decision:visible").count(), 1);
  await page.getByLabel("Topic").fill("waiting time after a refusal");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  assert.match(await cards.first().textContent(), /is doubled with each refusal/);
  await page.getByLabel("Agenda").getByRole("link", { name: "7 Maintenance" }).click();
  await page.goto("/meeting/R1-190?decision_type=cr");
  await page.getByText("Correction of timer T390 after overload").first().waitFor();
  await looksRight(operator, "meeting-changes");
  await page.getByLabel("Page of this decision").first().click();
  await page.getByRole("heading", { name: "Change request of R1-190" }).waitFor();
  await page.getByRole("link", { name: "38.990 5.3.1.4a" }).waitFor();
  await looksRight(operator, "decision");
  await page.goto("/meeting/R1-190?decision_type=agreement");
  await page.locator("article.decision a[href$='#quote']").first().click();
  await page.locator(".quoted").getByText("is doubled with each refusal").waitFor();
  await looksRight(operator, "decision-source");
  const { cookies } = await operator.context.storageState();
  const narrow = await profile(browser, server.url, {
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
    storageState: { cookies, origins: [] },
  });
  await narrow.page.goto(page.url());
  const wide = await narrow.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the source of a decision is ${wide} pixels too wide`);
  await looksRight(narrow, "dark-decision-source");
  await narrow.context.close();
  await page.getByRole("link", { name: "Back to decision" }).click();
  await page.getByRole("heading", { name: "Agreement of R1-190" }).waitFor();
  await page.goto("/meeting/R1-190/notes/meeting_report?anchor=x%23p1");
  await page.getByText("This position is not in the text").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 404.
  await page.goto("/meeting/R1-190?agenda_item=%3F");
  await page.getByText("is not an agenda item").waitFor();
  operator.faults.length = 0; // Chromium tells of the status 400.
});

test("everything works without scripts and with the keyboard", async () => {
  const { cookies } = await operator.context.storageState();
  const plain = await profile(browser, server.url, {
    javaScriptEnabled: false,
    storageState: { cookies, origins: [] },
  });
  await plain.page.goto("/search");
  await plain.page.keyboard.type("timer T391"); // the box has the focus
  await plain.page.keyboard.press("Enter");
  await plain.page.locator(".passages li").first().waitFor();
  await plain.page.goto("/dashboard/keys");
  await plain.page.getByLabel("Name").fill("no script");
  await plain.page.keyboard.press("Enter");
  assert.match(await plain.page.locator("#new-key").textContent(), /^sk-/);
  await plain.context.close();
  await operator.page.goto("/docs/start");
  await operator.page.keyboard.press("Tab");
  assert.equal(await operator.page.evaluate(() => document.activeElement.textContent), "Skip to content");
});

test("a page of another site cannot send a form", async () => {
  const { cookies } = await operator.context.storageState();
  const cookie = cookies.find(({ name }) => name === "__Host-sid");
  const send = (headers, body) =>
    server.curl("/dashboard/keys", "-b", `__Host-sid=${cookie.value}`, ...headers, "-d", body).status;
  assert.equal(send([], "name=evil"), 403, "no origin at all");
  assert.equal(send(["-H", "Origin: https://evil.example"], "name=evil"), 403);
  assert.equal(send(["-H", "Sec-Fetch-Site: cross-site"], "name=evil"), 403);
  assert.equal(send(["-H", "Sec-Fetch-Site: same-origin"], "name=evil"), 403, "no token");
  assert.equal(send(["-H", "Sec-Fetch-Site: same-origin"], "name=evil&form_token=0"), 403);
  assert.ok(!JSON.stringify(JSON.parse(server.run("key", "list", "--json"))).includes("evil"));
});
