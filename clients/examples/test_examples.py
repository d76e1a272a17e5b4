"""The examples of the frameworks against a real server, each with a model that follows a script."""

import asyncio
import importlib.util
import json

import pytest
from scripted import ARGUMENTS, CITATION, QUESTION, check_tools, cite_result


def needs(package: str) -> pytest.MarkDecorator:
    """Frameworks that cannot be installed together are tested one after another; scripts/check-clients tests all."""
    try:
        is_missing = importlib.util.find_spec(package) is None
    except ModuleNotFoundError:
        is_missing = True
    return pytest.mark.skipif(is_missing, reason=f"{package} is not installed here")


@needs("mcp_types")
def test_mcp_sdk() -> None:
    from mcp_sdk import answer

    found = asyncio.run(answer(QUESTION))
    check_tools(found["tools"])
    assert any(passage["doc_number"] == "38.990" for passage in found["passages"])
    assert "How to cite" in found["guide"]


@needs("langchain_mcp_adapters")
def test_langchain() -> None:
    from langchain_agent import answer
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Scripted(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, tools, **_):
            check_tools([tool.name for tool in tools])
            return self

        def _generate(self, messages, stop=None, run_manager=None, **_):
            last = messages[-1]
            if isinstance(last, ToolMessage):
                reply = AIMessage(cite_result(last.text))
            else:
                reply = AIMessage("", tool_calls=[{"name": "search_text", "args": ARGUMENTS, "id": "1"}])
            return ChatResult(generations=[ChatGeneration(message=reply)])

    assert CITATION in asyncio.run(answer(QUESTION, Scripted()))


@needs("pydantic_ai")
def test_pydantic_ai() -> None:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai_agent import answer

    def follow_script(messages, info):
        check_tools([tool.name for tool in info.function_tools])
        assert "search_text" in info.instructions, "the instructions of the server are missing"
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if returned:
            return ModelResponse(parts=[TextPart(cite_result(returned[0].model_response_str()))])
        return ModelResponse(parts=[ToolCallPart("search_text", ARGUMENTS)])

    assert CITATION in asyncio.run(answer(QUESTION, FunctionModel(follow_script)))


@needs("agents")
def test_openai_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    from agents import Model, ModelResponse, Usage, set_tracing_disabled
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
    from openai_agents import answer

    class Scripted(Model):
        async def get_response(self, system_instructions, input, model_settings, tools, *_, **__):
            check_tools([tool.name for tool in tools])
            last = input[-1] if isinstance(input, list) else {}
            if last.get("type") == "function_call_output":
                output = last["output"]
                text = cite_result(output if isinstance(output, str) else output[0]["text"])
                content = ResponseOutputText(text=text, type="output_text", annotations=[])
                reply = ResponseOutputMessage(
                    id="2", content=[content], role="assistant", status="completed", type="message"
                )
            else:
                arguments = json.dumps(ARGUMENTS)
                reply = ResponseFunctionToolCall(
                    call_id="1", name="search_text", arguments=arguments, type="function_call"
                )
            return ModelResponse(output=[reply], usage=Usage(), response_id=None)

        def stream_response(self, *_, **__):
            raise NotImplementedError

    # The SDK otherwise sends traces to OpenAI.
    set_tracing_disabled(True)
    assert CITATION in asyncio.run(answer(QUESTION, Scripted()))


@needs("llama_index.tools.mcp")
def test_llamaindex() -> None:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
    from llama_index.core.llms.mock import MockFunctionCallingLLM
    from llamaindex_agent import answer

    def follow_script(messages, **given):
        check_tools([tool.metadata.name for tool in given["tools"]])
        last = messages[-1]
        if last.role == MessageRole.TOOL:
            return ChatMessage(role="assistant", content=cite_result(last.content))
        call = ToolCallBlock(tool_call_id="1", tool_name="search_text", tool_kwargs=ARGUMENTS)
        return ChatMessage(role="assistant", blocks=[call])

    model = MockFunctionCallingLLM(response_generator=follow_script, is_chat_model=True)
    assert CITATION in asyncio.run(answer(QUESTION, model))
