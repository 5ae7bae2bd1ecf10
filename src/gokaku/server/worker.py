"""Law: the process that thinks. It takes a job, runs it, sends the result, and has nothing else to do.

    python -m gokaku.server.worker FD answer    jobs come in through the socket FD, results go out
    python -m gokaku.server.worker FD warm      compile every game's kernels into the cache, report each, end
    python -m gokaku.server.worker FD solve     build the tables that are missing, report each, end

A frame is a length (4 bytes, big-endian) and a pickle; both ends are this program. The process ends when the
socket does, so it never outlives the server. Signals are the server's business.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import signal
import socket
import struct
import sys
import threading
from typing import Any, BinaryIO

from gokaku.games import NAMES
from gokaku.server.log import set_up

log = logging.getLogger("gokaku.worker")

HEAD = struct.Struct(">I")


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


def answer_jobs(line: socket.socket) -> None:
    inbox = line.makefile("rb")
    line.sendall(pack("ready"))
    while True:
        out = run(read(inbox))
        try:
            data = pack(out)
        except Exception as error:  # noqa: BLE001 -- whatever it was, it cannot be sent
            data = pack((False, RuntimeError(f"{error} (of {out[1]!r})")))
        line.sendall(data)


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


def solve_all(line: socket.socket) -> None:
    """Build, at the lowest priority; readers see a table when it is there (opponents/judging.py)."""
    os.nice(19)
    from gokaku import game
    from gokaku.solve import tables

    failed = False
    for name in NAMES:
        rules = game(name).rules
        if not tables.solvable(rules):
            continue
        try:
            if not tables.sound(rules):
                log.info("building the table of %s", name)
                tables.build(rules)
        except tables.Busy as error:
            log.info("%s", error)
        except Exception:
            log.exception("the table of %s could not be built", name)
            failed = True
        else:
            line.sendall(pack(name))
    sys.exit(failed)


def leave_with(parent: int) -> None:
    """End this process when its parent has ended, even in the midst of a long job."""
    while os.getppid() == parent:
        threading.Event().wait(1)
    os._exit(1)


def main() -> None:
    set_up(os.environ.get("GOKAKU_LOG_LEVEL", "info"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=leave_with, args=(os.getppid(),), daemon=True).start()
    line = socket.socket(fileno=int(sys.argv[1]))
    with contextlib.suppress(EOFError, ConnectionError):
        {"answer": answer_jobs, "warm": warm_all, "solve": solve_all}[sys.argv[2]](line)


if __name__ == "__main__":
    main()
