"""Law: whoever asks wrongly is told what was wrong and what is expected; every refusal is one of these.

A refusal goes out as {"error": {"code": ..., "message": ...}}. Codes are for programs and stay as they are;
messages are for people and may change.
"""

from __future__ import annotations

import msgspec
from starlette.responses import Response


class ErrorBody(msgspec.Struct):
    """What was wrong: one word for programs, a sentence for people."""

    code: str
    message: str


class Error(msgspec.Struct):
    error: ErrorBody


class Problem(Exception):
    """A request that is not answered as asked. `retry_after` is in seconds."""

    def __init__(
        self, status: int, code: str, message: str, *, retry_after: int = 0, allow: str = ""
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers: dict[str, str] = {}
        if retry_after:
            self.headers["Retry-After"] = str(retry_after)
        if allow:
            self.headers["Allow"] = allow

    def response(self) -> Response:
        body = msgspec.json.encode(Error(ErrorBody(self.code, self.message)))
        return Response(body, self.status, self.headers | {"Cache-Control": "no-store"}, "application/json")
