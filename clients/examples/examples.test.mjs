// The examples in JavaScript against a real server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "./mcp-sdk.mjs";

test("the MCP SDK lists the tools, searches, and reads the guide", async () => {
  const { tools, passages, guide } = await answer("How long does a terminal wait after a refusal?");
  for (const name of ["search_text", "get_sections", "verify_quote"]) assert.ok(tools.includes(name), name);
  assert.ok(passages.some((passage) => passage.doc_number === "38.990"));
  assert.match(guide, /How to cite/);
});
