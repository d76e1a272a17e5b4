"""The error that this package raises if a request fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Statuses after which the same request may succeed.
TEMPORARY_STATUSES = frozenset({429, 503})


class SpecboxError(Exception):
    """A request that was not answered: rejected by the server, or never received by it.

    Programs check `code`; `message` is a sentence for people.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        detail: Any = None,
        can_retry: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """The HTTP status; None if the server was not reached."""
        self.code = code
        """The code of the error, such as `tdoc_not_indexed`; None for errors that have none (401, 404, 422)."""
        self.request_id = request_id
        """The ID of the request in the server log; pass it on to the operator."""
        self.retry_after = retry_after
        """Seconds to wait before the next attempt, if the server gave a number."""
        self.detail = detail
        """`detail` as the server sent it: a string, an object, or the list of all invalid parameters (422)."""
        self.can_retry = can_retry
        """Whether the same request may succeed later. The client has already retried it."""

    def __str__(self) -> str:
        head = " ".join(str(part) for part in (self.status, self.code) if part is not None)
        text = f"{head}: {self.message}" if head else self.message
        return f"{text} (request {self.request_id})" if self.request_id else text

    @classmethod
    def from_reply(cls, status: int, headers: Mapping[str, str], body: Any) -> SpecboxError:
        """The error that a reply describes; `body` is its JSON, or its text if it does not come from specbox."""
        detail = body.get("detail", body) if isinstance(body, dict) else body
        fields: dict[str, Any] = detail if isinstance(detail, dict) else {}
        retry_after = read_seconds(headers.get("retry-after"))
        if retry_after is None:
            retry_after = read_seconds(fields.get("retry_after"))
        code = fields.get("code")
        return cls(
            describe(detail) or f"The server answered with status {status}.",
            status=status,
            code=code,
            request_id=headers.get("x-request-id"),
            retry_after=retry_after,
            detail=detail,
            can_retry=status in TEMPORARY_STATUSES or code == "search_unavailable",
        )


def describe(detail: Any) -> str:
    """Returns the error as one string."""
    if isinstance(detail, dict):
        return str(detail.get("message", ""))
    if isinstance(detail, list):
        faults = [fault for fault in detail if isinstance(fault, dict)]
        return "; ".join(f"{locate(fault)}: {fault.get('msg', '')}" for fault in faults)
    return str(detail or "")[:500]


def locate(fault: dict[str, Any]) -> str:
    return ".".join(str(part) for part in fault.get("loc", []))


def read_seconds(value: Any) -> float | None:
    """A number of seconds; `Retry-After` may also be a date, which this server never sends."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None
