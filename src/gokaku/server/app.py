"""Law: all wiring is here. What answers which address, and what lives as long as the server does."""

from __future__ import annotations

import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

import gokaku
from gokaku import chain
from gokaku.chain.networks import deployments
from gokaku.games import NAMES
from gokaku.server import openapi, pages
from gokaku.server.api import Api, Endpoint, endpoints
from gokaku.server.errors import Problem
from gokaku.server.manners import Manners
from gokaku.server.pool import Pool
from gokaku.server.settings import Settings

log = logging.getLogger("gokaku.server")

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def create_app(settings: Settings) -> ASGIApp:
    """The ASGI application; its lifespan starts and ends the engines' processes."""
    pool = Pool(settings.workers, settings.queue, warm=settings.warm, solve=settings.solve)
    api = Api(pool, deployments(settings.chain))
    table = endpoints(api)
    addresses = ", ".join(f"{end.method} {end.path}" for end in table)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool.start()
        gc.freeze()  # what is here now stays; looking through it would hold a reply up for tens of ms
        try:
            yield
        finally:
            await pool.stop()

    async def refuse(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "")
            text = f"{request.method} is not possible at {request.url.path}; possible: {allowed}"
            error = Problem(405, "wrong_method", text, allow=allowed)
        elif isinstance(error, HTTPException):
            text = f"there is nothing at {request.url.path}; the API is {addresses}; see {DOCS}"
            error = Problem(404, "not_found", text)
        elif not isinstance(error, Problem):
            error = Problem(500, "internal", "the server made a mistake; it has been written to its log")
        return error.response()

    app = Starlette(
        routes=[
            *(Route(end.path, json_answer(end), methods=[end.method]) for end in table),
            *described(table, api.version),
            *rule_files(),
            *compiled_contract(),
            *client_files(),
        ],
        exception_handlers={Problem: refuse, HTTPException: refuse, Exception: refuse},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return Manners(app)


DOCS = "/api/v1/docs"


def json_answer(end: Endpoint) -> Handler:
    async def handle(request: Request) -> Response:
        body = msgspec.json.encode(await end.handler(request))
        return Response(body, headers={"Cache-Control": "no-store"}, media_type="application/json")

    return handle


def described(table: tuple[Endpoint, ...], version: str) -> list[Route]:
    document = msgspec.json.encode(openapi.document(table, version))
    page = openapi.page(table, version)

    async def as_json(request: Request) -> Response:
        return Response(document, media_type="application/json")

    async def as_page(request: Request) -> Response:
        return HTMLResponse(page)

    style = route(DOCS + ".css", pages.Page("docs.css", openapi.STYLE.encode()))
    return [Route("/api/v1/openapi.json", as_json), Route(DOCS, as_page), style]


def rule_files() -> list[Route]:
    files = {name: gokaku.game(name).source for name in NAMES}
    return [route(f"/rules/{n}.py", pages.Page(f"{n}.py", file, compress=False)) for n, file in files.items()]


def compiled_contract() -> list[Route]:
    try:
        return [route("/chain/solo.json", pages.Page("solo.json", chain.contract_file()))]
    except chain.NotBuilt as error:
        log.warning("%s; the page cannot offer the opponent on the chain", error)
        return []


def client_files() -> list[Route]:
    files = pages.client()
    if not files:
        log.warning("the browser client is not built; / says what to do")

        async def missing(request: Request) -> Response:
            return HTMLResponse(pages.MISSING, 503, {"Cache-Control": "no-store"})

        return [Route("/", missing), Route("/index.html", missing)]
    return [route("/", files["index.html"]), *(route(f"/{path}", page) for path, page in files.items())]


def route(path: str, page: pages.Page) -> Route:
    async def get(request: Request) -> Response:
        return page.response(request)

    return Route(path, get)
