"""Law: a question is answered by a process of its own or refused at once; nothing waits without an end.

At most `workers` questions are thought about and `queue` wait. A process that dies or overruns is replaced.
Between questions the processes load compiled kernels, one process at a time.
Why not a library: docs/decisions/0021-own-process-pool.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from gokaku.games import NAMES
from gokaku.server import engine, worker

T = TypeVar("T")
log = logging.getLogger("gokaku.pool")

GRACE_S = 5.0  # over a question's limit, before its process is killed
PATIENCE_S = 15.0  # in the queue
LOAD_S = 120.0  # for one game's kernels
PAUSE_S = 1.0  # before a process that died at once is started again
CRASHES = (signal.SIGSEGV, signal.SIGILL, signal.SIGBUS, signal.SIGABRT)


class Busy(Exception):
    """The queue is full, or a question has waited in it too long. `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"busy, try again in {retry_after} s")
        self.retry_after = retry_after


class Lost(Exception):
    """The process died or overran; the question has no answer."""


class Process:
    """One worker process and the line to it."""

    def __init__(self, process: asyncio.subprocess.Process, line: socket.socket) -> None:
        self.process, self.line = process, line
        self.loading = False
        self.loaded: set[str] = set()
        self.kernels = True  # whether it is to load any
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    @staticmethod
    async def start(role: str) -> Process:
        ours, theirs = socket.socketpair()
        with theirs:
            fd = theirs.fileno()
            command = (sys.executable, "-P", "-m", worker.__name__, str(fd), role)
            level = logging.getLevelName(log.getEffectiveLevel())
            env = os.environ | {"GOKAKU_LOG_LEVEL": level.lower()}
            # A session of its own: Ctrl-C in a terminal is meant for the server.
            more: dict[str, Any] = {"pass_fds": [fd], "env": env, "start_new_session": True}
            out = Process(await asyncio.create_subprocess_exec(*command, **more), ours)
        out.reader, out.writer = await asyncio.open_connection(sock=ours)
        return out

    async def read(self) -> Any:
        """The next value the process sends. Raises Lost when it has gone."""
        try:
            (size,) = worker.HEAD.unpack(await self.reader.readexactly(worker.HEAD.size))
            return worker.unpack(await self.reader.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Lost("the engine's process ended") from None

    def kill(self) -> None:
        self.writer.close()
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class Pool:
    def __init__(
        self,
        workers: int,
        queue: int,
        warm: bool = True,
        load: Callable[[str], Any] = engine.warm,
        solve: bool = False,
    ) -> None:
        self.workers, self.queue, self.warm, self.load, self.solve = workers, queue, warm, load, solve
        #: Games whose kernels are in the cache, to be loaded by every process.
        self.ready: set[str] = set()
        #: Games whose tables are there.
        self.solved: set[str] = set()
        self.busy = 0
        self.waiting = 0
        self.processes: set[Process] = set()
        self._owed_s = 0.0  # the limits of all questions that are in
        self._idle: asyncio.Queue[Process]
        self._tasks: list[asyncio.Task[None]] = []
        self._loader: asyncio.Task[None] | None = None
        self._jobs: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Begin to start the processes; the first questions wait for them in the queue."""
        self._idle = asyncio.Queue()
        jobs: list[Coroutine[Any, Any, None]] = [self._keep() for _ in range(self.workers)]
        if self.warm or self.solve:
            jobs.append(self._prepare())
        self._tasks = [asyncio.create_task(job) for job in jobs]

    async def stop(self) -> None:
        """End all processes; none is left when this returns."""
        tasks = [*self._tasks, *self._jobs, *([self._loader] if self._loader else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def ask(self, function: Callable[..., T], *arguments: Any, seconds: float) -> T:
        """`function(*arguments)` in a worker process; `seconds` is how long it is allowed to think.

        Raises Busy, Lost, or what the function raised.
        """
        if self._idle.empty() and self.waiting >= self.queue:
            raise Busy(self.retry_after)
        self._owed_s += seconds
        try:
            process = await self._free()
            self.busy += 1
        except BaseException:
            self._owed_s -= seconds
            raise
        # Whoever asked may go away: the process thinks to the end all the same, and is free for others then.
        job = asyncio.create_task(self._run(process, (function, arguments), seconds + GRACE_S))
        self._jobs.add(job)

        def end(job: asyncio.Task[Any]) -> None:
            self._jobs.discard(job)
            self.busy -= 1
            self._owed_s -= seconds
            if not job.cancelled():
                job.exception()  # or asyncio complains if nobody has waited for it

        job.add_done_callback(end)
        out: T = await asyncio.shield(job)
        return out

    @property
    def retry_after(self) -> int:
        """Seconds after which all that is asked now should have been answered."""
        return max(1, math.ceil(self._owed_s / self.workers))

    async def _free(self) -> Process:
        self.waiting += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    process = await self._idle.get()
                    # It may have died while it was idle.
                    if process in self.processes and not process.reader.at_eof():
                        return process
        except TimeoutError:
            raise Busy(self.retry_after) from None
        finally:
            self.waiting -= 1

    async def _run(self, process: Process, job: tuple[Any, ...], seconds: float) -> Any:
        """What the job returns or raises in that process, which is idle again then, or killed."""
        try:
            process.writer.write(worker.pack(job))
            async with asyncio.timeout(seconds):
                done, value = await process.read()
        except TimeoutError:
            process.kill()
            log.error("a question took more than %.3f s; its process was killed", seconds)
            raise Lost("the engine overran its limit and was stopped") from None
        except BaseException:  # it died, or the pool is about to stop
            process.kill()
            raise
        if not process.loading:
            self._release(process)
        if not done:
            raise value
        return value

    def _release(self, process: Process) -> None:
        """The process is free: it loads kernels, unless another is at that, or waits for questions."""
        missing = self.ready - process.loaded
        if missing and process.kernels and self._loader is None:
            self._loader = asyncio.create_task(self._load(process, missing))
        else:
            self._idle.put_nowait(process)

    async def _load(self, process: Process, names: set[str]) -> None:
        process.loading = True
        try:
            for name in sorted(names):
                process.loaded.add(name)
                try:
                    await self._run(process, (self.load, (name,)), LOAD_S)
                except Lost:
                    raise
                except Exception:
                    log.exception("the kernels of %s could not be loaded", name)
            process.loading = False
            self._idle.put_nowait(process)
        except Lost:  # its keeper starts another
            pass
        self._loader = None
        self._look_again()

    def _look_again(self) -> None:
        """A process that idles may have something to load."""
        for _ in range(self._idle.qsize()):
            self._release(self._idle.get_nowait())

    async def _keep(self) -> None:
        """Keep one worker process alive."""
        kernels = True
        while True:
            begin = time.monotonic()
            try:
                crashed = await self._live(kernels)
            except OSError as error:  # out of processes or of files: others may end
                log.error("a worker could not be started: %s", error)
            else:
                if crashed and kernels:
                    kernels = False
                    log.error("it crashed while it loaded kernels; its successors do without them")
            if time.monotonic() - begin < PAUSE_S:
                await asyncio.sleep(PAUSE_S)

    async def _live(self, kernels: bool) -> bool:
        """A worker process from birth to death; whether it crashed while it loaded kernels."""
        async with self._process("answer") as process:
            process.kernels = kernels
            with contextlib.suppress(Lost):
                await process.read()
                self._release(process)
            code = await process.process.wait()
        log.warning("worker %d ended with code %d; starting another", process.process.pid, code)
        return process.loading and -code in CRASHES

    async def _prepare(self) -> None:
        """What makes the server better while it runs, one thing after the other."""
        if self.warm:
            await self._warm()
        if self.solve:
            async with self._process("solve") as process:
                with contextlib.suppress(Lost):
                    while True:
                        self.solved.add(await process.read())
                await process.process.wait()

    async def _warm(self) -> None:
        """Have every game's kernels compiled, and loaded as they come."""
        self.ready |= set(filter(engine.ready, NAMES))
        async with self._process("warm") as process:
            with contextlib.suppress(Lost):
                while True:
                    self.ready.add(await process.read())
                    if self._loader is None:
                        self._look_again()
            if await process.process.wait():
                log.error("not all kernels could be compiled; engines of those games stay slow")

    @contextlib.asynccontextmanager
    async def _process(self, role: str) -> AsyncIterator[Process]:
        process = await Process.start(role)
        self.processes.add(process)
        try:
            yield process
        finally:
            self.processes.discard(process)
            process.kill()
            await process.process.wait()
