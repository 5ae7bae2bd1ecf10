"""The one place that knows Numba: a second copy of a game's rules, compiled, with kernels linked to it.

A kernel (search/kernels/*.py) is plain Python over a free name `rules`. `link` binds it: to the rule
module itself, which runs anywhere, or to a compiled copy. Compiled copies live on disk in one folder
a game, named by the content of everything in it, so that no two games and no two versions can share
code: Numba's own cache key does not know what a free name stood for.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import platformdirs

KERNELS = {
    path.name: path
    for room in ("search", "solve")
    for path in Path(__file__).parent.glob(f"{room}/kernels/*.py")
}


def now() -> int:
    """Monotonic time in nanoseconds; kernels read the same clock."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def cache_folder() -> Path:
    """Where compiled code is kept: GOKAKU_CACHE, or the user's cache folder."""
    return Path(os.environ.get("GOKAKU_CACHE") or platformdirs.user_cache_path("gokaku"))


def link(rules: ModuleType, kernel: str, jit: bool = True) -> ModuleType:
    """The kernel search/kernels/`kernel`.py over the rules; compiled on first call unless `jit` is off.

    `rules` is a rule module of gokaku.games. Raises FileNotFoundError for an unknown kernel.
    """
    return _link(rules, kernel, jit)


@cache
def _link(rules: ModuleType, kernel: str, jit: bool) -> ModuleType:
    if jit:
        folder = _folder(rules)
        module = _load(folder / f"{kernel}.py", f"gokaku_{folder.name}_{kernel}")
        module.rules, module.now = _compiled_rules(rules), _clock()
    else:
        module = _load(
            KERNELS.get(f"{kernel}.py", Path(f"{kernel}.py")), f"gokaku.linked.{_short(rules)}.{kernel}"
        )
        module.rules, module.now = rules, now
    # Constants, so that the branches of a kernel that do not fit the game are never compiled.
    module.HAS_NTH_MOVE = hasattr(rules, "nth_move")
    module.REPETITION = rules.REPETITION
    module.SCALAR = isinstance(rules.start(), int)
    for other in getattr(module, "NEEDS", ()):
        setattr(module, other, _link(rules, other, jit))
    return _compile(module) if jit else module


def ready(rules: ModuleType, part: str) -> bool:
    """Whether the disk holds the part that `mark_ready` was called for, so that linking does not compile."""
    return (_folder(rules) / f"ready-{part}").exists()


def mark_ready(rules: ModuleType, part: str) -> None:
    """Says that a part of these rules' kernels, "search" or "lookup", has been compiled into the cache."""
    (_folder(rules) / f"ready-{part}").touch()


@cache
def _compiled_rules(rules: ModuleType) -> ModuleType:
    folder = _folder(rules)
    return _compile(_load(folder / "rules.py", f"gokaku_{folder.name}_rules"))


@cache
def _folder(rules: ModuleType) -> Path:
    """The folder that holds copies of the rule file and of the kernels; made if it is not there."""
    texts = {"rules.py": Path(inspect.getfile(rules)).read_bytes()}
    texts |= {name: path.read_bytes() for name, path in sorted(KERNELS.items())}
    digest = hashlib.sha256(_toolchain().encode())
    for name, text in texts.items():
        digest.update(f"{name} {len(text)}\n".encode() + text)
    folder = cache_folder() / f"{_short(rules)}_{digest.hexdigest()[:20]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a read-only home: compile for this process alone
        folder = Path(tempfile.mkdtemp(prefix="gokaku-")) / folder.name
        folder.mkdir()
    for name, text in texts.items():
        if not (folder / name).exists():
            # Another process may be doing the same: the file appears whole or not at all.
            part = folder / f".{name}.{os.getpid()}"
            part.write_bytes(text)
            part.replace(folder / name)
    return folder


def _toolchain() -> str:
    """What compiled code depends on besides its text."""
    from importlib.metadata import version

    return f"{sys.implementation.cache_tag} numba {version('numba')} {Path(__file__).read_text()}"


def _load(path: Path, name: str) -> Any:
    """The module of a file, under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.exists():
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    # Numba's cache restores a function by importing its module by name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _short(rules: ModuleType) -> str:
    return rules.__name__.rpartition(".")[2]


def _compile(module: ModuleType) -> ModuleType:
    """Turns a module's functions into compiled ones and its tables of ints into arrays, in place."""
    import numba
    import numpy as np

    compiler = numba.njit(cache=True, nogil=True, error_model="numpy")
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            setattr(module, name, compiler(value))
        elif isinstance(value, tuple) and value and all(isinstance(item, int) for item in value):
            setattr(module, name, np.array(value, dtype=np.int64))
    return module


@cache
def _clock() -> Any:
    """`now` for compiled code: libc's clock_gettime, by name so that the cache may hold it."""
    import numba
    import numpy as np
    from numba import types

    gettime: Any = types.ExternalFunction(
        "clock_gettime",
        types.int32(types.int32, types.voidptr),
    )
    monotonic = int(time.CLOCK_MONOTONIC)

    @numba.njit
    def clock() -> Any:
        answer = np.empty(2, np.int64)
        gettime(monotonic, answer.ctypes)
        return answer[0] * 1_000_000_000 + answer[1]

    return clock
