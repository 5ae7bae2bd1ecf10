"""Law: from settings to a listening server and back to the shell, with nothing left behind."""

from __future__ import annotations

import signal
import socket
import sys

import uvicorn

from gokaku.server import log
from gokaku.server.app import create_app
from gokaku.server.guard import Guarded
from gokaku.server.settings import Settings

SHUTDOWN_S = 8  # questions in work may end; then their connections are cut
MAX_MESSAGE = 64 * 1024  # bytes of a WebSocket message


class Announced(uvicorn.Server):
    """A server that says where it listens, once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            for one in sockets or ():
                print(f"gokaku listens on {address(one)}", flush=True)  # noqa: T201 -- people and scripts read it


def address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises OSError, naming the address."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, target = found[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(target)
    except OSError as error:
        reason = error.strerror or error
        raise OSError(f"cannot listen on {host} port {port}: {reason}") from None
    return listener


def serve(settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT; the exit status: 0, or 1 when the server could not start."""
    log.set_up(settings.log_level)
    listener = listen(settings.host, settings.port)
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        http=Guarded,
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    server = Announced(config)
    # uvicorn raises the signal that ended it once more; by then there is nothing left to end.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    with listener:
        server.run(sockets=[listener])
    return 0 if server.started else 1


if __name__ == "__main__":
    from gokaku.server import run

    sys.exit(run())
