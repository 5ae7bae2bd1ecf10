"""Law: the built client and the rule files go out byte for byte as the package holds them.

Everything is read once. Files whose name carries a hash of their content may be kept for ever; all else is
asked for again and answered with 304 while it is the same.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

HASHED = re.compile(r"^assets/.+-[\w-]{8}\.\w+$")  # as Vite names them
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
TEXT = ("text/", "application/json", "application/manifest", "image/svg")

MISSING = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>gokaku: no client</title>
<h1>The browser client is not built</h1>
<p>The API works (<a href="/api/v1/docs">/api/v1/docs</a>), but this installation has no page to play on.
In a checkout, <code>make run</code> builds it and starts the server; so does
<code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code> and a restart.
"""


class Page:
    """One file as it goes out. `compress` offers a gzip copy to those who accept one."""

    def __init__(self, name: str, body: bytes, compress: bool = True) -> None:
        self.body = body
        suffix = name[name.rfind(".") :].lower()
        self.type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        if self.type.startswith(TEXT):
            self.type += "; charset=utf-8"
        self.cache = FOR_EVER if HASHED.match(name) else ASK_AGAIN
        self.etag = hashlib.sha256(body).hexdigest()[:20]
        packed = gzip.compress(body, 9, mtime=0) if compress else body
        self.packed = packed if len(packed) < 0.9 * len(body) else None

    def response(self, request: Request) -> Response:
        headers = {"Cache-Control": self.cache, "ETag": f'"{self.etag}"'}
        body = self.body
        if self.packed is not None:
            headers["Vary"] = "Accept-Encoding"
            if _accepts_gzip(request.headers.get("accept-encoding", "")):
                body = self.packed
                headers |= {"Content-Encoding": "gzip", "ETag": f'"{self.etag}-gz"'}
        known = request.headers.get("if-none-match", "").replace("W/", "")
        if known == "*" or headers["ETag"] in re.split(r"\s*,\s*", known.strip()):
            headers.pop("Content-Encoding", None)
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=self.type)


def _accepts_gzip(header: str) -> bool:
    for part in header.lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def client() -> dict[str, Page]:
    """The built client's files by their path; empty where it was not built."""
    root = resources.files("gokaku") / "web"
    if not (root / "index.html").is_file():
        return {}
    return {path: Page(path, file.read_bytes()) for path, file in _walk(root, "")}


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.name.startswith("."):  # the build's own notes
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield prefix + entry.name, entry
