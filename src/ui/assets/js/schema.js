// The API, from its own description: operations with parameters, bodies and answers; in the explorer, requests are sent.
// An operation is drawn when it is opened, so that the page is short however many there are.
import { enableCopying } from "./page.js";

const root = document.querySelector("[data-openapi]");
const canSend = root.dataset.mode === "explorer";
/** Levels of members that are drawn; deeper ones open on demand. */
const OPEN_LEVELS = 1;
let serial = 0;
let key = "";
let api = null;

/** An element with attributes and children; text is text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(attribute, "");
    else if (value !== false && value !== undefined) made.setAttribute(attribute, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Text with `code`, in paragraphs. */
function prose(text) {
  return (text ?? "").split(/\n\s*\n/).filter((part) => part.trim()).map((part) => {
    const pieces = part.split("`").map((piece, n) => (n % 2 ? element("code", {}, piece) : piece));
    return element("p", {}, ...pieces);
  });
}

function resolve(schema) {
  const name = schema?.$ref?.split("/").at(-1);
  return name ? { name, schema: api.components?.schemas?.[name] ?? {} } : { name: null, schema: schema ?? {} };
}

/** What a value is, in a few words. */
function typeWords(given) {
  const { name, schema } = resolve(given);
  if (name) return name;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeWords).join(" or ");
  if (schema.allOf?.length === 1) return typeWords(schema.allOf[0]);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const type = [schema.type ?? "any"].flat();
  return type.map((word) => (word === "array" ? `list of ${typeWords(schema.items)}` : word)).join(" or ");
}

function limits(schema) {
  const words = [];
  const add = (field, text) => { if (schema[field] !== undefined) words.push(`${text} ${JSON.stringify(schema[field])}`); };
  add("default", "default");
  add("minimum", "at least");
  add("maximum", "at most");
  add("minLength", "length at least");
  add("maxLength", "length at most");
  add("maxItems", "items at most");
  return words.join(", ");
}

/** The members of an object, of the items of a list, or of the choices of a value. */
function membersOf(given) {
  const { schema } = resolve(given);
  if (schema.properties) return Object.entries(schema.properties).map(([name, value]) => [name, value, schema.required?.includes(name)]);
  for (const part of [schema.items, ...(schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [])]) {
    const members = part ? membersOf(part) : [];
    if (members.length > 0) return members;
  }
  return [];
}

function drawMembers(given, level = 0) {
  const members = membersOf(given);
  if (members.length === 0) return element("p", {}, element("code", {}, typeWords(given)));
  return element("ul", { class: "members" }, ...members.map(([name, value, isRequired]) => {
    const { schema } = resolve(value);
    const line = element("li", {},
      element("code", { class: "member-name" }, name), " ",
      element("span", { class: "quiet" }, typeWords(value), isRequired ? ", required" : "", limits(schema) ? `, ${limits(schema)}` : ""),
      ...prose(value.description ?? schema.description));
    if (membersOf(value).length > 0) {
      const below = element("details", {}, element("summary", {}, `Members of ${name}`));
      const draw = () => { if (below.children.length === 1) below.append(drawMembers(value, level + 1)); };
      if (level < OPEN_LEVELS) below.addEventListener("toggle", draw, { once: true });
      else below.addEventListener("toggle", draw);
      line.append(below);
    }
    return line;
  }));
}

