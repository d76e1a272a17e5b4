"""Errors carry what the server said, and what may be repeated is repeated."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import anyio
import httpx2
import pytest
from conftest import Waits

from specbox import AsyncSpecbox, Specbox, SpecboxError

BUSY = {
    "detail": {"code": "overloaded", "message": "The service is busy; retry after the given time.", "retry_after": 2}
}


def test_an_error_has_code_message_and_request_id(client: Specbox) -> None:
    with pytest.raises(SpecboxError) as caught:
        client.get_document(4_000_000)
    error = caught.value
    assert (error.status, error.code, error.can_retry) == (404, "document_not_found", False)
    assert error.message == "There is no document with ID 4000000."
    assert error.request_id and error.request_id in str(error)
    assert str(error).startswith("404 document_not_found: There is no document")


def test_every_invalid_parameter_is_named(client: Specbox) -> None:
    with pytest.raises(SpecboxError) as caught:
        client.search_text("timer", match_count=0, rerank_top_k=1000)
    assert caught.value.status == 422
    assert [fault["loc"] for fault in caught.value.detail] == [["body", "match_count"], ["body", "rerank_top_k"]]
    assert "body.match_count: " in caught.value.message


def test_a_wrong_key_is_not_retried(server: dict[str, Any]) -> None:
    with Specbox(server["url"], "sk-wrong", ca=server["ca"]) as client, pytest.raises(SpecboxError) as caught:
        client.list_documents()
    assert (caught.value.status, caught.value.message) == (401, "Invalid API key")


def test_figures_without_an_image_model_are_not_compared(client: Specbox) -> None:
    with pytest.raises(SpecboxError) as caught:
        client.similar_images("38.990", "19.0.0", 0)
    assert (caught.value.status, caught.value.code) == (404, "image_not_compared")


def test_an_unknown_authority_is_named_as_the_cause(server: dict[str, Any], monkeypatch: Any) -> None:
    monkeypatch.delenv("SPECBOX_CA")
    with Specbox(server["url"], server["key"]) as client, pytest.raises(SpecboxError, match=r"ca\.pem") as caught:
        client.health()
    assert caught.value.status is None and not caught.value.can_retry


def test_settings_come_from_the_environment(server: dict[str, Any]) -> None:
    with Specbox() as client:
        assert client.list_documents(doc_number="38.990")


def test_a_client_needs_an_address(monkeypatch: Any) -> None:
    monkeypatch.delenv("SPECBOX_URL")
    with pytest.raises(ValueError, match="SPECBOX_URL"):
        Specbox()
    with pytest.raises(ValueError, match="https"):
        Specbox("localhost:8443")


Answer = Callable[[httpx2.Request], httpx2.Response]


def ask(answers: list[Any], **settings: Any) -> tuple[Any, Waits, int]:
    """Asks a server that gives these answers in turn, in both ways; what came of it, the waits, the requests left."""
    outcomes = []
    for kind in (Specbox, AsyncSpecbox):
        left, waits = list(answers), Waits()

        def answer(request: httpx2.Request, left: list[Any] = left) -> httpx2.Response:
            following = left.pop(0)
            if isinstance(following, Exception):
                raise following
            return httpx2.Response(*following[:1], headers=following[1], json=following[2])

        client: Any = kind("https://specs.example", "sk-1", transport=httpx2.MockTransport(answer), **settings)
        client._sleep = waits if kind is Specbox else waits.later
        outcomes.append((outcome_of(client), waits, len(left), client.allowance))
    (outcome, waited, rest, allowance), (other, other_waited, other_rest, other_allowance) = outcomes
    assert (str(outcome), rest, allowance) == (str(other), other_rest, other_allowance)
    assert len(waited) == len(other_waited)
    return outcome, waited, rest


def outcome_of(client: Any) -> Any:
    async def wait() -> Any:
        return await client.list_documents()

    try:
        return anyio.run(wait) if isinstance(client, AsyncSpecbox) else client.list_documents()
    except SpecboxError as error:
        return error


def test_a_busy_server_is_asked_again_after_the_given_time() -> None:
    reply, waits, left = ask([(503, {"retry-after": "2"}, BUSY), (429, {}, BUSY), (200, {}, [])])
    assert (reply, waits, left) == ([], [2.0, 2.0], 0)


def test_without_a_time_the_waits_grow() -> None:
    reply, waits, _ = ask([(503, {}, {"detail": ""})] * 3 + [(200, {}, [])], max_retries=3)
    assert reply == []
    assert all(low <= wait <= high for wait, (low, high) in zip(waits, [(0.25, 0.5), (0.5, 1), (1, 2)], strict=True))


def test_the_last_error_is_raised_after_all_retries() -> None:
    error, waits, left = ask([(503, {"retry-after": "1", "x-request-id": "a-1"}, BUSY)] * 5)
    assert (error.code, error.retry_after, error.request_id) == ("overloaded", 1.0, "a-1")
    assert (waits, left) == ([1.0, 1.0], 2)


def test_a_wait_that_is_too_long_is_left_to_the_caller() -> None:
    error, waits, left = ask([(429, {"retry-after": "3600"}, BUSY), (200, {}, [])])
    assert (error.retry_after, waits, left) == (3600.0, [], 1)


def test_a_used_up_allowance_is_not_retried() -> None:
    quota = {"code": "api_quota_exhausted", "message": "Used up.", "reset_at": "2026-12-01T00:00:00Z"}
    error, waits, left = ask([(402, {"retry-after": "1"}, {"detail": quota}), (200, {}, [])])
    assert (error.code, error.detail["reset_at"]) == ("api_quota_exhausted", "2026-12-01T00:00:00Z")
    assert (waits, left) == ([], 1)


def test_a_server_that_cannot_be_reached_is_tried_again() -> None:
    reply, waits, _ = ask([httpx2.ConnectError("refused"), (200, {}, [])])
    assert (reply, len(waits)) == ([], 1)


def test_a_request_that_took_too_long_is_not_repeated() -> None:
    error, waits, left = ask([httpx2.ReadTimeout("late"), (200, {}, [])])
    assert (error.status, waits, left) == (None, [], 1)


def test_an_answer_of_another_server_is_an_error() -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, text="<html>"))
    with pytest.raises(SpecboxError, match="not JSON"):
        Specbox("https://proxy.example", transport=transport).list_documents()


def test_the_allowance_is_that_of_the_last_reply() -> None:
    headers = {"x-ratelimit-limit": "150", "x-ratelimit-remaining": "149", "x-ratelimit-reset": "1796083200"}
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, headers=headers, json=[]))
    client = Specbox("https://specs.example", transport=transport)
    assert client.allowance is None
    client.list_documents()
    assert client.allowance and client.allowance.remaining == 149
    assert client.allowance.reset_at == datetime(2026, 12, 1, tzinfo=UTC)
