"""A LangChain agent with the tools of a server.

usage: langchain_agent.py MODEL QUESTION    MODEL is a name such as "openai:gpt-5"; set the API key of its provider
"""

import asyncio
import sys

import httpx
from connection import HEADERS, INSTRUCTIONS, MCP_URL, TRUST
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_mcp_adapters.client import MultiServerMCPClient


def create_http_client(headers=None, timeout=None, auth=None) -> httpx.AsyncClient:
    """Trusts the lab certificate for this server only; connections to the model are not affected."""
    return httpx.AsyncClient(headers=headers, timeout=timeout, auth=auth, verify=TRUST)


async def answer(question: str, model: str | BaseChatModel) -> str:
    server = {
        "transport": "streamable_http",
        "url": MCP_URL,
        "headers": HEADERS,
        "httpx_client_factory": create_http_client,
    }
    tools = await MultiServerMCPClient({"specbox": server}).get_tools()
    agent = create_agent(model, tools, system_prompt=INSTRUCTIONS)
    state = await agent.ainvoke({"messages": [("user", question)]})
    return state["messages"][-1].text


if __name__ == "__main__":
    print(asyncio.run(answer(sys.argv[2], sys.argv[1])))
