// People sign in at a company's server, and at specbox with what it says about them.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { Browser } from "./browser.mjs";
import { CLIENT, startCompany } from "./company.mjs";

const PROGRAM = process.env.SPECBOX_PROGRAM;
const RETURN = "/sign-in/company/return";

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server of this program that trusts the company's. */
class Specbox {
  async start(settings, prepare) {
    this.data = await mkdtemp(join(tmpdir(), "specbox-sign-in-"));
    await this.run("key", "create");
    await prepare(this);
    await writeFile(join(this.data, "secret"), `${CLIENT.secret}\n`);
    await appendFile(join(this.data, "specbox.toml"), settings.replace("DATA", this.data));
    this.process = spawn(PROGRAM, ["--data-dir", this.data, "--create", "serve",
      "--listen", `127.0.0.1:${this.port}`, "--tls", "off-behind-proxy"]);
    this.said = "";
    this.process.stderr.on("data", (text) => { this.said += text; });
    for (let turn = 0; !this.said.includes("is running at"); turn += 1) {
      if (turn > 600 || this.process.exitCode !== null) throw new Error(this.said);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async run(...args) {
    const { stdout } = await promisify(execFile)(PROGRAM, ["--data-dir", this.data, "--create", ...args]);
    return stdout;
  }

  async stop() {
    this.process?.kill();
    if (this.process) await new Promise((resolve) => this.process.once("exit", resolve));
    await rm(this.data, { recursive: true, force: true });
  }
}

for (const variant of [
  { inToken: true, algorithm: "RS256", method: "client_secret_basic", createAccounts: false },
  { inToken: false, algorithm: "ES256", method: "client_secret_post", createAccounts: true },
  { inToken: true, algorithm: "PS256", method: "client_secret_basic", createAccounts: true },
]) {
  describe(JSON.stringify(variant), () => {
    const specbox = new Specbox();
    let company;
    let base;

    before(async () => {
      specbox.port = await freePort();
      base = `http://localhost:${specbox.port}`;
      company = await startCompany({ ...variant, redirectUri: base + RETURN });
      const settings = `
[sign_in.oidc]
name = "Lab account"
issuer = "${company.issuer}"
client_id = "${CLIENT.id}"
client_secret_file = "DATA/secret"
allowed_domains = ["lab.example"]
allowed_groups = ["standards"]
create_accounts = ${variant.createAccounts}
`;
      await specbox.start(settings, async () => {
        await specbox.run("user", "add", "ann@lab.example");
      });
    });

    after(async () => {
      await specbox.stop();
      company?.stop();
    });

    /** The address with which the company's server sends someone back. */
    async function toReturn(browser, login) {
      const start = await browser.send(`${base}/sign-in/company?next=%2Fdashboard%2Fkeys`);
      assert.equal(start.status, 303, start.text);
      return browser.follow(start.location, login, (url) => url.startsWith(base));
    }

    async function signIn(login) {
      const browser = new Browser();
      return { browser, answer: await browser.send(await toReturn(browser, login)) };
    }

    test("the sign-in page leads there", async () => {
      const page = await new Browser().send(`${base}/sign-in?next=%2Fsearch`);
      assert.match(page.text, /href="\/sign-in\/company\?next=%2Fsearch"[^>]*>Sign in with Lab account</);
    });

    test("a person with an account gets it, and the page that they wanted", async () => {
      const { browser, answer } = await signIn("ann");
      assert.equal(answer.status, 303, answer.text);
      assert.equal(answer.location, `${base}/dashboard/keys`);
      const page = await browser.send(`${base}/dashboard/account`);
      assert.equal(page.status, 200);
      assert.match(page.text, /ann@lab\.example/);
    });

    test("another person with her address does not get it, until an operator unlinks it", async () => {
      assert.equal((await signIn("ann")).answer.status, 303);
      const { browser, answer } = await signIn("ann-2");
      assert.equal(answer.status, 403);
      assert.match(answer.text, /belongs to another identity/);
      assert.equal((await browser.send(`${base}/dashboard`)).status, 303, "nobody is signed in");
      await specbox.run("user", "unlink", "ann@lab.example");
      assert.equal((await signIn("ann-2")).answer.status, 303);
      await specbox.run("user", "unlink", "ann@lab.example");
    });

    test("addresses that are not verified, other domains and other groups are refused", async () => {
      for (const login of ["bob", "eve", "fred"]) {
        const { answer } = await signIn(login);
        assert.equal(answer.status, 403, login);
        assert.match(answer.text, /not admitted/, login);
      }
    });

    test("a first sign-in makes an account only if that is configured", async () => {
      const { answer } = await signIn("gina");
      const accounts = JSON.parse(await specbox.run("user", "list", "--json")).map((user) => user.name);
      assert.equal(answer.status, variant.createAccounts ? 303 : 403, answer.text);
      assert.equal(accounts.includes("gina@lab.example"), variant.createAccounts);
    });

    test("a disabled account stays disabled", async () => {
      assert.equal((await signIn("ann")).answer.status, 303);
      await specbox.run("user", "disable", "ann@lab.example");
      const { answer } = await signIn("ann");
      assert.equal(answer.status, 403);
      assert.match(answer.text, /disabled/);
      await specbox.run("user", "enable", "ann@lab.example");
    });

    test("an answer is good once, in the browser that asked, with its state", async () => {
      const [ann, thief] = [new Browser(), new Browser()];
      const answer = await toReturn(ann, "ann");
      assert.equal((await thief.send(answer)).status, 403, "another browser");
      await thief.send(`${base}/sign-in/company`);
      assert.equal((await thief.send(answer)).status, 403, "a browser with another attempt");
      const forged = new URL(answer);
      forged.searchParams.set("state", "0".repeat(64));
      assert.equal((await ann.send(forged.href)).status, 403, "another state");
      const foreign = new URL(answer);
      foreign.searchParams.set("iss", "https://evil.example");
      assert.equal((await ann.send(foreign.href)).status, 403, "another issuer");
      const changed = new URL(answer);
      changed.searchParams.set("code", "x");
      assert.equal((await ann.send(changed.href)).status, 403, "another code");
      assert.equal((await ann.send(answer)).status, 303);
      assert.equal((await ann.send(answer)).status, 403, "a second time");
    });

    test("the log has no code, token or secret", async () => {
      assert.ok(specbox.said.includes("sign-in at the company's server failed"), specbox.said);
      for (const secret of [CLIENT.secret, "eyJ", "code=", "code_verifier"]) {
        assert.ok(!specbox.said.includes(secret), specbox.said);
      }
    });
  });
}

test("the program refuses settings that would admit everyone", async () => {
  const specbox = new Specbox();
  specbox.port = await freePort();
  const settings = "\n[sign_in.oidc]\nissuer = \"https://login.lab.example\"\nclient_id = \"x\"\ncreate_accounts = true\n";
  await assert.rejects(specbox.start(settings, async () => {}), /allowed_domains/);
  await rm(specbox.data, { recursive: true, force: true });
});
