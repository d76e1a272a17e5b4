// The official MCP SDK for TypeScript: lists the tools, searches, and reads the guide for agents.
//
// usage: node mcp-sdk.mjs QUESTION    needs SPECBOX_URL and SPECBOX_KEY, and NODE_EXTRA_CA_CERTS for a lab certificate

import { pathToFileURL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export async function answer(question) {
  const { SPECBOX_URL, SPECBOX_KEY } = process.env;
  const client = new Client({ name: "specbox-example", version: "1.0.0" });
  // Without a key, pass an `authProvider` instead: the SDK then signs in with OAuth.
  const requestInit = { headers: { Authorization: `Bearer ${SPECBOX_KEY}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", SPECBOX_URL), { requestInit }));
  try {
    const { tools } = await client.listTools();
    const found = await client.callTool({ name: "search_text", arguments: { query: question, rerank_top_k: 3 } });
    const guide = await client.readResource({ uri: "specbox://skill-guide" });
    const passages = JSON.parse(found.content[0].text).results;
    return { tools: tools.map((tool) => tool.name), passages, guide: guide.contents[0].text };
  } finally {
    await client.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const passage of (await answer(process.argv[2])).passages) {
    console.log(`${passage.doc_type} ${passage.doc_number} v${passage.version}, ${passage.section_number}`);
    console.log(`${passage.content}\n`);
  }
}
