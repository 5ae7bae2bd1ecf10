"""The pool answers, refuses, replaces and ends; its jobs here are functions of the standard library."""

from __future__ import annotations

import asyncio
import contextlib
import operator
import os
import signal
import time
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gokaku.server import pool as pools
from gokaku.server.pool import Busy, Lost, Pool


@contextlib.asynccontextmanager
async def running(workers: int = 1, queue: int = 8) -> AsyncIterator[Pool]:
    pool = Pool(workers, queue, warm=False)
    pool.start()
    try:
        yield pool
    finally:
        await pool.stop()


def go(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 60))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_answers_and_raises_what_the_job_raised() -> None:
    async def test() -> None:
        async with running() as pool:
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5
            with pytest.raises(ZeroDivisionError):
                await pool.ask(operator.truediv, 1, 0, seconds=1)
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5

    go(test())


def test_a_result_that_cannot_be_sent_is_an_error() -> None:
    async def test() -> None:
        async with running() as pool:
            with pytest.raises(RuntimeError, match="pickle"):
                await pool.ask(open, os.devnull, seconds=1)
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5

    go(test())


def test_workers_work_side_by_side() -> None:
    async def test() -> None:
        async with running(workers=2) as pool:
            pids = await asyncio.gather(*(pool.ask(os.getpid, seconds=1) for _ in range(6)))
            assert len(set(pids)) <= 2
            assert os.getpid() not in pids
            await asyncio.gather(*(pool.ask(time.sleep, 0.3, seconds=1) for _ in range(2)))

    go(test())


def test_a_full_queue_refuses_at_once() -> None:
    async def test() -> None:
        async with running(queue=1) as pool:
            await pool.ask(os.getpid, seconds=1)
            asked = [asyncio.create_task(pool.ask(time.sleep, 0.5, seconds=2.5)) for _ in range(2)]
            await asyncio.sleep(0.1)
            assert (pool.busy, pool.waiting) == (1, 1)
            begin = time.monotonic()
            with pytest.raises(Busy) as busy:
                await pool.ask(os.getpid, seconds=1)
            assert time.monotonic() - begin < 0.1
            assert busy.value.retry_after == 5  # what two questions may take
            await asyncio.gather(*asked)
            assert (pool.busy, pool.waiting, pool.retry_after) == (0, 0, 1)

    go(test())


def test_waiting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "PATIENCE_S", 0.2)

    async def test() -> None:
        async with running() as pool:
            while True:  # the process itself may need longer than this patience to start
                with contextlib.suppress(Busy):
                    await pool.ask(os.getpid, seconds=1)
                    break
            slow = asyncio.create_task(pool.ask(time.sleep, 1, seconds=1))
            await asyncio.sleep(0.05)
            with pytest.raises(Busy):
                await pool.ask(os.getpid, seconds=1)
            assert pool.waiting == 0
            await slow

    go(test())


def test_death_at_work_loses_the_question_and_nothing_else() -> None:
    async def test() -> None:
        async with running() as pool:
            first = await pool.ask(os.getpid, seconds=1)
            with pytest.raises(Lost):
                await pool.ask(os._exit, 3, seconds=1)
            second = await pool.ask(os.getpid, seconds=1)
            assert first != second

    go(test())


def test_death_while_idle_is_not_noticed_by_anyone() -> None:
    async def test() -> None:
        async with running(workers=2) as pool:
            await pool.ask(os.getpid, seconds=1)
            for process in list(pool.processes):
                os.kill(process.process.pid, signal.SIGKILL)
            await asyncio.sleep(0.3)
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5

    go(test())


def test_kernels_are_loaded_once_by_every_process(tmp_path: Path) -> None:
    async def test() -> None:
        async with running(workers=2) as pool:
            pool.load = exec
            pool.ready = {f"import os; open('{tmp_path}/{n} ' + str(os.getpid()), 'x').close()" for n in "ab"}
            while len(list(tmp_path.iterdir())) < 4:
                await pool.ask(operator.add, 2, 3, seconds=1)
                await asyncio.sleep(0.02)
            pids = [process.process.pid for process in pool.processes]
            assert {file.name for file in tmp_path.iterdir()} == {f"{n} {pid}" for n in "ab" for pid in pids}
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5

    go(test())


def test_questions_are_answered_while_one_process_loads() -> None:
    async def test() -> None:
        async with running(workers=2) as pool:
            await asyncio.gather(*(pool.ask(time.sleep, 0.2, seconds=1) for _ in range(2)))
            pool.load = exec
            pool.ready = {"import time; time.sleep(2)"}
            for _ in range(20):
                assert await pool.ask(operator.add, 2, 3, seconds=1) == 5
            assert [process.loading for process in pool.processes].count(True) == 1

    go(test())


def test_kernels_that_cannot_be_loaded_are_done_without() -> None:
    async def test() -> None:
        async with running() as pool:
            pool.load = exec
            pool.ready = {"raise OSError"}
            pids = {await pool.ask(os.getpid, seconds=1) for _ in range(3)}
            assert len(pids) == 1

    go(test())


def test_kernels_that_crash_a_process_are_done_without() -> None:
    async def test() -> None:
        async with running() as pool:
            first = await pool.ask(os.getpid, seconds=1)
            pool.load = exec
            pool.ready = {"import os; os.abort()"}
            assert await pool.ask(os.getpid, seconds=1) == first
            second = await pool.ask(os.getpid, seconds=1)
            assert first != second
            assert await pool.ask(os.getpid, seconds=1) == second
            with pytest.raises(Lost):
                await pool.ask(os.abort, seconds=1)
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5

    go(test())


def test_overrun_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE_S", 0.3)

    async def test() -> None:
        async with running() as pool:
            pid = await pool.ask(os.getpid, seconds=1)
            with pytest.raises(Lost, match="overran"):
                await pool.ask(time.sleep, 60, seconds=0.1)
            assert await pool.ask(os.getpid, seconds=30) != pid
            assert not alive(pid)

    go(test())


def test_an_abandoned_answer_reaches_nobody_else() -> None:
    async def test() -> None:
        async with running() as pool:
            pid = await pool.ask(os.getpid, seconds=1)
            tasks = [asyncio.create_task(pool.ask(time.sleep, 0.3, seconds=1)) for _ in range(3)]
            await asyncio.sleep(0.1)
            assert (pool.busy, pool.waiting) == (1, 2)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            assert (pool.busy, pool.waiting) == (1, 0)
            assert await pool.ask(os.getpid, seconds=1) == pid
            await asyncio.sleep(0)
            assert (pool.busy, pool.retry_after) == (0, 1)

    go(test())


def test_a_system_out_of_processes_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "PAUSE_S", 0.1)
    start, failures = pools.Process.start, iter([True, True, False])

    async def sometimes(role: str) -> pools.Process:
        if next(failures, False):
            raise BlockingIOError("no more processes")
        return await start(role)

    async def test() -> None:
        monkeypatch.setattr(pools.Process, "start", staticmethod(sometimes))
        async with running() as pool:
            assert await pool.ask(operator.add, 2, 3, seconds=1) == 5

    go(test())


def test_stop_leaves_no_process() -> None:
    async def test() -> None:
        async with running(workers=2) as pool:
            await pool.ask(os.getpid, seconds=1)
            pids = [process.process.pid for process in pool.processes]
            assert len(pids) == 2
        assert not any(map(alive, pids))

    go(test())
