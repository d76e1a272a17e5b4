"""What programs ask: the operations over REST, searches, pages, and tools over MCP."""

import html
import json
import re
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = json.loads((ROOT / "crates/wire/src/examples.json").read_text())
QUERIES = [json.loads(line)["text"] for line in (ROOT / "data/sample/questions/queries.jsonl").open()]
SEARCHES = {"search_text", "search_images", "search_combined", "similar_images", "search_tdocs"}
# Names are collected in the background after a change; a document's id is a new one after it.
UNSTABLE = SEARCHES | {"health", "suggest", "get_document", "fetch_tdoc"}
FILTERS = [
    {}, {}, {}, {"filter_release": "Rel-18"}, {"filter_doc_number": "38.990"}, {"filter_doc_type": "TS"},
    {"filter_series": "38"}, {"filter_doc_number": "38.990", "filter_section_number": "5.3"},
]
PAGES = [
    "/", "/docs", "/docs/start", "/docs/limits", "/docs/errors", "/docs/operations/search_text", "/swagger", "/redoc",
    "/openapi.json", "/skill.md", "/library", "/search?q=overloaded+beacon", "/define?name=T393", "/contributions",
    "/meeting/R1-190", "/read/38.990/19.0.0?section=5.3.1", "/read/38.990/compare", "/read/38.990/history?section=5.3",
    "/dashboard", "/dashboard/keys", "/dashboard/jobs", "/dashboard/health", "/dashboard/corpus", "/dashboard/users",
    "/dashboard/watches", "/decision-search?q=waiting", "/contributions/R1-2600110/text", "/health", "/favicon.ico",
]
MAX_LINKS = 3000
# The document that is removed and comes again: links to it may lead nowhere.
COMING_AND_GOING = "38.992"


