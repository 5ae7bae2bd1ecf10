"""The server as its operator sees it: it starts soon, survives, says when it is busy, and leaves nothing."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

import gokaku
from gokaku import opponents
from gokaku.games import NAMES

from .conftest import Served


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts servers of the test's own, and ends them."""
    started: list[Served] = []

    def begin(first: str = "pass", **settings: str | int) -> Served:
        started.append(Served(tmp_path / f"log{len(started)}", first, **settings))
        return started[-1]

    yield begin
    for served in started:
        served.close()


def gone(pids: set[int], seconds: float = 10) -> bool:
    """Whether all these processes end within the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(Path(f"/proc/{pid}/stat").exists() and not zombie(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


def zombie(pid: int) -> bool:
    """Ended, but its new parent has not asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


QUESTION = {"game": NAMES[0], "opponent": opponents.names(gokaku.game(NAMES[0]))[0]}


#: Lets a test stop a worker for as long as it likes.
PATIENT = "from gokaku.server import pool; pool.GRACE_S = 120"


def test_starts_in_time(start: Callable[..., Served]) -> None:
    begin = time.monotonic()
    served = start(warm=1)
    answer = served.client.get("/healthz")
    assert answer.status_code == 200
    assert time.monotonic() - begin < 3 * (1 if os.getloadavg()[0] < 2 else 4)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_all_its_processes(start: Callable[..., Served], number: int) -> None:
    served = start(workers=2, warm=1)
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code == 200
    children = served.descendants()
    assert len(children) >= 2
    served.process.send_signal(number)
    assert served.process.wait(20) == 0
    assert gone(children)


def test_a_signal_to_the_whole_group_ends_it_too() -> None:
    """As Ctrl-C in a terminal does."""
    script = "import sys; from gokaku.server import run; sys.exit(run(port=0, workers=2, warm=False))"
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"gokaku listens on")
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert b"Traceback" not in errors


def test_the_processes_of_a_killed_server_end(start: Callable[..., Served]) -> None:
    served = start(workers=2)
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code == 200
    children = served.descendants()
    served.process.kill()
    assert gone(children)


def test_killed_workers_are_replaced(start: Callable[..., Served]) -> None:
    served = start()
    killed = set[int]()
    for _ in range(3):
        answer = served.client.post("/api/v1/reply", json=QUESTION)
        while answer.status_code == 503:  # asked before the death was noticed
            assert answer.json()["error"]["code"] == "engine_lost"
            time.sleep(float(answer.headers["retry-after"]))
            answer = served.client.post("/api/v1/reply", json=QUESTION)
        assert answer.status_code == 200
        workers = served.descendants()
        assert len(workers) == 1
        assert not workers & killed
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        killed |= workers


