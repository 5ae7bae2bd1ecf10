"""Law: the API's description is made from its endpoints and types, so it says what the server does.

An OpenAPI document for programs, a page of plain HTML for people: no script, nothing from elsewhere.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from gokaku.server.api import Endpoint
from gokaku.server.errors import Error

REF = "#/components/schemas/{name}"
REFUSALS = {
    "400": "the body is not JSON, or not of this shape; a parameter that is neither true nor false",
    "413": "the body is too large",
    "422": "unknown game or opponent, malformed position, illegal move, or a game that is over",
    "503": "all engines are busy; the header Retry-After says for how many seconds",
}


def document(endpoints: Sequence[Endpoint], version: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    types = {t for e in endpoints for t in (e.takes, e.gives) if t} | {Error}
    order = sorted(types, key=lambda t: t.__name__)
    _, components = msgspec.json.schema_components(order, ref_template=REF)
    paths: dict[str, Any] = {}
    for end in endpoints:
        operation: dict[str, Any] = {"summary": end.summary, "operationId": end.handler.__name__}
        responses = {"200": {"description": "as asked", "content": _content(end.gives)}}
        if end.query:
            operation["parameters"] = [
                {
                    "name": name,
                    "in": "query",
                    "description": text,
                    "schema": {"type": "boolean", "default": default},
                }
                for name, (text, default) in end.query.items()
            ]
            responses["400"] = {"description": REFUSALS["400"], "content": _content(Error)}
        if end.takes:
            body = _content(end.takes)
            if end.example:
                body["application/json"]["example"] = end.example
            operation["requestBody"] = {"required": True, "content": body}
            for status, meaning in REFUSALS.items():
                responses[status] = {"description": meaning, "content": _content(Error)}
        operation["responses"] = responses
        paths.setdefault(end.path, {})[end.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "gokaku", "version": version, "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": paths,
        "components": {"schemas": components},
    }


def _content(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(name=kind.__name__)}}}


STYLE = """
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
pre { white-space: pre-wrap; padding: .75rem; border: 1px solid #8888; border-radius: .4rem }
code { font-family: ui-monospace, monospace }
td { padding-right: 1rem; vertical-align: top }
"""

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>gokaku: the API</title><link rel="stylesheet" href="/api/v1/docs.css">
<h1>gokaku: the API, version {version}</h1>
<p>JSON in, JSON out; nothing is kept between requests. For programs:
<a href="/api/v1/openapi.json">openapi.json</a>. Who asks wrongly gets
<code>{{"error": {{"code": ..., "message": ...}}}}</code> with one of these:</p>
<table>{refusals}</table>
{endpoints}
"""


def page(endpoints: Sequence[Endpoint], version: str) -> str:
    """The description as HTML."""
    rows = "".join(f"<tr><td>{status}<td>{html.escape(text)}" for status, text in REFUSALS.items())
    sections = "\n".join(map(_section, endpoints))
    return PAGE.format(version=html.escape(version), refusals=rows, endpoints=sections)


def _section(end: Endpoint) -> str:
    out = [f"<h2><code>{end.method} {end.path}</code></h2><p>{html.escape(end.summary)}.</p>"]
    if end.takes:
        body = json.dumps(end.example)
        call = f"curl -s localhost:8000{end.path} --json '{body}'"
        out += [f"<pre><code>{html.escape(call)}</code></pre>", "<h3>asked</h3>", _fields(end.takes)]
    for name, (text, default) in end.query.items():
        out.append(f"<p><code>?{name}={json.dumps(not default)}</code>: {html.escape(text)}</p>")
    out += ["<h3>answered</h3>", _fields(end.gives)]
    return "\n".join(out)


def _fields(kind: type[msgspec.Struct]) -> str:
    _, components = msgspec.json.schema_components([kind], ref_template=REF)
    tables = []
    for name in sorted(components, key=lambda name: name != kind.__name__):
        schema = components[name]
        rows = "".join(
            f"<tr><td><code>{field}</code><td>{html.escape(_kind(part))}<td>{html.escape(_description(part))}"
            for field, part in schema.get("properties", {}).items()
        )
        lead = html.escape(schema.get("description", ""))
        title = "" if name == kind.__name__ else f"<h4>{name}</h4>"
        tables.append(f"{title}<p>{lead}</p><table>{rows}</table>")
    return "\n".join(tables)


def _description(part: dict[str, Any]) -> str:
    """What a schema, its items or its alternatives say of themselves."""
    inner = [part, part.get("items", {}), *part.get("anyOf", ())]
    return next((text for one in inner if (text := one.get("description"))), "")


def _kind(part: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in part:
        return str(part["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in part:
        kinds = " or ".join(_kind(one) for one in part["anyOf"])
        return f"{kinds}, or left out" if "default" in part else kinds
    kind = str(part.get("type", "anything"))
    if kind == "array":
        kind = f"list of {_kind(part.get('items', {}))}"
    if "minimum" in part:
        below = part.get("exclusiveMaximum")
        kind += f", {part['minimum']} to {part['maximum'] if below is None else below - 1}"
    if part.get("default") is not None:
        kind += f" ({json.dumps(part['default'])} if left out)"
    return kind
