// A real server over the sample corpus, in a data folder of its own.

import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const program = process.env.SPECBOX_BIN ?? join(root, "target/fast-build/specbox");
export const sample = join(root, "data/sample/archive");

export class Server {
  /** Takes the sample corpus in and starts; `settings` is added to specbox.toml. */
  static async start(settings = "") {
    const server = new Server();
    server.data = mkdtempSync(join(tmpdir(), "specbox-browser-"));
    server.run("ingest", sample);
    const mirror = sample.replace(/archive\/?$/, "mirror");
    server.run("meetings", "import", `${mirror}/meetings.csv`);
    server.run("tdocs", "import", mirror);
    const toml = join(server.data, "specbox.toml");
    const text = readFileSync(toml, "utf8");
    writeFileSync(toml, text.replace("\n[mirror]\n", `\n[mirror]\nsource = "${mirror}"\n`));
    appendFileSync(toml, settings);
    await server.begin();
    return server;
  }

  /** Runs a command of the program over the data folder; its standard output. */
  run(...args) {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
    return execFileSync(program, ["--data-dir", this.data, ...args], options);
  }

  /** The same beside what goes on; settles when it has ended well. */
  spawn(...args) {
    const child = spawn(program, ["--data-dir", this.data, ...args], { stdio: "ignore" });
    return new Promise((done, failed) => {
      child.on("exit", (code) => (code === 0 ? done() : failed(new Error(`ended with ${code}`))));
    });
  }

  async begin() {
    const args = ["--data-dir", this.data, "serve", "--listen", "127.0.0.1:0"];
    this.child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    this.said = "";
    await new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error(`not started: ${this.said}`)), 60_000);
      this.child.stderr.on("data", (bytes) => {
        this.said += bytes;
        this.url = /specbox is running at (\S+)/.exec(this.said)?.[1];
        this.link = /works once\): (\S+)/.exec(this.said)?.[1];
        if (this.url && (this.link || this.said.includes("create a key"))) {
          clearTimeout(late);
          done();
        }
      });
      this.child.on("exit", () => failed(new Error(`ended: ${this.said}`)));
    });
  }

  get authority() {
    return join(this.data, "tls", "ca.pem");
  }

  /** Asks with curl, as the pages tell people to; status and body. */
  curl(path, ...args) {
    const all = ["-sS", "--cacert", this.authority, "-w", "\n%{http_code}", `${this.url}${path}`, ...args];
    const out = execFileSync("curl", all, { encoding: "utf8" });
    const at = out.lastIndexOf("\n");
    return { status: Number(out.slice(at + 1)), body: out.slice(0, at) };
  }

  stop() {
    this.child?.kill("SIGKILL");
    rmSync(this.data, { recursive: true, force: true });
  }
}
