"""An agent of the OpenAI Agents SDK with the tools of a server.

usage: openai_agents.py QUESTION    needs OPENAI_API_KEY
"""

import asyncio
import sys

import httpx2
from agents import Agent, Model, Runner
from agents.mcp import MCPServerStreamableHttp
from connection import HEADERS, INSTRUCTIONS, MCP_URL, TRUST


def create_http_client(headers=None, timeout=None, auth=None) -> httpx2.AsyncClient:
    """Trusts the lab certificate for this server only; connections to the model are not affected."""
    return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, verify=TRUST)


async def answer(question: str, model: str | Model | None = None) -> str:
    params = {"url": MCP_URL, "headers": HEADERS, "timeout": 60, "httpx_client_factory": create_http_client}
    async with MCPServerStreamableHttp(params, name="specbox", client_session_timeout_seconds=60) as specbox:
        agent = Agent("Standards", instructions=INSTRUCTIONS, mcp_servers=[specbox], model=model)
        return (await Runner.run(agent, question)).final_output


if __name__ == "__main__":
    print(asyncio.run(answer(sys.argv[1])))
