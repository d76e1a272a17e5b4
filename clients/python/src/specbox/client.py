"""The two clients: synchronous and asynchronous."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import anyio
import httpx2

from . import types as t
from ._operations import AsyncOperations, Operations
from ._transport import (
    Allowance,
    Settings,
    body_of,
    query_of,
    read_allowance,
    read_json,
    read_reply,
    unanswered,
)
from .errors import SpecboxError

FETCH_IN_PROGRESS = "tdoc_fetch_in_progress"
# The most that one request for a module returns.
MODULE_CHARS = 10_000_000


class Specbox(Operations):
    """A connection to a server.

    Args:
        url: The address of the server. Default: the environment variable `SPECBOX_URL`.
        key: An API key (`sk-...`). Default: `SPECBOX_KEY`. Open operations need none.
        ca: The certificate authority file of the server, `ca.pem`. Default: `SPECBOX_CA`, otherwise the
            authorities that the system trusts.
        timeout: Seconds to wait for an answer.
        max_retries: How often a request is repeated if the server is busy or cannot be reached.
        max_retry_wait: A request is not repeated if the server asks for a longer wait, in seconds.
        transport: A transport of httpx2, for tests and proxies.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        ca: str | os.PathLike[str] | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        max_retry_wait: float = 60.0,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._settings = Settings.read(url, key, ca, timeout, max_retries, max_retry_wait)
        self._http = httpx2.Client(transport=transport, **self._settings.client_options())
        self._sleep: Callable[[float], None] = time.sleep
        self.allowance: Allowance | None = None
        """What is left this month, as of the last metered reply; None for plans without a limit."""

    def __repr__(self) -> str:
        return f"Specbox({self._settings.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections to the server."""
        self._http.close()

    def iter_tdoc_text(self, tdoc_id: str) -> Iterator[t.TdocBlock]:
        """Yields the text of a meeting document, block by block, however long it is."""
        offset: int | None = 0
        while offset is not None:
            text = self.get_tdoc(tdoc_id, include="text", text_offset=offset).get("text")
            yield from text["blocks"] if text else ()
            offset = text["next_offset"] if text else None

    def wait_for_tdoc(self, tdoc_id: str, *, include: str | None = None, timeout: float = 120.0) -> t.TdocRecord:
        """Fetches a meeting document, and waits until the server has read it: `fetch_tdoc` does not wait."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return self.fetch_tdoc(tdoc_id, include=include)
            except SpecboxError as error:
                self._sleep(fetch_delay(error, deadline - time.monotonic()))

    def read_module(self, doc_number: str, module: str, *, version: str | None = None) -> str:
        """Reads a whole ASN.1 module or OpenAPI file of a document."""
        parts: list[str] = []
        offset: int | None = 0
        while offset is not None:
            reply = self.get_module(
                doc_number, module=module, version=version, char_offset=offset, max_chars=MODULE_CHARS
            )
            parts.append(reply["text"] or "")
            offset = reply["next_char_offset"]
        return "".join(parts)

    def get_picture(self, figure: Mapping[str, Any]) -> bytes:
        """Returns the picture of a figure, as PNG. `figure` is anything with an `image_path`: a search result, an
        inline picture of a section."""
        return self._request_bytes("GET", picture_path(figure))

    def save_picture(self, figure: Mapping[str, Any], file: str | os.PathLike[str]) -> Path:
        """Writes the picture of a figure to a file, and returns its path."""
        path = Path(file)
        path.write_bytes(self.get_picture(figure))
        return path

    def _request_json(
        self,
        method: str,
        path: str,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
    ) -> Any:
        return read_json(self._send(method, path, query, body))

    def _request_bytes(
        self,
        method: str,
        path: str,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
    ) -> bytes:
        return self._send(method, path, query, body).content

    def _send(
        self, method: str, path: str, query: dict[str, Any] | None, body: dict[str, Any] | None
    ) -> httpx2.Response:
        attempt = 0
        while True:
            try:
                return self._send_once(method, path, query, body)
            except SpecboxError as error:
                delay = self._settings.retry_delay(attempt, error)
                if delay is None:
                    raise
                self._sleep(delay)
            attempt += 1

    def _send_once(
        self, method: str, path: str, query: dict[str, Any] | None, body: dict[str, Any] | None
    ) -> httpx2.Response:
        try:
            response = self._http.request(method, path, params=query_of(query), json=body_of(body))
        except httpx2.HTTPError as cause:
            raise unanswered(cause) from cause
        self.allowance = read_allowance(response.headers) or self.allowance
        return read_reply(response)


class AsyncSpecbox(AsyncOperations):
    """An asynchronous connection to a server, for asyncio or trio.

    The arguments are those of `Specbox`.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        ca: str | os.PathLike[str] | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        max_retry_wait: float = 60.0,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._settings = Settings.read(url, key, ca, timeout, max_retries, max_retry_wait)
        self._http = httpx2.AsyncClient(transport=transport, **self._settings.client_options())
        self._sleep: Callable[[float], Awaitable[None]] = anyio.sleep
        self.allowance: Allowance | None = None
        """What is left this month, as of the last metered reply; None for plans without a limit."""

    def __repr__(self) -> str:
        return f"AsyncSpecbox({self._settings.url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections to the server."""
        await self._http.aclose()

    async def iter_tdoc_text(self, tdoc_id: str) -> AsyncIterator[t.TdocBlock]:
        """Yields the text of a meeting document, block by block, however long it is."""
        offset: int | None = 0
        while offset is not None:
            text = (await self.get_tdoc(tdoc_id, include="text", text_offset=offset)).get("text")
            for block in text["blocks"] if text else ():
                yield block
            offset = text["next_offset"] if text else None

    async def wait_for_tdoc(self, tdoc_id: str, *, include: str | None = None, timeout: float = 120.0) -> t.TdocRecord:
        """Fetches a meeting document, and waits until the server has read it: `fetch_tdoc` does not wait."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return await self.fetch_tdoc(tdoc_id, include=include)
            except SpecboxError as error:
                await self._sleep(fetch_delay(error, deadline - time.monotonic()))

    async def read_module(self, doc_number: str, module: str, *, version: str | None = None) -> str:
        """Reads a whole ASN.1 module or OpenAPI file of a document."""
        parts: list[str] = []
        offset: int | None = 0
        while offset is not None:
            reply = await self.get_module(
                doc_number, module=module, version=version, char_offset=offset, max_chars=MODULE_CHARS
            )
            parts.append(reply["text"] or "")
            offset = reply["next_char_offset"]
        return "".join(parts)

    async def get_picture(self, figure: Mapping[str, Any]) -> bytes:
        """Returns the picture of a figure, as PNG. `figure` is anything with an `image_path`: a search result, an
        inline picture of a section."""
        return await self._request_bytes("GET", picture_path(figure))

    async def save_picture(self, figure: Mapping[str, Any], file: str | os.PathLike[str]) -> Path:
        """Writes the picture of a figure to a file, and returns its path."""
        picture = await self.get_picture(figure)
        await anyio.Path(file).write_bytes(picture)
        return Path(file)

    async def _request_json(
        self,
        method: str,
        path: str,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
    ) -> Any:
        return read_json(await self._send(method, path, query, body))

    async def _request_bytes(
        self,
        method: str,
        path: str,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
    ) -> bytes:
        return (await self._send(method, path, query, body)).content

    async def _send(
        self, method: str, path: str, query: dict[str, Any] | None, body: dict[str, Any] | None
    ) -> httpx2.Response:
        attempt = 0
        while True:
            try:
                return await self._send_once(method, path, query, body)
            except SpecboxError as error:
                delay = self._settings.retry_delay(attempt, error)
                if delay is None:
                    raise
                await self._sleep(delay)
            attempt += 1

    async def _send_once(
        self, method: str, path: str, query: dict[str, Any] | None, body: dict[str, Any] | None
    ) -> httpx2.Response:
        try:
            response = await self._http.request(method, path, params=query_of(query), json=body_of(body))
        except httpx2.HTTPError as cause:
            raise unanswered(cause) from cause
        self.allowance = read_allowance(response.headers) or self.allowance
        return read_reply(response)


def picture_path(figure: Mapping[str, Any]) -> str:
    path = figure.get("image_path")
    if not isinstance(path, str) or not path.startswith("/"):
        raise ValueError("this figure has no picture: its image_path is null")
    return path


def fetch_delay(error: SpecboxError, left_s: float) -> float:
    """Seconds to wait before asking again whether a document was read; raises any error except a running fetch."""
    if error.code != FETCH_IN_PROGRESS:
        raise error
    delay = error.retry_after or 1.0
    if delay > left_s:
        raise error
    return delay
