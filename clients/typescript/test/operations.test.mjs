// Every operation against a real server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cite, INTERFACE_VERSION, Specbox } from "../dist/index.js";
import { camelCase, client, examples, server } from "./server.mjs";

const document = await (await fetch(`${server.url}/openapi.json`)).json();

/** What is wrong with a value, by its schema: fields that are missing, types that are others. */
function findFaults(value, schema, path = "") {
  if (schema.$ref) return findFaults(value, document.components.schemas[schema.$ref.split("/").at(-1)], path);
  if (schema.anyOf) {
    const faults = schema.anyOf.map((option) => findFaults(value, option, path));
    return faults.find((found) => found.length === 0) ?? faults[0];
  }
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const kinds = [schema.type ?? kind].flat().map((name) => (name === "integer" ? "number" : name));
  if (!kinds.includes(kind)) return [`${path} is ${kind}, not ${kinds}`];
  if (kind === "array") return value.flatMap((item, at) => findFaults(item, schema.items, `${path}[${at}]`));
  if (kind !== "object") return [];
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path} lacks ${name}`);
  const known = Object.entries(schema.properties ?? {}).filter(([name]) => name in value);
  return missing.concat(known.flatMap(([name, field]) => findFaults(value[name], field, `${path}.${name}`)));
}

for (const methods of Object.values(document.paths)) {
  for (const operation of Object.values(methods)) {
    const name = operation.operationId;
    test(`${name} has a method whose reply has the declared type`, async () => {
      assert.equal(typeof client[camelCase(name)], "function");
      if (name === "similar_images") return;
      const reply = await client[camelCase(name)](examples[name]);
      const content = operation.responses[200].content["application/json"];
      if (content) assert.deepEqual(findFaults(reply, content.schema, name), []);
      else assert.deepEqual([...reply.slice(1, 4)], [...Buffer.from("PNG")]);
    });
  }
}

test("the interface is the one that the package was generated from", async () => {
  assert.equal((await client.health()).version, INTERFACE_VERSION);
});

// What yields the list of an operation, and the field of the reply that has the list.
const PAGES = {
  compare_documents: ["iterSectionDifferences", "sections"],
  compare_sections: ["iterChangedSections", "sections"],
  list_changes: ["iterChanges", "changes"],
  list_tdocs: ["iterTdocs", "items"],
  list_meetings: ["iterMeetings", "items"],
  list_meeting_decisions: ["iterMeetingDecisions", "items"],
  search_decisions: ["iterDecisions", "items"],
  list_names: ["iterNames", "names"],
  list_name_findings: ["iterNameFindings", "findings"],
  get_change_request: ["iterRevisedClauses", "sections"],
};

test("every iterator is tested", () => {
  const methods = [Specbox.prototype, Object.getPrototypeOf(Specbox.prototype)].flatMap(Object.getOwnPropertyNames);
  const iterators = methods.filter((name) => name.startsWith("iter"));
  assert.deepEqual(iterators.sort(), [...Object.values(PAGES).map(([name]) => name), "iterTdocText"].sort());
});

for (const [operation, [iterator, field]] of Object.entries(PAGES)) {
  test(`the pages of ${operation} join to the whole list`, async () => {
    const { q, kind, until, limit, ...parameters } = examples[operation];
    const whole = (await client[camelCase(operation)]({ ...parameters, limit: 200 }))[field];
    const joined = [];
    for await (const item of client[iterator]({ ...parameters, limit: 1 })) joined.push(item);
    assert.ok(whole.length > 0);
    assert.deepEqual(joined, whole);
  });
}

test("lists are sent as the server reads them, and identifiers as one segment", async () => {
  const { items } = await client.listTdocs({ status: ["agreed", "noted"] });
  assert.deepEqual(items, (await client.listTdocs({ status: "agreed,noted" })).items);
  assert.equal((await client.getMeeting({ meeting_id: "RAN1#190" })).meeting_id, "R1-190");
});

test("pictures, long texts and modules are read whole", async () => {
  const figure = (await client.searchImages({ query: "states of a link" })).results[0];
  const picture = await client.getPicture(figure);
  assert.deepEqual(picture, new Uint8Array(await (await fetch(client.pictureUrl(figure))).arrayBuffer()));
  await assert.rejects(client.getPicture({ image_path: null }), /no picture/);

  const whole = (await client.getTdoc({ tdoc_id: "R1-2600110", include: "text" })).text.blocks;
  const blocks = [];
  for await (const block of client.iterTdocText("R1-2600110")) blocks.push(block);
  assert.deepEqual(blocks, whole);

  const { modules } = await client.getModule({ doc_number: "29.990" });
  assert.match(await client.readModule("29.990", modules[0].name), /^openapi: /);
  assert.equal((await client.waitForTdoc("R1-2600104")).content.status, "complete");
});

test("citations are those of the guide for agents", async () => {
  const figure = (await client.searchImages({ query: "states of a link", filter_release: "Rel-19" })).results[0];
  assert.equal(cite(figure), "TS 38.990 v19.0.0 (Rel-19), clause 4.2.1, Figure 4.2.1-1");
  const [section] = await client.getSections({ doc_number: "38.990", version: "19.0.0", section_number: "3.2" });
  assert.equal(cite(section, "TS"), "TS 38.990 v19.0.0 (Rel-19), clause 3.2");
  const tdoc = await client.getTdoc({ tdoc_id: "R1-2600104" });
  assert.equal(cite(tdoc), 'R1-2600104, Example Radio, "On waiting times after beacon overload", RAN1#190');
  const { items } = await client.listMeetingDecisions({ meeting_id: "R1-190", q: "waiting time after a refusal" });
  assert.match(cite(items[0]), /^agreement of R1-190, Final_Minutes_report_RAN1#190_v100, .*#p21$/);
  assert.equal(cite({ doc_number: "38.331", section_number: "A" }), "38.331, annex A");
  assert.equal(cite({ doc_number: "38.331", section_number: "BWP", clause: "6.3.2" }), "38.331, clause 6.3.2");
  assert.equal(cite({ doc_number: "38.331", section_number: "Foreword" }), '38.331, "Foreword"');
  assert.throws(() => cite({ title: "38.331" }), TypeError);
});