function drawParameters(parameters) {
  const rows = parameters.map((parameter) => element("tr", {},
    element("td", { class: "number" }, element("code", {}, parameter.name)),
    element("td", {}, parameter.in, parameter.required ? ", required" : ""),
    element("td", {}, typeWords(parameter.schema), limits(parameter.schema ?? {}) ? `, ${limits(parameter.schema)}` : ""),
    element("td", {}, ...prose(parameter.description))));
  const heads = ["Parameter", "In", "Type", "Meaning"].map((head) => element("th", { scope: "col" }, head));
  return element("div", { class: "table", role: "region", "aria-label": "Parameters", tabindex: "0" },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
}

function bodyOf(operation) {
  return Object.values(operation.requestBody?.content ?? {})[0];
}

function exampleOf(operation) {
  const body = bodyOf(operation);
  const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value ?? resolve(body?.schema).schema.examples?.[0];
  return example === undefined ? "{}" : JSON.stringify(example, null, 2);
}

function shellOf(path, method, operation) {
  const data = bodyOf(operation) ? ` \\\n  -H "Content-Type: application/json" \\\n  -d '${exampleOf(operation).replaceAll("'", "'\\''")}'` : "";
  return `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${location.origin}${path} \\\n  -H "Authorization: Bearer sk-..."${data}`;
}

function copyBlock(text, label) {
  const id = `code-${++serial}`;
  const block = element("div", { class: "copied" }, element("pre", { tabindex: "0" }, element("code", { id }, text)),
    element("button", { type: "button", class: "small", "data-copy": id, "data-label": label }, label));
  enableCopying(block);
  return block;
}

/** A form that sends the request and shows the answer. */
function drawSender(path, method, operation, parameters) {
  const fields = parameters.map((parameter) => {
    const box = element("input", { type: "text", required: parameter.required, id: `field-${++serial}`, autocomplete: "off" });
    return { parameter, box, label: element("label", { for: box.id }, parameter.name) };
  });
  const hasBody = Boolean(bodyOf(operation));
  const body = element("textarea", { rows: "8", spellcheck: "false", id: `field-${++serial}` });
  body.value = exampleOf(operation);
  const answer = element("div", { role: "status" });
  const form = element("form", { class: "stacked sender" },
    ...fields.flatMap(({ box, label }) => [label, box]),
    ...(hasBody ? [element("label", { for: body.id }, "Body"), body] : []),
    element("button", { type: "submit" }, "Send request"), answer);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const target = new URL(location.origin);
    target.pathname = path.replace(/\{(\w+)\}/g, (_, name) => {
      const field = fields.find(({ parameter }) => parameter.in === "path" && parameter.name === name);
      return encodeURIComponent(field?.box.value ?? "");
    });
    for (const { parameter, box } of fields) {
      if (parameter.in === "query" && box.value) target.searchParams.set(parameter.name, box.value);
    }
    const headers = key ? { Authorization: `Bearer ${key}` } : {};
    if (hasBody) headers["Content-Type"] = "application/json";
    answer.replaceChildren(element("span", { class: "skeleton" }));
    const began = performance.now();
    try {
      const reply = await fetch(target, { method: method.toUpperCase(), headers, body: hasBody ? body.value : undefined, credentials: "omit" });
      const type = reply.headers.get("content-type") ?? "";
      const took = Math.round(performance.now() - began);
      const line = element("p", {}, element("span", { class: `status ${reply.ok ? "ok" : "bad"}` }, String(reply.status)), ` ${took} ms, ${type}`);
      if (type.startsWith("image/")) {
        const picture = element("p", { class: "quiet" }, `${(await reply.blob()).size} bytes`);
        answer.replaceChildren(line, picture);
        return;
      }
      const text = await reply.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON */ }
      answer.replaceChildren(line, copyBlock(shown, "Copy answer"));
    } catch { answer.replaceChildren(element("p", { class: "fault" }, "The server did not answer.")); }
  });
  return form;
}

