"""Law: all that an operator may set is here; an argument beats the environment, the environment the default.

docs/server.md describes each setting.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

from gokaku.chain.networks import deployments

LOG_LEVELS = ("debug", "info", "warning", "error")


def _cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


@dataclass(frozen=True)
class Settings:
    """How the server runs. Raises ValueError, naming the setting, for a value out of range."""

    host: str = "127.0.0.1"
    #: 0: any free port.
    port: int = 8000
    #: Engine processes; 0: one a core, eight at most.
    workers: int = 0
    #: Questions that may wait for an engine process; one more is refused.
    queue: int = 32
    log_level: str = "info"
    #: Compile the games' kernels in the background.
    warm: bool = True
    #: Build the tables of solved games that are missing, in the background.
    solve: bool = True
    #: Where the contract stands: NETWORK:ADDRESS, several with commas between; see gokaku.chain.networks.
    chain: str = ""

    def __post_init__(self) -> None:
        if not self.workers:
            object.__setattr__(self, "workers", min(_cores(), 8))
        for name, low, high in (("port", 0, 65535), ("workers", 1, 256), ("queue", 0, 10_000)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} must be {low} to {high}, not {getattr(self, name)}")
        try:
            deployments(self.chain)
        except ValueError as error:
            raise ValueError(f"chain: {error}") from None
        if self.log_level not in LOG_LEVELS:
            raise ValueError(f"log_level must be one of {', '.join(LOG_LEVELS)}, not {self.log_level!r}")

    @staticmethod
    def read(environment: Mapping[str, str] = os.environ, **arguments: str | int | bool | None) -> Settings:
        """Settings from GOKAKU_* variables and from `arguments`, of which a None does not count."""
        values: dict[str, str | int | bool] = {}
        for field in fields(Settings):
            variable = f"GOKAKU_{field.name.upper()}"
            text = environment.get(variable)
            try:
                if text is not None:
                    values[field.name] = _read(text, type(field.default))
            except ValueError:
                raise ValueError(f"{variable} must be {_expected(field.default)}, not {text!r}") from None
        values |= {name: value for name, value in arguments.items() if value is not None}
        return Settings(**values)  # type: ignore[arg-type]


def _read(text: str, kind: type) -> str | int | bool:
    if kind is bool:
        return bool(("0", "1").index(text))
    return int(text) if kind is int else text


def _expected(default: object) -> str:
    return "0 or 1" if isinstance(default, bool) else "a whole number"
