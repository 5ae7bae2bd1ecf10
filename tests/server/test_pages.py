"""Files go out byte for byte, are kept as long as they may be, and bind the browser."""

from __future__ import annotations

import gzip
from importlib import resources
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from gokaku.games import NAMES
from gokaku.server import pages


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": raw})


def test_rule_files_byte_for_byte(client: httpx.Client, name: str) -> None:
    answer = client.get(f"/rules/{name}.py")
    assert answer.content == (resources.files("gokaku.games") / f"{name}.py").read_bytes()
    assert answer.headers["content-type"] == "text/x-python; charset=utf-8"
    assert "content-encoding" not in answer.headers


def test_rule_files_are_asked_for_again_and_not_sent_twice(client: httpx.Client) -> None:
    path = f"/rules/{NAMES[0]}.py"
    answer = client.get(path)
    assert answer.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"old"'}).status_code == 200


@pytest.mark.parametrize(
    "path", ["/rules/__init__.py", "/rules/../board.py", "/rules/%2e%2e/board.py", "/rules/"]
)
def test_nothing_else_is_served(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", f"/rules/{NAMES[0]}.py", "/api/v1/reply"])
def test_headers_bind_the_browser(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert "'unsafe-eval'" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_home_is_the_client_or_says_what_to_do(client: httpx.Client) -> None:
    built = (resources.files("gokaku") / "web" / "index.html").is_file()
    answer = client.get("/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    if built:
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
    else:
        assert answer.status_code == 503
        assert "make run" in answer.text


def test_a_built_client_is_served_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "web/assets").mkdir(parents=True)
    (tmp_path / "web/index.html").write_text("<!doctype html>")
    (tmp_path / "web/assets/index-Ab3_x-9z.js").write_text("let x = 1;\n" * 1000)
    (tmp_path / "web/assets/micropython-0a1b2c3d.wasm").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "web/icon.svg").write_text("<svg/>")
    (tmp_path / "web/.sources").write_text("a note of the build")
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    files = pages.client()
    assert set(files) == {
        "index.html",
        "icon.svg",
        "assets/index-Ab3_x-9z.js",
        "assets/micropython-0a1b2c3d.wasm",
    }
    kept = {path: page.cache == pages.FOR_EVER for path, page in files.items()}
    assert kept == {path: path.startswith("assets/") for path in files}
    assert files["assets/micropython-0a1b2c3d.wasm"].type == "application/wasm"
    assert files["icon.svg"].type == "image/svg+xml; charset=utf-8"
    assert files["assets/index-Ab3_x-9z.js"].type == "text/javascript; charset=utf-8"


def test_no_client_without_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    assert pages.client() == {}


def test_compression_is_offered_not_forced() -> None:
    page = pages.Page("a.js", b"let x = 1;\n" * 1000)
    plain = page.response(request())
    assert plain.body == page.body
    assert plain.headers["vary"] == "Accept-Encoding"
    packed = page.response(request(accept_encoding="br;q=1, GZIP"))
    assert gzip.decompress(bytes(packed.body)) == page.body
    assert packed.headers["etag"] != plain.headers["etag"]
    assert page.response(request(accept_encoding="gzip; q=0, br")).body == page.body
    same = page.response(request(accept_encoding="gzip", if_none_match=f'"x", W/{packed.headers["etag"]}'))
    assert same.status_code == 304


def test_what_does_not_shrink_is_not_packed() -> None:
    assert pages.Page("a.bin", bytes(range(256))).packed is None