function drawOperation(path, method, operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => (parameter.$ref ? api.components.parameters[parameter.$ref.split("/").at(-1)] : parameter));
  const title = element("span", { class: "operation-title" }, operation.summary ?? operation.operationId ?? "");
  const part = element("details", { class: "operation card", id: operation.operationId },
    element("summary", {}, element("span", { class: `method ${method}` }, method.toUpperCase()), element("code", {}, path), title));
  part.addEventListener("toggle", () => {
    if (!part.open || part.children.length > 1) return;
    const body = bodyOf(operation);
    part.append(...prose(operation.description));
    if (parameters.length > 0) part.append(element("h3", {}, "Parameters"), drawParameters(parameters));
    if (body) part.append(element("h3", {}, "Body"), drawMembers(body.schema));
    if (canSend) part.append(element("h3", {}, "Try it"), drawSender(path, method, operation, parameters));
    part.append(element("h3", {}, "Request"), copyBlock(shellOf(path, method, operation), "Copy command"), element("h3", {}, "Answers"));
    for (const [status, reply] of Object.entries(operation.responses ?? {})) {
      const schema = Object.values(reply.content ?? {})[0]?.schema;
      const below = element("details", {}, element("summary", {}, status, " ", reply.description ?? ""));
      below.addEventListener("toggle", () => { if (below.children.length === 1) below.append(schema ? drawMembers(schema) : element("p", { class: "quiet" }, "No body.")); }, { once: true });
      part.append(below);
    }
  });
  return part;
}

function drawSchemas() {
  const names = Object.keys(api.components?.schemas ?? {}).sort();
  return names.map((name) => {
    const part = element("details", { class: "operation", id: `schema-${name}` }, element("summary", {}, element("code", {}, name)));
    part.addEventListener("toggle", () => {
      if (part.children.length > 1) return;
      const schema = api.components.schemas[name];
      part.append(...prose(schema.description), drawMembers(schema));
    }, { once: true });
    return part;
  });
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("details")) { target.open = true; target.scrollIntoView(); }
}

function draw() {
  const byTag = new Map((api.tags ?? []).map((tag) => [tag.name, { tag, parts: [] }]));
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"].filter((name) => methods[name])) {
      const name = methods[method].tags?.[0] ?? "other";
      if (!byTag.has(name)) byTag.set(name, { tag: { name }, parts: [] });
      byTag.get(name).parts.push(drawOperation(path, method, methods[method]));
    }
  }
  const filter = element("input", { type: "search", placeholder: "Filter operations", "aria-label": "Filter operations", "data-slash": true });
  const count = element("span", { class: "quiet", role: "status" });
  const top = [element("div", { class: "line" }, filter, count)];
  if (canSend) {
    const box = element("input", { type: "password", id: "api-key", placeholder: "sk-...", autocomplete: "off" });
    box.addEventListener("input", () => { key = box.value.trim(); });
    top.push(element("p", { class: "line" }, element("label", { for: "api-key" }, "API key"), box, element("span", { class: "quiet" }, "The key stays on this page. Requests count against the allowance of its account.")));
  }
  const groups = [...byTag.values()].filter(({ parts }) => parts.length > 0).map(({ tag, parts }) => element("section", { "aria-label": tag.name },
    element("h2", {}, tag.name), ...prose(tag.description), ...parts));
  const schemas = drawSchemas();
  groups.push(element("section", { "aria-label": "Schemas" }, element("h2", {}, "Schemas"), ...schemas));
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const part of root.querySelectorAll("details.operation")) {
      const text = `${part.id} ${part.querySelector("summary").textContent}`.toLowerCase();
      part.hidden = !words.every((word) => text.includes(word));
      shown += part.hidden ? 0 : 1;
    }
    for (const group of groups) group.hidden = !group.querySelector("details.operation:not([hidden])");
    count.textContent = words.length > 0 ? `${shown} shown` : "";
  });
  root.replaceChildren(element("h1", {}, `${api.info.title} (${api.info.version})`), ...prose(api.info.description),
    element("p", {}, element("a", { href: root.dataset.openapi, download: "openapi.json" }, "Download openapi.json")), ...top, ...groups);
  openTarget();
}

try {
  const answer = await fetch(root.dataset.openapi);
  api = await answer.json();
  draw();
  addEventListener("hashchange", openTarget);
} catch {
  root.replaceChildren(element("p", { class: "fault" }, "The API description could not be loaded. Reload the page."));
}
