"""The description says what the server does."""

from __future__ import annotations

import re
from typing import Any

import httpx


def references(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*map(references, part.values()))
    return set().union(*map(references, part)) if isinstance(part, list) else set()


def test_every_reference_leads_somewhere(client: httpx.Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    names = {ref.removeprefix("#/components/schemas/") for ref in references(document)}
    assert names == set(document["components"]["schemas"])


def test_every_described_operation_answers(client: httpx.Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            body = None
            if "requestBody" in operation:
                body = operation["requestBody"]["content"]["application/json"]["example"]
            answer = client.request(method.upper(), path, json=body)
            assert answer.status_code == 200, answer.text
            reference = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
            schema = document["components"]["schemas"][reference.rpartition("/")[2]]
            assert set(answer.json()) == set(schema["properties"])


def test_the_page_needs_nothing_from_elsewhere(client: httpx.Client) -> None:
    answer = client.get("/api/v1/docs")
    assert answer.headers["content-type"].startswith("text/html")
    assert "<script" not in answer.text
    assert "style=" not in answer.text
    assert "<style" not in answer.text
    (style,) = re.findall(r'rel="stylesheet" href="([^"]+)"', answer.text)
    assert client.get(style).headers["content-type"].startswith("text/css")
    assert not re.findall(r"(?:src|href)=\"(?!/)", answer.text)
    assert "POST /api/v1/reply" in answer.text
