"""Pages, pictures, long texts and citations, against a real server."""

import inspect
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from conftest import Waits, examples, python_arguments

from specbox import AsyncSpecbox, Specbox, SpecboxError, cite

# What yields each list of an operation, and the field of the reply that has the list.
PAGES = {
    "compare_documents": ("iter_section_differences", "sections"),
    "compare_sections": ("iter_changed_sections", "sections"),
    "list_changes": ("iter_changes", "changes"),
    "list_tdocs": ("iter_tdocs", "items"),
    "list_meetings": ("iter_meetings", "items"),
    "list_meeting_decisions": ("iter_meeting_decisions", "items"),
    "search_decisions": ("iter_decisions", "items"),
    "list_names": ("iter_names", "names"),
    "list_name_findings": ("iter_name_findings", "findings"),
    "get_change_request": ("iter_revised_clauses", "sections"),
}
# Filters of the examples that leave one item are left out, so that there are several pages.
FILTERS = {"q", "kind", "until"}


def test_every_iterator_is_tested() -> None:
    iterators = {name for name, _ in inspect.getmembers(Specbox) if name.startswith("iter_")}
    assert iterators == {name for name, _ in PAGES.values()} | {"iter_tdoc_text"}


@pytest.mark.parametrize("operation", PAGES)
def test_pages_join_to_the_whole_list(client: Specbox, server: dict[str, Any], operation: str) -> None:
    iterator, field = PAGES[operation]
    parameters = python_arguments(examples()[operation])
    parameters = {name: value for name, value in parameters.items() if name not in FILTERS | {"limit"}}
    whole = getattr(client, operation)(**parameters, limit=200)[field]
    assert whole
    assert list(getattr(client, iterator)(**parameters, limit=1)) == whole
    if operation not in ("list_meetings", "compare_sections"):
        assert len(whole) > 1, "one page is no test of pages"

    async def awaited() -> list[Any]:
        async with AsyncSpecbox(**server) as other:
            return [item async for item in getattr(other, iterator)(**parameters, limit=1)]

    assert anyio.run(awaited) == whole


def test_a_long_text_is_read_to_its_end(client: Specbox, server: dict[str, Any], monkeypatch: Any) -> None:
    whole = client.get_tdoc("R1-2600110", include="text").get("text")
    assert whole and len(whole["blocks"]) > 3
    ask = client.get_tdoc
    monkeypatch.setattr(client, "get_tdoc", lambda *a, **b: ask(*a, **b, max_text_chars=1))
    short = [block["anchor"] for block in client.iter_tdoc_text("R1-2600110")]
    assert short == [block["anchor"] for block in whole["blocks"]]

    async def awaited() -> list[str]:
        async with AsyncSpecbox(**server) as other:
            return [block["anchor"] async for block in other.iter_tdoc_text("R1-2600110")]

    assert anyio.run(awaited) == short


def test_a_module_is_read_whole(client: Specbox) -> None:
    modules = client.get_module("29.990")["modules"]
    text = client.read_module("29.990", modules[0]["name"])
    assert text.startswith("openapi: ")


def test_pictures_are_written_to_files(client: Specbox, server: dict[str, Any], tmp_path: Path) -> None:
    figure = client.search_images("states of a link")["results"][0]
    file = client.save_picture(figure, tmp_path / "figure.png")
    picture = file.read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert picture == client.get_image(figure["doc_number"], figure["version"], figure["id"])

    async def awaited() -> bytes:
        async with AsyncSpecbox(**server) as other:
            return (await other.save_picture(figure, tmp_path / "again.png")).read_bytes()

    assert anyio.run(awaited) == picture
    with pytest.raises(ValueError, match="no picture"):
        client.get_picture({**figure, "image_path": None})


def test_a_running_fetch_is_waited_for() -> None:
    running = {"code": "tdoc_fetch_in_progress", "message": "It is being fetched.", "retry_after": 3}
    answers = [(202, {"detail": running}), (202, {"detail": running}), (200, {"tdoc_id": "R1-1"})]
    left, waits = list(answers), Waits()

    def answer(_: httpx2.Request) -> httpx2.Response:
        status, body = left.pop(0)
        return httpx2.Response(status, json=body)

    client = Specbox("https://specs.example", transport=httpx2.MockTransport(answer))
    client._sleep = waits
    assert client.wait_for_tdoc("R1-1")["tdoc_id"] == "R1-1"
    assert waits == [3.0, 3.0]
    left[:] = list(answers)
    with pytest.raises(SpecboxError) as caught:
        client.wait_for_tdoc("R1-1", timeout=1)
    assert (caught.value.status, caught.value.code) == (202, "tdoc_fetch_in_progress")


def test_fetched_documents_are_returned_at_once(client: Specbox) -> None:
    assert client.wait_for_tdoc("R1-2600104")["content"]["status"] == "complete"


def test_citations_are_those_of_the_guide_for_agents(client: Specbox) -> None:
    passage = client.search_text("terminal turned away by an overloaded beacon", filter_release="Rel-18")["results"][0]
    assert cite(passage).startswith("TS 38.990 v18.1.0 (Rel-18), clause ")
    figure = client.search_images("states of a link", filter_release="Rel-19")["results"][0]
    assert cite(figure) == "TS 38.990 v19.0.0 (Rel-19), clause 4.2.1, Figure 4.2.1-1"
    section = client.get_sections("3.2", doc_number="38.990", version="19.0.0")[0]
    assert cite(section) == "38.990 v19.0.0 (Rel-19), clause 3.2"
    assert cite(section, doc_type="TS") == "TS 38.990 v19.0.0 (Rel-19), clause 3.2"
    tdoc = client.get_tdoc("R1-2600104")
    assert cite(tdoc) == 'R1-2600104, Example Radio, "On waiting times after beacon overload", RAN1#190'
    decision = client.list_meeting_decisions("R1-190", q="waiting time after a refusal")["items"][0]
    assert cite(decision) == (
        "agreement of R1-190, Final_Minutes_report_RAN1#190_v100, Final_Minutes_report_RAN1#190_v100.docx#p21"
    )
    assert cite(client.search_decisions(q="waiting time")["items"][0]).startswith("agreement of RAN1#190, ")
    for occurrence in client.verify_quote("inform upper layers about the failure")["occurrences"]:
        assert occurrence["section_number"] and cite(occurrence).endswith(f"clause {occurrence['section_number']}")


@pytest.mark.parametrize(
    ("section", "cited"),
    [
        ({"section_number": "A"}, "annex A"),
        ({"section_number": "A.1.2"}, "clause A.1.2"),
        ({"section_number": "5.3.1.4a"}, "clause 5.3.1.4a"),
        ({"section_number": "BWP", "clause": "6.3.2"}, "clause 6.3.2"),
        ({"section_number": "Foreword"}, '"Foreword"'),
    ],
)
def test_sections_are_cited_as_3gpp_does(section: dict[str, str], cited: str) -> None:
    assert cite({"doc_number": "38.331", **section}) == f"38.331, {cited}"


def test_what_names_no_document_is_not_cited() -> None:
    with pytest.raises(ValueError, match="cited"):
        cite({"text": "38.331"})
