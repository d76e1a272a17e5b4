"""Citations of results, in the form that the guide for agents asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

NUMBERED = re.compile(r"\d|[A-Z]{1,2}\.\d")
ANNEX = re.compile(r"[A-Z]{1,2}")
CAPTION_NUMBER = re.compile(r"(?:Figure|Table)\s+[\w.-]*\w")


def cite(result: Mapping[str, Any], *, doc_type: str | None = None) -> str:
    """Cites a result: a passage, section, figure or definition of a specification, a meeting document or a passage of
    one, a decision, an occurrence of a quote.

    Everything in the citation is copied from the result. Sections have no document type; pass `doc_type` if you know
    it.

    >>> cite({"doc_number": "38.331", "doc_type": "TS", "version": "18.1.0", "release": "Rel-18",
    ...       "section_number": "5.3.5.3"})
    'TS 38.331 v18.1.0 (Rel-18), clause 5.3.5.3'
    """
    if result.get("decision_id"):
        return cite_decision(result)
    if result.get("doc_number"):
        return cite_specification(result, doc_type or result.get("doc_type"))
    if result.get("tdoc_id"):
        return cite_tdoc(result)
    if result.get("meeting_id"):
        return join(result["meeting_id"], result.get("title"), result.get("anchor"))
    raise ValueError("this is not a result that can be cited: it names no document and no decision")


def cite_specification(result: Mapping[str, Any], doc_type: str | None) -> str:
    document = f"{doc_type} {result['doc_number']}" if doc_type else str(result["doc_number"])
    if result.get("version"):
        document += f" v{result['version']}"
    if result.get("release"):
        document += f" ({result['release']})"
    number = CAPTION_NUMBER.match(result.get("caption") or "")
    return join(document, name_section(result), number and number[0])


def name_section(result: Mapping[str, Any]) -> str | None:
    """The section as 3GPP cites it: by its number, or else the nearest numbered clause, or else by its title."""
    section = result.get("clause") or result.get("section_number")
    if not section:
        return None
    if NUMBERED.match(section):
        return f"clause {section}"
    return f"annex {section}" if ANNEX.fullmatch(section) else f'"{section}"'


def cite_tdoc(result: Mapping[str, Any]) -> str:
    sources = [source["display_name"] for source in result.get("sources") or []]
    title = f'"{result["title"]}"' if result.get("title") else None
    labels = result.get("unit_labels") or []
    return join(result["tdoc_id"], *sources, title, meeting_name(result), *labels, result.get("anchor"))


def cite_decision(result: Mapping[str, Any]) -> str:
    kind = str(result["decision_type"]).replace("_", " ")
    meeting = meeting_name(result) or str(result["decision_id"]).rpartition("-")[0]
    source = result.get("source") or {}
    return join(f"{kind} of {meeting}", source.get("title"), source.get("anchor"))


def meeting_name(result: Mapping[str, Any]) -> str | None:
    meeting = result.get("meeting")
    if isinstance(meeting, Mapping):
        return meeting.get("name") or meeting.get("meeting_id")
    return result.get("meeting_id")


def join(*parts: str | None) -> str:
    return ", ".join(part for part in parts if part)
