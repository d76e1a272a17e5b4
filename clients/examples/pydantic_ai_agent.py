"""A Pydantic AI agent with the tools of a server.

usage: pydantic_ai_agent.py MODEL QUESTION    MODEL is a name such as "openai:gpt-5"; set the API key of its provider
"""

import asyncio
import sys

from connection import HEADERS, INSTRUCTIONS, MCP_URL, TRUST
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models import Model


async def answer(question: str, model: str | Model) -> str:
    # The instructions of the server tell the model when to search and how to cite.
    specbox = MCPToolset(MCP_URL, headers=HEADERS, verify=TRUST, include_instructions=True)
    agent = Agent(model, toolsets=[specbox], instructions=INSTRUCTIONS)
    return (await agent.run(question)).output


if __name__ == "__main__":
    print(asyncio.run(answer(sys.argv[2], sys.argv[1])))
