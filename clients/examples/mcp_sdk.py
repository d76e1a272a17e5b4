"""The official MCP SDK for Python: lists the tools, searches, and reads the guide for agents.

usage: mcp_sdk.py QUESTION
"""

import asyncio
import json
import sys

import httpx2
from connection import HEADERS, MCP_URL, TRUST
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client


async def answer(question: str) -> dict:
    async with (
        httpx2.AsyncClient(headers=HEADERS, verify=TRUST, timeout=60) as http,
        Client(streamable_http_client(MCP_URL, http_client=http), mode="auto") as client,
    ):
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("search_text", {"query": question, "rerank_top_k": 3})
        guide = await client.read_resource("specbox://skill-guide")
    passages = json.loads(found.content[0].text)["results"]
    return {"tools": tools, "passages": passages, "guide": guide.contents[0].text}


if __name__ == "__main__":
    for passage in asyncio.run(answer(sys.argv[1]))["passages"]:
        print(f"{passage['doc_type']} {passage['doc_number']} v{passage['version']}, {passage['section_number']}")
        print(passage["content"], end="\n\n")