def test_a_worker_that_dies_at_work_is_a_503(start: Callable[..., Served]) -> None:
    served = start(PATIENT)
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code == 200
    (worker,) = served.descendants()
    os.kill(worker, signal.SIGSTOP)
    answers: list[httpx.Response] = []
    address = served.address + "/api/v1/reply"
    asking = threading.Thread(
        target=lambda: answers.append(httpx.post(address, json=QUESTION, timeout=60, trust_env=False))
    )
    asking.start()
    end = time.monotonic() + 30
    while not served.client.get("/api/v1/status").json()["busy"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(worker, signal.SIGKILL)
    asking.join(60)
    (answer,) = answers
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "engine_lost"
    assert int(answer.headers["retry-after"]) >= 1
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code == 200


def test_busy_is_said_at_once(start: Callable[..., Served]) -> None:
    served = start(PATIENT, queue=0)
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code in (200, 503)
    while served.client.post("/api/v1/reply", json=QUESTION).status_code != 200:
        time.sleep(0.1)
    (worker,) = served.descendants()
    os.kill(worker, signal.SIGSTOP)  # a worker that thinks for as long as we like
    try:
        thinking = threading.Thread(
            target=lambda: httpx.post(
                served.address + "/api/v1/reply", json=QUESTION, timeout=30, trust_env=False
            )
        )
        thinking.start()
        time.sleep(0.3)
        begin = time.monotonic()
        answer = served.client.post("/api/v1/reply", json=QUESTION | {"limit_ms": 5000})
        assert time.monotonic() - begin < 1
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "busy"
        assert int(answer.headers["retry-after"]) >= 1
        assert served.client.get("/healthz").status_code == 200
        assert served.client.get("/api/v1/status").json()["busy"] == 1
    finally:
        os.kill(worker, signal.SIGCONT)
    thinking.join(60)
    assert not thinking.is_alive()


def test_those_who_leave_make_room(start: Callable[..., Served]) -> None:
    served = start(PATIENT, queue=2)
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code == 200
    (worker,) = served.descendants()
    os.kill(worker, signal.SIGSTOP)
    try:
        for _ in range(4):  # one at work and three that wait, if those who leave did not make room
            with pytest.raises(httpx.ReadTimeout):
                httpx.post(served.address + "/api/v1/reply", json=QUESTION, timeout=0.3, trust_env=False)
        end = time.monotonic() + 10
        while (status := served.client.get("/api/v1/status").json())["waiting"]:
            assert time.monotonic() < end, status
            time.sleep(0.05)
        assert status["busy"] == 1
    finally:
        os.kill(worker, signal.SIGCONT)
    assert served.client.post("/api/v1/reply", json=QUESTION).status_code == 200
    assert served.descendants() == {worker}


def test_kernels_are_ready_in_the_end_and_engines_use_them(start: Callable[..., Served]) -> None:
    served = start(warm=1)
    question = {"game": NAMES[0], "limit_ms": 50}
    assert served.client.post("/api/v1/analyse", json=question).status_code == 200
    end = time.monotonic() + 200
    while not served.client.get("/api/v1/status").json()["kernels"][0]["ready"]:
        assert time.monotonic() < end, served.log.read_text()
        time.sleep(0.2)
    while not served.client.post("/api/v1/analyse", json=question).json()["compiled"]:
        assert time.monotonic() < end, served.log.read_text()
        time.sleep(0.5)  # idle for long enough to load them


def test_the_log_is_json_and_holds_no_address(start: Callable[..., Served]) -> None:
    served = start()
    served.client.get("/healthz?name=someone")
    served.close()
    lines = [json.loads(line) for line in served.log.read_text().splitlines()]
    (line,) = [line for line in lines if line.get("path") == "/healthz"]
    assert set(line) == {"time", "level", "from", "message", "method", "path", "status", "bytes", "ms"}
    assert "127.0.0.1" not in served.log.read_text()
    assert "someone" not in served.log.read_text()


def test_a_taken_port_is_named(server: Served) -> None:
    port = int(server.address.rpartition(":")[2])
    script = f"from gokaku.server import run; run(port={port})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode != 0
    assert f"cannot listen on 127.0.0.1 port {port}" in done.stderr


def test_the_server_process_knows_no_compiler() -> None:
    script = (
        "import sys; from gokaku.server import create_app; create_app(workers=1);"
        "print(sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.strip() == "[]"


def raw(address: str, data: bytes, seconds: float = 20) -> bytes:
    """What the server says to these bytes until it closes the connection."""
    host, port = address.removeprefix("http://").split(":")
    out = b""
    with socket.create_connection((host, int(port)), timeout=seconds) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(data)
        with contextlib.suppress(ConnectionError):
            while part := line.recv(65536):
                out += part
    return out


def test_an_endless_head_is_cut(server: Served) -> None:
    endless = b"GET / HTTP/1.1\r\nX: " + b"x" * 2_000_000
    begin = time.monotonic()
    assert raw(server.address, endless)[:12] in (b"HTTP/1.1 431", b"")
    many = b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 300_000
    assert raw(server.address, many)[:12] in (b"HTTP/1.1 431", b"")
    assert time.monotonic() - begin < 5
    assert server.client.get("/healthz").status_code == 200


def test_a_silent_connection_is_cut(start: Callable[..., Served]) -> None:
    served = start(first="guard.HEAD_S = 0.3")
    begin = time.monotonic()
    assert raw(served.address, b"") == b""
    assert raw(served.address, b"GET / HTT") == b""
    assert time.monotonic() - begin < 10


def test_a_head_in_small_parts_is_read(server: Served) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        for byte in b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":
            line.sendall(bytes([byte]))
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
