"""Law: a connection that never comes to its point is closed; the head of a request has a length and a time.

uvicorn bounds neither with its fast parser. Bodies are bounded where they are read (api.py).
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD = 32 * 1024  # bytes; one read (256 KiB) may go beyond before it is seen
HEAD_S = 10.0

TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Guarded(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 protocol with these two bounds."""

    head_bytes = 0
    head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._end()
        self._begin()

    def on_headers_complete(self) -> None:
        self._end()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.head_timer is not None:
            self.head_bytes += len(data)
            if self.head_bytes > MAX_HEAD and not self.transport.is_closing():
                self.transport.write(TOO_LONG)
                self.transport.close()

    def _begin(self) -> None:
        self.head_bytes = 0
        self.head_timer = self.loop.call_later(HEAD_S, self._too_slow)

    def _end(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None

    def _too_slow(self) -> None:
        self.transport.close()
