"""What both clients share: settings, requests, and the decision whether to retry."""

from __future__ import annotations

import json
import os
import random
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote

import httpx2

from .errors import SpecboxError

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 8.0
# Failures before the server has begun to answer.
UNANSWERED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError)

try:
    VERSION = version("specbox")
except PackageNotFoundError:  # run from its folder
    VERSION = "0"


@dataclass(frozen=True)
class Allowance:
    """The requests of an account in this calendar month (UTC), as of the last reply."""

    limit: int
    remaining: int
    reset_at: datetime


@dataclass(frozen=True)
class Settings:
    """The address of a server, credentials, timeouts and retries."""

    url: str
    key: str | None
    ca: str | os.PathLike[str] | None
    timeout: float
    max_retries: int
    max_retry_wait: float

    @classmethod
    def read(
        cls,
        url: str | None,
        key: str | None,
        ca: str | os.PathLike[str] | None,
        timeout: float,
        max_retries: int,
        max_retry_wait: float,
    ) -> Settings:
        """The given settings, completed from the environment."""
        url = url or os.environ.get("SPECBOX_URL")
        if not url:
            raise ValueError("no server: pass url, or set SPECBOX_URL")
        if not url.startswith(("https://", "http://")):
            raise ValueError(f"{url!r} is not the address of a server; it begins with https://")
        return cls(
            url.rstrip("/"),
            key or os.environ.get("SPECBOX_KEY") or None,
            ca or os.environ.get("SPECBOX_CA") or None,
            timeout,
            max_retries,
            max_retry_wait,
        )

    def client_options(self) -> dict[str, Any]:
        """The options of an HTTP client. It follows no redirects: the key is for this server only."""
        headers = {"user-agent": f"specbox-python/{VERSION}", "accept": "application/json, image/*"}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        options: dict[str, Any] = {
            "base_url": self.url,
            "headers": headers,
            "timeout": self.timeout,
            "follow_redirects": False,
        }
        if self.ca:
            options["verify"] = ssl.create_default_context(cafile=os.fspath(self.ca))
        return options

    def retry_delay(self, attempt: int, error: SpecboxError) -> float | None:
        """Seconds to wait after this failed attempt, counted from 0; None if it was the last one."""
        if attempt >= self.max_retries or not error.can_retry:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.max_retry_wait else None
        delay = min(FIRST_DELAY_S * float(2**attempt), LONGEST_DELAY_S)
        return min(delay * random.uniform(0.5, 1.0), self.max_retry_wait)


def quote_segment(value: object) -> str:
    """A value as one segment of a path: `RAN1#118` must not become a fragment, nor a slash a path."""
    return quote(str(value), safe="")


def query_of(values: dict[str, Any] | None) -> dict[str, str]:
    """Parameters in the form of a query string; parameters that are None get the defaults of the server."""
    return {name: query_value(value) for name, value in (values or {}).items() if value is not None}


def query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(str(item) for item in value)
    return str(value)


def body_of(values: dict[str, Any] | None) -> dict[str, Any] | None:
    """The body of a request; None if the operation has no body."""
    if values is None:
        return None
    return {name: value for name, value in values.items() if value is not None}


def read_reply(response: httpx2.Response) -> httpx2.Response:
    """A reply that answers the request; raises the error otherwise. 202 means that a fetch is still running."""
    if response.status_code == 200:
        return response
    try:
        body: Any = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        body = response.text
    raise SpecboxError.from_reply(response.status_code, response.headers, body)


def read_json(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except (json.JSONDecodeError, UnicodeDecodeError) as cause:
        message = "The answer is not JSON: the address may not be that of a specbox server."
        raise SpecboxError(message, status=response.status_code) from cause


def unanswered(cause: httpx2.HTTPError) -> SpecboxError:
    """The error for a request that was not answered."""
    name = type(cause).__name__
    message = f"The server did not answer ({name}: {cause})."
    if "CERTIFICATE_VERIFY_FAILED" in str(cause):
        message = (
            f"The certificate of the server is not trusted: pass its file ca.pem as ca, or set SPECBOX_CA. ({cause})"
        )
        return SpecboxError(message)
    return SpecboxError(message, can_retry=isinstance(cause, UNANSWERED))


def read_allowance(headers: Mapping[str, str]) -> Allowance | None:
    """The allowance in the headers of a metered reply; None for plans without a limit."""
    try:
        reset_at = datetime.fromtimestamp(int(headers["x-ratelimit-reset"]), UTC)
        limit, remaining = headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]
        return Allowance(int(limit), int(remaining), reset_at)
    except (KeyError, ValueError, OverflowError, OSError):
        return None
