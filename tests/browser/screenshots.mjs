// Takes the screenshots of the README: screenshots.mjs FOLDER

import { join } from "node:path";
import { launch, profile } from "./browser.mjs";
import { Server } from "./server.mjs";

const PASSWORD = "a long enough password";
const PICTURES = {
  search: "/search?q=When+does+the+UE+start+timer+T390%3F",
  reader: "/read/38.990/19.0.0?section=5.3.1",
};

const folder = process.argv[2];
const server = await Server.start();
const browser = await launch();
try {
  const { page } = await profile(browser, server.url, { viewport: { width: 1200, height: 720 } });
  await page.goto(server.link);
  for (const field of await page.locator("input[type=password]").all()) await field.fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.waitForURL("**/dashboard");
  for (const [name, path] of Object.entries(PICTURES)) {
    await page.goto(path, { waitUntil: "networkidle" });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
} finally {
  await browser.close();
  server.stop();
}
