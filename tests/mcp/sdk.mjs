// A program made with the official TypeScript SDK: node sdk.mjs KIND URL, where KIND is v1, v2 or v2-auto.
// It writes the page to open as one line of JSON, reads what it was sent as another, and writes what it
// found as a third.

import { createInterface } from "node:readline";

const [kind, url] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } =
  kind === "v1"
    ? {
        ...(await import("@modelcontextprotocol/sdk/client/index.js")),
        ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
      }
    : await import("@modelcontextprotocol/client");
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** What a program keeps, in memory. */
class Provider {
  redirectUrl = "http://127.0.0.1:33418/callback";
  clientMetadata = { client_name: `TypeScript ${kind}`, redirect_uris: [this.redirectUrl] };
  clientInformation() { return this.client; }
  saveClientInformation(client) { this.client = client; }
  tokens() { return this.kept; }
  saveTokens(tokens) { this.kept = tokens; }
  codeVerifier() { return this.verifier; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  redirectToAuthorization(page) { console.log(JSON.stringify({ open: page.href })); }
}

const authProvider = new Provider();
const options = kind === "v2-auto" ? { versionNegotiation: { mode: "auto" } } : {};
const connect = async () => {
  const client = new Client({ name: "specbox-test", version: "1.0.0" }, options);
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (error.constructor.name !== "UnauthorizedError") throw error;
    const sent = JSON.parse((await lines.next()).value);
    await transport.finishAuth(sent.code, sent.iss);
    return undefined;
  }
};

const client = (await connect()) ?? (await connect());
const { tools } = await client.listTools();
const results = {};
for (const [name, args] of Object.entries(JSON.parse(process.env.CALLS))) {
  const result = await client.callTool({ name, arguments: args });
  results[name] = { isError: result.isError ?? false, kinds: result.content.map((block) => block.type) };
}
const { contents } = await client.readResource({ uri: "specbox://skill-guide" });
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), results, guide: contents[0].text.length }));
await client.close();
process.exit(0);
