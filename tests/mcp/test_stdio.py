"""The official Python SDK starts the program itself: over the folder of a running server, and over one that nobody holds."""

import json
import unittest

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from server import PROGRAM, Server
from test_sdk import CALLS, text_of


class Stdio(unittest.TestCase):
    def test_with_a_server_and_without(self):
        with Server() as server:
            arguments = ["--data-dir", str(server.data), "mcp"]
            for has_server in (True, False):
                for mode in ("auto", "legacy"):
                    with self.subTest(mode=mode, has_server=has_server):
                        anyio.run(self.use, mode, arguments)
                server.process.kill()
                server.process.wait()

    async def use(self, mode: str, arguments: list[str]):
        parameters = StdioServerParameters(command=PROGRAM, args=arguments)
        async with Client(stdio_client(parameters), mode=mode) as client:
            self.assertEqual(client.protocol_version >= "2026", mode == "auto")
            self.assertIn("search_text", client.instructions)
            tools = {tool.name for tool in (await client.list_tools()).tools}
            for name in ("search_text", "get_sections", "resolve_term", "list_documents"):
                self.assertIn(name, tools)
                result = await client.call_tool(name, CALLS[name])
                self.assertFalse(result.is_error, text_of(result))
                json.loads(text_of(result))
            refused = await client.call_tool("search_text", {"query": "x", "match_count": 5000})
            self.assertTrue(refused.is_error)
            guide = await client.read_resource("specbox://skill-guide")
            self.assertIn("How to cite", guide.contents[0].text)


if __name__ == "__main__":
    unittest.main()