class Questions:
    """Asks one question at a time, chosen by the generator that it is given."""

    def __init__(self, server, tally):
        self.server, self.tally = server, tally
        self.links, self.seen = list(PAGES), set(PAGES)
        self.routes = {}

    def learn_routes(self, client):
        """Reads from the server's own description which path each operation has."""
        for path, methods in client.ask("GET", "/openapi.json").json()["paths"].items():
            for method, operation in methods.items():
                self.routes[operation.get("operationId")] = (method.upper(), path)
        lost = set(EXAMPLES) - set(self.routes)
        if lost:
            raise RuntimeError(f"the description lacks {lost}: {sorted(map(str, self.routes))}")

    def bearer(self):
        return {"Authorization": f"Bearer {self.server.key}", "Content-Type": "application/json"}

    def call(self, client, name, parameters):
        method, path = self.routes[name]
        rest = dict(parameters)
        for field in re.findall(r"\{(\w+)\}", path):
            path = path.replace(f"{{{field}}}", urllib.parse.quote(str(rest.pop(field)), safe=""))
        if method == "POST":
            return client.ask(method, path, json.dumps(rest), self.bearer())
        words = {key: value if isinstance(value, str) else json.dumps(value) for key, value in rest.items()}
        return client.ask(method, f"{path}?{urllib.parse.urlencode(words)}" if words else path, None, self.bearer())

    def look_up(self, client, choose):
        """An operation with the parameters of its example; most have an answer that stays."""
        name = choose.choice(sorted(set(EXAMPLES) - SEARCHES))
        parameters = EXAMPLES[name]["parameters"]
        if name == "get_document":
            documents = self.call(client, "list_documents", {}).json()
            parameters = {"document_id": choose.choice(documents)["id"]}
        reply = self.call(client, name, parameters)
        if reply.status == 200 and name not in UNSTABLE:
            is_json = (reply.headers.get("Content-Type") or "").startswith("application/json")
            self.tally.compare(name, json.dumps(parameters), reply.json() if is_json else reply.body)
        # Between the list and the question the document may have been stored anew.
        return f"look-up {name}", reply, {200, 202} | ({404, 410} if name == "get_document" else set())

    def read_section(self, client, choose):
        """Whole sections of a version that is stored anew all the time: they must never be half there."""
        part = choose.choice(["3", "4", "5", "5.3", "6", "6.3.1", "7"])
        parameters = {"doc_number": "38.990", "version": "19.0.0", "section_number": part, "prefix": True}
        reply = self.call(client, "get_sections", parameters)
        if reply.status == 200:
            self.tally.compare("sections", part, reply.json())
        return "sections", reply, {200}

    def search_text(self, client, choose):
        parameters = {"query": choose.choice(QUERIES), "rerank": False, **choose.choice(FILTERS)}
        return "search text", self.call(client, "search_text", parameters), {200}

    def search_reranked(self, client, choose):
        parameters = {"query": choose.choice(QUERIES), "rerank_top_k": 5, **choose.choice(FILTERS)}
        return "search text reranked", self.call(client, "search_text", parameters), {200}

    def search_unseen(self, client, choose):
        """A query that nobody had before: nothing that is kept for queries may grow without end."""
        words = " ".join(choose.choice(QUERIES).split()[:3] + [f"word{choose.randrange(10**9)}"])
        number = f"{choose.randrange(10, 90)}.{choose.randrange(100, 1000)}-{choose.randrange(1, 100)}"
        rest = choose.choice([{}, {"filter_doc_number": number}])
        return "search unseen words", self.call(client, "search_text", {"query": words, "rerank": False, **rest}), {200}

    def search_others(self, client, choose):
        name = choose.choice(["search_images", "search_combined", "similar_images", "search_tdocs"])
        expected = {200, 400, 404} if name == "similar_images" else {200}
        return name.replace("_", " "), self.call(client, name, EXAMPLES[name]["parameters"]), expected

    def read_picture(self, client, choose):
        number = choose.randrange(3)
        reply = client.ask("GET", f"/images/38.990/19.0.0/{number}")
        if reply.status == 200:
            self.tally.compare("picture", number, reply.body)
        return "picture", reply, {200, 429}

    def refuse(self, client, choose):
        """Questions that are to be refused."""
        word = f"x{choose.randrange(10**9)}"
        method, path, body, headers, status = choose.choice([
            ("GET", f"/documents?doc_number={word}", None, self.bearer(), {200, 422}),
            ("GET", f"/{word}", None, {}, {404}),
            ("POST", "/search/text", "{", self.bearer(), {422}),
            ("POST", "/search/text", json.dumps({"query": ""}), self.bearer(), {422}),
            ("GET", "/documents", None, {"Authorization": f"Bearer sk-{word}"}, {401}),
            # Long, and well-formed: what is kept of it would be seen.
            ("POST", "/search/text", json.dumps(long_filter(word)), self.bearer(), {200, 422}),
            ("DELETE", "/documents", None, self.bearer(), {405}),
            ("POST", "/search/text", "x" * (1 << 20) + "x", self.bearer(), {413}),
        ])
        return "refused", client.ask(method, path, body, headers), status

    def open_page(self, client, choose):
        """A page that a page before it led to, as the operator."""
        path = choose.choice(self.links)
        headers = {"Cookie": f"__Host-sid={self.server.cookie}", "Accept": "text/html"}
        if choose.random() < 0.5:
            headers["Accept-Encoding"] = "gzip"
        reply = client.ask("GET", path, None, headers)
        is_page = (reply.headers.get("Content-Type") or "").startswith("text/html")
        if is_page and reply.status == 200 and not reply.headers.get("Content-Encoding"):
            self.add_links(reply.text(), path)
        may_lack = COMING_AND_GOING in urllib.parse.unquote(path) or path.startswith("/documents/")
        expected = {200, 302, 303, 304, 307} | ({400, 404} if may_lack else set())
        # 410: a withdrawn contribution.
        return f"page {path_kind(path)}", reply, expected | ({410} if path.startswith("/contributions/") else set())

    def add_links(self, page, base):
        for link in re.findall(r'href="([^"]+)"', page):
            path = urllib.parse.urljoin(base, html.unescape(link)).split("#")[0]
            if path.startswith("/") and not path.startswith("//") and path not in self.seen:
                if len(self.links) < MAX_LINKS:
                    self.seen.add(path)
                    self.links.append(path)

    def speak_mcp(self, client, choose, token=None):
        """A session over MCP: opened, used and left; some are abandoned after the greeting."""
        token = token or self.server.key
        version = choose.choice(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
        greeting = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
        reply = self.send_mcp(client, token, version, "initialize", greeting)
        if reply.status != 200 or choose.random() < 0.3:
            return "mcp abandoned", reply, {200}
        self.send_mcp(client, token, version, "notifications/initialized", None)
        self.send_mcp(client, token, version, "tools/list", {})
        name, arguments = choose.choice([
            ("search_text", {"query": choose.choice(QUERIES), "rerank": False}),
            ("get_sections", {"doc_number": "38.990", "version": "19.0.0", "section_number": "5", "prefix": True}),
            ("lookup_name", EXAMPLES["lookup_name"]["parameters"]), ("list_tdocs", EXAMPLES["list_tdocs"]["parameters"]),
            ("get_image", EXAMPLES["get_image"]["parameters"]), ("no_such_tool", {}),
        ])
        reply = self.send_mcp(client, token, version, "tools/call", {"name": name, "arguments": arguments})
        return f"mcp {name}", reply, {200, 400} if name == "no_such_tool" else {200}

    def send_mcp(self, client, token, version, method, params):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message |= {"id": 1, "params": params}
        headers = {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version,
        }
        return client.ask("POST", "/mcp", json.dumps(message), headers)

    def listen_mcp(self, client, choose):
        """The stream that a client may ask for; a server without sessions refuses it."""
        headers = {"Authorization": f"Bearer {self.server.key}", "Accept": "text/event-stream"}
        return "mcp stream", client.ask("GET", "/mcp", None, headers), {405}


def path_kind(path):
    return "/" + path.lstrip("/").split("?")[0].split("/")[0]


def long_filter(word):
    """A search among documents of a number that has very many parts, another one each time."""
    parts = "-".join(["123"] * 100_000)
    return {"query": "beacon", "rerank": False, "filter_doc_number": f"38.990-{word[1:4]}-{word[4:7] or 0}-{parts}"}
