// The code in the README works as it is printed, and has the declared types.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);

// A project that has this package installed.
const project = mkdtempSync(join(tmpdir(), "specbox-readme-"));
after(() => rmSync(project, { recursive: true }));
mkdirSync(join(project, "node_modules"));
symlinkSync(root, join(project, "node_modules/specbox"));
writeFileSync(join(project, "package.json"), '{"type": "module"}');
const options = { target: "ES2022", module: "NodeNext", lib: ["ES2022", "DOM"], strict: true, types: [] };
writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
const globals = "declare const process: { env: Record<string, string | undefined> };\n";
writeFileSync(join(project, "globals.d.ts"), globals);

const run = (command, ...args) => spawnSync(command, args, { cwd: project, encoding: "utf8" });

test("there is code", () => assert.ok(blocks.length >= 3));

blocks.forEach((code, at) => writeFileSync(join(project, `block${at}.ts`), code));

test("the code compiles", () => {
  const compiled = run(process.execPath, join(root, "node_modules/typescript/bin/tsc"));
  assert.equal(compiled.status, 0, compiled.stdout + compiled.stderr);
});

blocks.forEach((_, at) => {
  test(`code block ${at} runs`, () => {
    const done = run(process.execPath, `block${at}.js`);
    assert.equal(done.status, 0, done.stderr);
    assert.notEqual(done.stdout, "");
  });
});
