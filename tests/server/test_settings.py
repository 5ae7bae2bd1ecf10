"""Settings come from arguments, the environment or the defaults, and a wrong one is named."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from gokaku.server.settings import Settings


def test_defaults_need_no_environment() -> None:
    settings = Settings.read({})
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.workers >= 1


def test_arguments_beat_the_environment() -> None:
    environment = {"GOKAKU_PORT": "1234", "GOKAKU_QUEUE": "7", "GOKAKU_WARM": "0"}
    settings = Settings.read(environment, port=4321, queue=None)
    assert (settings.port, settings.queue, settings.warm) == (4321, 7, False)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("GOKAKU_PORT", "http"),
        ("GOKAKU_PORT", "65536"),
        ("GOKAKU_PORT", ""),
        ("GOKAKU_WORKERS", "-1"),
        ("GOKAKU_QUEUE", "1.5"),
        ("GOKAKU_WARM", "yes"),
        ("GOKAKU_LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_setting_is_named(variable: str, text: str) -> None:
    name = variable.removeprefix("GOKAKU_")
    with pytest.raises(ValueError, match=f"(?i){name}"):
        Settings.read({variable: text})


def test_every_setting_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs/server.md").read_text()
    for field in fields(Settings):
        assert f"GOKAKU_{field.name.upper()}" in text
