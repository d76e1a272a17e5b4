"""Other clients against a real server: the TypeScript SDKs, the inspector, the protocol's own conformance suite."""

import json
import os
import subprocess
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
from server import Person, Server

HERE = Path(__file__).parent
BIN = HERE / "node_modules/.bin"
NODE = HERE / "node_modules/node/bin/node"
ENVIRONMENT = {**os.environ, "PATH": f"{NODE.parent}:{os.environ['PATH']}"}
CALLS = {
    "search_text": {"query": "how a session is set up"},
    "list_documents": {},
    "get_document": {"document_id": 1},
    "resolve_term": {"term": "UE"},
    # A refusal.
    "search_images": {"query": ""},
}
# Scenarios of the suite that ask nothing of a server but what the protocol does: the others want the
# tools, prompts and resources of its own example server.
SCENARIOS = {
    "2025-11-25": ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"],
    "2026-07-28": [
        "server-stateless", "tools-list", "resources-list", "sep-2164-resource-not-found",
        "dns-rebinding-protection", "caching", "http-header-validation",
    ],
}
# Checks within them that do, all the same.
OF_THE_EXAMPLE = {
    "sep-2549-prompts-list-caching-hints",
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel",
}


class Others(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(mcp="accept_keys = true")
        cls.person = Person(cls.server)
        cls.person.set_password()
        cls.key = json.loads(cls.server.run("key", "create", "--name", "test"))["key"]

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def environment(self, **more: str) -> dict[str, str]:
        return {**ENVIRONMENT, "NODE_EXTRA_CA_CERTS": self.server.authority, **more}

    def test_typescript(self):
        for kind in ("v1", "v2", "v2-auto"):
            for path in ("/mcp", "/mcp/"):
                with self.subTest(kind=kind, path=path):
                    self.use(kind, path)

    def use(self, kind: str, path: str):
        command = [str(NODE), "sdk.mjs", kind, self.server.url + path]
        with subprocess.Popen(
            command, cwd=HERE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=self.environment(CALLS=json.dumps(CALLS)),
        ) as program:
            first = program.stdout.readline()
            self.assertIn("open", first, first or program.stderr.read())
            sent = self.person.answer(json.loads(first)["open"])
            out, err = program.communicate(json.dumps(sent) + "\n", timeout=120)
        self.assertEqual(program.returncode, 0, err)
        found = json.loads(out.splitlines()[-1])
        self.assertIn("search_text", found["tools"])
        self.assertGreater(found["guide"], 1000)
        for name, result in found["results"].items():
            self.assertEqual(result["isError"], name == "search_images", name)

    def test_inspector(self):
        for path in ("/mcp", "/mcp/"):
            for arguments, expected in (
                (["--method", "tools/list"], "search_text"),
                (["--method", "tools/call", "--tool-name", "resolve_term", "--tool-arg", "term=UE"], "UE"),
                (["--method", "resources/read", "--uri", "specbox://skill-guide"], "How to cite"),
            ):
                with self.subTest(path=path, arguments=arguments):
                    command = [
                        str(BIN / "mcp-inspector"), "--cli", self.server.url + path, "--transport", "http",
                        "--header", f"Authorization: Bearer {self.key}", *arguments,
                    ]
                    done = subprocess.run(
                        command, cwd=HERE, env=self.environment(), capture_output=True, text=True, timeout=120
                    )
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn(expected, done.stdout)
                    self.assertEqual(done.stderr, "")

    def test_conformance(self):
        with Front(self.server, self.key) as front:
            for revision, scenarios in SCENARIOS.items():
                for scenario in scenarios:
                    with self.subTest(revision=revision, scenario=scenario):
                        self.conforms(f"{front.url}/mcp", scenario, revision)

    def conforms(self, url: str, scenario: str, revision: str):
        with tempfile.TemporaryDirectory() as results:
            command = [
                str(BIN / "conformance"), "server", "--url", url, "--output-dir", results,
                "--scenario", scenario, "--spec-version", revision,
            ]
            done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
            files = list(Path(results).rglob("checks.json"))
            checks = [check for file in files for check in json.loads(file.read_text())]
        self.assertTrue(checks, done.stdout + done.stderr)
        failed = [c for c in checks if c["status"] == "FAILURE" and c["id"] not in OF_THE_EXAMPLE]
        self.assertEqual(failed, [])


class Front:
    """The suite signs in nowhere and trusts no certificate of ours: this passes its requests on, with a
    key."""

    def __init__(self, server: Server, key: str):
        client = httpx2.Client(verify=server.trust, timeout=60)
        own = server.url.removeprefix("https://")

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                here = f":{self.server.server_port}"
                headers = [("authorization", f"Bearer {key}")]
                for name, value in self.headers.items():
                    name, value = name.lower(), value.strip()
                    # What names this address means the server; what names another is left as it is.
                    if name == "host" and value.endswith(here):
                        value = own
                    elif name == "origin" and value.endswith(here):
                        value = server.url
                    if name not in ("content-length", "authorization"):
                        headers.append((name, value))
                answer = client.request(self.command, server.url + self.path, headers=headers, content=body)
                self.send_response(answer.status_code)
                for name, value in answer.headers.items():
                    if name not in ("content-length", "transfer-encoding", "connection", "content-encoding"):
                        self.send_header(name, value)
                self.send_header("content-length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            do_GET = do_POST = do_DELETE = do_OPTIONS = do

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.http.server_port}"

    def __enter__(self) -> "Front":
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.http.shutdown()


if __name__ == "__main__":
    unittest.main()
