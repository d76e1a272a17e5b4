"""A LlamaIndex agent with the tools of a server.

usage: llamaindex_agent.py MODEL QUESTION    MODEL: for example "gpt-5"; needs llama-index-llms-openai and OPENAI_API_KEY
"""

import asyncio
import sys

import httpx2
from connection import HEADERS, INSTRUCTIONS, MCP_URL, TRUST
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def answer(question: str, model: FunctionCallingLLM) -> str:
    async with httpx2.AsyncClient(headers=HEADERS, verify=TRUST, timeout=60) as http:
        tools = await McpToolSpec(BasicMCPClient(MCP_URL, http_client=http)).to_tool_list_async()
        agent = FunctionAgent(tools=tools, llm=model, system_prompt=INSTRUCTIONS)
        return str(await agent.run(question))


if __name__ == "__main__":
    from llama_index.llms.openai import OpenAI

    print(asyncio.run(answer(sys.argv[2], OpenAI(model=sys.argv[1]))))
