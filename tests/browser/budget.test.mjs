// What every page keeps to: no serious finding of axe, no more than 100 kB beside pictures, no wider than a phone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { inaccessible, launch, shot } from "./browser.mjs";
import { sameSession, signedInOperator } from "./operator.mjs";
import { Server, sample } from "./server.mjs";

const MAX_BYTES = 100_000;
const PAGES = [
  "/search", "/search?q=timer+T390", "/search?q=beacon&kind=both", "/define", "/define?name=LRCSetup", "/terms", "/terms?term=LRC",
  "/library", "/read/38.990/19.0.0?section=5.3.1", "/read/38.990/19.0.0?section=7.1", "/read/38.990/19.0.0/names",
  "/read/38.990/19.0.0/references?section=5.3.5.2", "/read/38.990/compare", "/read/38.990/history?section=5.3.1.4a",
  "/read/29.990/18.0.0/findings", "/contributions", "/contributions/R1-2600107", "/contributions/search", "/meeting", "/meeting/R1-190",
  "/decision-search?q=waiting", "/trace", "/trace?document=38.990&section=5.3.1.4a", "/dashboard", "/dashboard/watches", "/dashboard/keys",
  "/dashboard/clients", "/dashboard/plan", "/dashboard/corpus", "/dashboard/account", "/dashboard/users", "/dashboard/jobs",
  "/dashboard/health", "/docs/start", "/docs/operations/search_text", "/swagger", "/redoc", "/nothing-here",
];
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

async function settle(page, path) {
  await page.goto(path, { waitUntil: "networkidle" });
  if (/swagger|redoc/.test(path)) await page.locator("details.operation").first().waitFor();
}

// Each test visits all pages in a context of its own, and mostly waits until a page has loaded everything.
describe("every page", { concurrency: true }, () => {
  test("no page transfers more than 100 kB beside pictures", async () => {
    for (const path of PAGES) {
      const visit = await sameSession(browser, server, operator, {});
      const session = await visit.context.newCDPSession(visit.page);
      await session.send("Network.enable");
      const pictures = new Set();
      let bytes = 0;
      session.on("Network.responseReceived", ({ requestId, type }) => { if (type === "Image") pictures.add(requestId); });
      session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        if (!pictures.has(requestId)) bytes += encodedDataLength;
      });
      await settle(visit.page, path);
      assert.ok(bytes > 0 && bytes <= MAX_BYTES, `${path} transfers ${bytes} bytes`);
      await visit.context.close();
    }
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`no page has a serious finding in ${colorScheme} colours, nor scrolls sideways on a phone`, async () => {
      const visit = await sameSession(browser, server, operator, { viewport: { width: 390, height: 844 }, colorScheme });
      for (const path of PAGES) {
        await settle(visit.page, path);
        const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path} is ${wide} pixels too wide`);
        const header = await visit.page.locator("header.top").evaluate((top) => top.offsetHeight);
        assert.ok(header < 64, `the header of ${path} is one row: ${header} pixels`);
        await shot(visit.page, `phone-${colorScheme}${path.replaceAll(/[^a-z0-9]+/gi, "-")}`);
        assert.deepEqual(await inaccessible(visit.page), [], path);
      }
      await visit.context.close();
    });
  }

  test("the header is one row that ends within the window, whatever its width", async () => {
    const visit = await sameSession(browser, server, operator, {});
    await visit.page.goto("/search");
    for (const width of [320, 700, 961, 1100, 1152, 1153, 1200, 1280, 1344, 1345, 1440]) {
      await visit.page.setViewportSize({ width, height: 800 });
      const [height, right] = await visit.page.locator("header.top").evaluate((top) => [
        top.offsetHeight,
        Math.max(...[...top.querySelectorAll("a, button")].map((part) => part.getBoundingClientRect().right)),
      ]);
      assert.ok(height < 64, `${width}: ${height} pixels high`);
      assert.ok(right <= width, `${width}: a link ends at ${right}`);
    }
    await visit.context.close();
  });

  test("no page has a serious finding in a wide window", async () => {
    const visit = await sameSession(browser, server, operator, {});
    for (const path of PAGES) {
      await settle(visit.page, path);
      await shot(visit.page, `wide${path.replaceAll(/[^a-z0-9]+/gi, "-")}`);
      assert.deepEqual(await inaccessible(visit.page), [], path);
    }
    await visit.context.close();
  });

  test("every operation of the explorer opens without a serious finding", async () => {
    const visit = await sameSession(browser, server, operator, {});
    const { page } = visit;
    await settle(page, "/swagger");
    await page.evaluate(() => document.querySelectorAll("details.operation").forEach((part) => { part.open = true; }));
    await page.locator("form.sender").first().waitFor();
    assert.deepEqual(await inaccessible(page), []);
    await visit.context.close();
  });

  test("on a phone the menu leads everywhere, without a script", async () => {
    const visit = await sameSession(browser, server, operator, { viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    await visit.page.goto("/search");
    await visit.page.getByRole("button", { name: "Menu" }).click();
    await visit.page.getByRole("link", { name: "Meetings" }).click();
    await visit.page.waitForURL("**/meeting");
    await visit.context.close();
  });
});
