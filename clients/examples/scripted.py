"""What the models of the tests do instead of thinking: search with the question, then cite the best passage.

It proves that an example lists the tools, calls one and gives its result to the model, without a real model and the
internet.
"""

import json
from typing import Any

QUESTION = "How long does a terminal wait after an overloaded beacon turned it away?"
ARGUMENTS = {"query": QUESTION, "filter_release": "Rel-18", "rerank_top_k": 1, "include_section_text": False}
# What the sample corpus answers.
CITATION = "TS 38.990 v18.1.0"


def check_tools(names: list[str]) -> None:
    """Checks that the model received the tools of the server."""
    missing = {"search_text", "get_sections", "verify_quote"} - set(names)
    assert not missing, f"the model was not given {missing}"


def cite_result(text: str) -> str:
    """The answer of the model: the citation of the first passage in the result of the tool."""
    passage: dict[str, Any] = json.JSONDecoder().raw_decode(text[text.index("{") :])[0]["results"][0]
    return f"{passage['doc_type']} {passage['doc_number']} v{passage['version']}, clause {passage['section_number']}"
