"""The server: HTTP at the edge, rules in the middle, engines in processes of their own; app.py wires them."""

from __future__ import annotations

from typing import Any


def run(
    host: str | None = None,
    port: int | None = None,
    workers: int | None = None,
    queue: int | None = None,
    **more: Any,
) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status. What is None comes from GOKAKU_* or a default.

    Raises ValueError for a setting out of range, OSError where the address cannot be had.
    """
    from gokaku.server.serve import serve
    from gokaku.server.settings import Settings

    return serve(Settings.read(host=host, port=port, workers=workers, queue=queue, **more))


def create_app(**settings: Any) -> Any:
    """The ASGI application, for a server of your own; engines start and end with its lifespan."""
    from gokaku.server.app import create_app
    from gokaku.server.settings import Settings

    return create_app(Settings.read(**settings))
