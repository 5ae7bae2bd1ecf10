"""Law: the process that thinks. It takes a job, runs it, sends the result, and has nothing else to do.

    python -m gokaku.server.worker FD answer    jobs come in through the socket FD, results go out
    python -m gokaku.server.worker FD plain     the same, but without loading kernels
    python -m gokaku.server.worker FD warm      compile every game's kernels into the cache, report each, end

A frame is a length (4 bytes, big-endian) and a pickle; both ends are this program. The process ends when the
socket does, so it never outlives the server. Signals are the server's business (Ctrl-C reaches the group).
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import select
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

from gokaku.games import NAMES
from gokaku.server.log import set_up

log = logging.getLogger("gokaku.worker")

HEAD = struct.Struct(">I")
IDLE_S = 0.25  # so often an idle worker looks whether more kernels have been compiled


def pack(value: Any) -> bytes:
    data = pickle.dumps(value)
    return HEAD.pack(len(data)) + data


def unpack(data: bytes) -> Any:
    return pickle.loads(data)  # noqa: S301 -- the other end is this program


def read(inbox: BinaryIO) -> Any:
    """The next frame's value. Raises EOFError when the other end has gone."""
    head = inbox.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    return unpack(inbox.read(*HEAD.unpack(head)))


def run(job: tuple[Any, tuple[Any, ...]]) -> tuple[bool, Any]:
    """(True, result) or (False, exception) of a job (function, arguments)."""
    function, arguments = job
    try:
        return True, function(*arguments)
    except ValueError as error:  # how the rules and the opponents refuse
        return False, error
    except Exception as error:
        log.exception("%s failed", getattr(function, "__name__", function))
        return False, error


def answer_jobs(line: socket.socket, kernels: bool = True) -> None:
    cold = list(NAMES) if kernels else []
    inbox = line.makefile("rb")
    line.sendall(pack("ready"))
    while True:
        wait = 0.0
        while cold and not select.select([line], [], [], wait)[0]:
            still = load_one(cold)
            wait = IDLE_S if still == cold else 0.0
            cold = still
        out = run(read(inbox))
        try:
            data = pack(out)
        except Exception as error:  # noqa: BLE001 -- whatever it was, it cannot be sent
            data = pack((False, RuntimeError(f"{error} (of {out[1]!r})")))
        line.sendall(data)


def load_one(cold: list[str]) -> list[str]:
    """Load the kernels of the first game whose kernels are in the cache; the games that are still to load."""
    from gokaku.server import engine

    for name in cold:
        try:
            if not engine.ready(name):
                continue
            engine.warm(name)
        except Exception:  # a worker without kernels still answers
            log.exception("the kernels of %s could not be loaded", name)
        return [other for other in cold if other != name]
    return cold


def warm_all(line: socket.socket) -> None:
    """Compile, at the lowest priority: whoever plays meanwhile comes first."""
    os.nice(10)
    from gokaku.server import engine

    failed = False
    for name in NAMES:
        try:
            engine.warm(name)
        except Exception:
            log.exception("the kernels of %s could not be compiled", name)
            failed = True
        else:
            line.sendall(pack(name))
    sys.exit(failed)


def leave_with(parent: int) -> None:
    """End this process when its parent has ended, even in the midst of a long job."""
    while os.getppid() == parent:
        threading.Event().wait(1)
    os._exit(1)


ROLES: dict[str, Callable[[socket.socket], None]] = {
    "answer": answer_jobs,
    "plain": partial(answer_jobs, kernels=False),
    "warm": warm_all,
}


def main() -> None:
    set_up(os.environ.get("GOKAKU_LOG_LEVEL", "info"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=leave_with, args=(os.getppid(),), daemon=True).start()
    line = socket.socket(fileno=int(sys.argv[1]))
    with contextlib.suppress(EOFError, ConnectionError):
        ROLES[sys.argv[2]](line)


if __name__ == "__main__":
    main()
