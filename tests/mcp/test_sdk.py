"""The official Python SDK against a real server: both eras of the protocol, both spellings of the address."""

import base64
import json
import unittest
from pathlib import Path

import anyio
import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from server import Person, Server

# Every tool, with the example of its declaration; ids that differ between servers are looked up.
EXAMPLES = json.loads((Path(__file__).parents[2] / "crates/wire/src/examples.json").read_text())
# Declared with `TOOL: None`.
NO_TOOLS = {"health", "suggest"}
CALLS = {name: example["parameters"] for name, example in EXAMPLES.items() if name not in NO_TOOLS}
CALLS["get_document"] = {"document_id": None}
# Nobody has fetched it yet.
CALLS["fetch_tdoc"] = {"tdoc_id": "R1-2600105"}


class Storage:
    """What a program keeps."""

    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Program:
    """A program that connects, with a person before it."""

    def __init__(self, server: Server, person: Person, url: str, storage: Storage):
        self.asked = 0
        self.opened = None
        self.person = person
        metadata = OAuthClientMetadata(
            client_name="SDK test",
            redirect_uris=["http://127.0.0.1:33418/callback"],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
        )
        auth = OAuthClientProvider(url, metadata, storage, self.redirect, self.callback)
        self.http = httpx2.AsyncClient(auth=auth, verify=server.trust, timeout=60)
        self.url = url

    async def redirect(self, url: str) -> None:
        self.opened = url

    async def callback(self) -> AuthorizationCodeResult:
        self.asked += 1
        sent = await anyio.to_thread.run_sync(self.person.answer, self.opened)
        return AuthorizationCodeResult(code=sent["code"], state=sent.get("state"), iss=sent["iss"])

    def client(self, mode: str) -> Client:
        return Client(streamable_http_client(self.url, http_client=self.http), mode=mode)


def text_of(result) -> str:
    return next(block.text for block in result.content if block.type == "text")


class Sdk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(oauth="access_token_seconds = 3")
        cls.person = Person(cls.server)
        cls.person.set_password()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def test_both_eras_and_both_spellings(self):
        for mode in ("auto", "legacy"):
            for path in ("/mcp", "/mcp/"):
                with self.subTest(mode=mode, path=path):
                    anyio.run(self.use, mode, path)

    async def use(self, mode: str, path: str):
        self.person.sign_out()
        storage = Storage()
        program = Program(self.server, self.person, self.server.url + path, storage)
        async with program.client(mode) as client:
            self.assertEqual(program.asked, 1)
            era = client.protocol_version
            self.assertEqual(era >= "2026", mode == "auto", era)
            self.assertIn("search_text", client.instructions)
            await self.every_tool(client)
            await self.the_guide(client)
            await self.refresh(client, storage, program)
        await program.http.aclose()
        await self.revoke(storage, path)

    async def every_tool(self, client: Client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        self.assertEqual(set(tools), set(CALLS) - {"similar_images"})
        for tool in tools.values():
            self.assertTrue(tool.title, tool.name)
            self.assertEqual(tool.annotations.read_only_hint, tool.name != "fetch_tdoc", tool.name)
        documents = json.loads(text_of(await client.call_tool("list_documents", {})))
        document = documents["results"][0] if isinstance(documents, dict) else documents[0]
        search = await client.call_tool("search_images", CALLS["search_images"])
        figure = json.loads(text_of(search))["results"][0]
        for name, arguments in CALLS.items():
            known = {
                "document_id": document["id"],
                "doc_number": figure["doc_number"],
                "version": figure["version"],
                "image_index": figure["id"],
            }
            given = {key: known[key] if value is None else value for key, value in arguments.items()}
            result = await client.call_tool(name, given)
            self.assertEqual(bool(result.is_error), name == "similar_images", text_of(result))
            json.loads(text_of(result))
            if name == "get_image":
                image = next(block for block in result.content if block.type == "image")
                self.assertEqual(image.mime_type, "image/png")
                self.assertTrue(base64.b64decode(image.data).startswith(b"\x89PNG"))
        refused = await client.call_tool("search_text", {"query": "x", "match_count": 5000})
        self.assertTrue(refused.is_error)
        self.assertEqual(json.loads(text_of(refused))["detail"][0]["loc"], ["match_count"])

    async def the_guide(self, client: Client):
        resources = (await client.list_resources()).resources
        self.assertEqual([str(resource.uri) for resource in resources], ["specbox://skill-guide"])
        guide = await client.read_resource("specbox://skill-guide")
        self.assertIn("How to cite", guide.contents[0].text)

    async def refresh(self, client: Client, storage: Storage, program: Program):
        before = storage.tokens
        await anyio.sleep(4)
        result = await client.call_tool("resolve_term", CALLS["resolve_term"])
        self.assertFalse(result.is_error)
        self.assertNotEqual(storage.tokens.access_token, before.access_token)
        self.assertNotEqual(storage.tokens.refresh_token, before.refresh_token)
        self.assertEqual(program.asked, 1, "the person was not asked again")

    async def revoke(self, storage: Storage, path: str):
        async with httpx2.AsyncClient(verify=self.server.trust) as http:
            token = storage.tokens.access_token
            headers = {"authorization": f"Bearer {token}"}
            client = storage.client.client_id
            form = {"token": storage.tokens.refresh_token, "client_id": client}
            done = await http.post(f"{self.server.url}/oauth/revoke", data=form)
            self.assertEqual(done.status_code, 200)
            refused = await http.post(self.server.url + path, headers=headers, content="{}")
            self.assertEqual(refused.status_code, 401)
            self.assertIn('error="invalid_token"', refused.headers["www-authenticate"])


if __name__ == "__main__":
    unittest.main()
