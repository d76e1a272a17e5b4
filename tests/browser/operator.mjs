// The operator of a new server, signed in.

import { profile } from "./browser.mjs";

export const PASSWORD = "a password of some length";

/** Sets the operator's password by the link of the first start. */
export async function signedInOperator(browser, server, options = {}) {
  const visit = await profile(browser, server.url, options);
  await visit.page.goto(server.link);
  for (const field of await visit.page.locator("input[type=password]").all()) await field.fill(PASSWORD);
  await visit.page.getByRole("button", { name: /Set password/ }).click();
  await visit.page.waitForURL("**/dashboard");
  return visit;
}

/** Another profile with the same session. */
export async function sameSession(browser, server, visit, options) {
  const { cookies } = await visit.context.storageState();
  return profile(browser, server.url, { ...options, storageState: { cookies, origins: [] } });
}
