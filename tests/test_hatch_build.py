"""The build hook builds the client when it must, and says what to do when it cannot."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
assert SPEC
assert SPEC.loader
hatch_build = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(hatch_build)

# Stands for npm: notes each call, and "builds" as vite would.
NPM = """#!/bin/sh
echo "$*" >> ../calls
if [ "$1" = ci ]; then mkdir -p node_modules && touch node_modules/.package-lock.json; fi
if [ "$1" = run ]; then mkdir -p ../src/gokaku/web && echo page > ../src/gokaku/web/index.html; fi
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with client sources, and a PATH that holds only a stand-in for npm."""
    web = tmp_path / "web"
    web.mkdir()
    (web / "package.json").write_text("{}")
    (web / "package-lock.json").write_text("{}")
    (web / "main.ts").write_text("1")
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(NPM)
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(npm.parent), "/usr/bin", "/bin"]))
    monkeypatch.delenv("GOKAKU_WITHOUT_CLIENT", raising=False)
    return tmp_path


def calls(checkout: Path) -> list[str]:
    log = checkout / "calls"
    return [line.split(" --")[0] for line in log.read_text().splitlines()] if log.exists() else []


def test_builds_once_and_again_when_a_source_changes(checkout: Path) -> None:
    assert hatch_build.build_client(checkout)
    assert calls(checkout) == ["ci", "run build"]
    assert not hatch_build.build_client(checkout)
    os.utime(checkout / "web/main.ts", (0, 0))  # times do not count
    assert not hatch_build.build_client(checkout)
    (checkout / "web/main.ts").write_text("2")
    assert hatch_build.build_client(checkout)
    assert calls(checkout) == ["ci", "run build", "run build"]


def test_a_changed_lock_file_installs_again(checkout: Path) -> None:
    hatch_build.build_client(checkout)
    lock = checkout / "web/package-lock.json"
    lock.write_text('{"name": "x"}')
    future = lock.stat().st_mtime + 60
    os.utime(lock, (future, future))
    hatch_build.build_client(checkout)
    assert calls(checkout) == ["ci", "run build", "ci", "run build"]


def test_without_npm(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    with pytest.raises(hatch_build.ClientError, match=r"Install Node\.js"):
        hatch_build.build_client(checkout)
    built = checkout / "src/gokaku/web/index.html"
    built.parent.mkdir(parents=True)
    built.write_text("older page")
    assert not hatch_build.build_client(checkout)
    assert "older build" in capfd.readouterr().err
    built.unlink()
    monkeypatch.setenv("GOKAKU_WITHOUT_CLIENT", "1")
    assert not hatch_build.build_client(checkout)


def test_a_failing_build_is_an_error(checkout: Path) -> None:
    (checkout / "bin/npm").write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(hatch_build.ClientError, match="exit status 3"):
        hatch_build.build_client(checkout)


def test_a_wheel_carries_the_client_and_the_rules(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        for rules in sorted((ROOT / "src/gokaku/games").glob("*.py")):
            assert packed.read(f"gokaku/games/{rules.name}") == rules.read_bytes()
    assert "gokaku/web/index.html" in names
    assert any(name.startswith("gokaku/web/") and name.endswith(".wasm") for name in names)
    assert "gokaku/py.typed" in names
