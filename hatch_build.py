"""Build hook: the contract (chain/) and the browser client (web/) become package data in src/gokaku/.

Each is built again only when its sources differ from those it was made from, told by a digest kept
with it. Without npm a client that is there already is used as it is.
"""

from __future__ import annotations

import hashlib
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NOT_SOURCES = {"node_modules", "coverage", "dist"}
WITHOUT_NPM = """\
gokaku's browser client is not built, and there is no `npm` to build it with.
Install Node.js 20.19 or newer with npm and try again, or set GOKAKU_WITHOUT_CLIENT=1
to install the Python package and its API without the page."""


class ClientError(RuntimeError):
    """The client cannot be built; the message says what to do."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Hatchling calls this before it packs an sdist, a wheel or an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_contract(Path(self.root))
        build_client(Path(self.root))


def build_contract(root: Path) -> None:
    """Bring the compiled contract up to date by chain/build.py; where that is not there, nothing is done."""
    script = root / "chain" / "build.py"
    if script.is_file():
        runpy.run_path(str(script))["build"](root)


def build_client(root: Path) -> bool:
    """Bring root/src/gokaku/web up to date with root/web; returns whether it had to be built.

    Raises ClientError if it cannot be built and none is there.
    """
    sources, built = root / "web", root / "src" / "gokaku" / "web"
    if os.environ.get("GOKAKU_WITHOUT_CLIENT") or not (sources / "package.json").is_file():
        return False
    wanted, mark = digest(sources), built / ".sources"
    if mark.is_file() and mark.read_text() == wanted:
        return False
    npm = shutil.which("npm")
    if npm is None:
        if (built / "index.html").is_file():
            print("warning: no npm; an older build of the browser client is used", file=sys.stderr)
            return False
        raise ClientError(WITHOUT_NPM)
    if packages_are_stale(sources):
        run(npm, "ci", "--no-audit", "--no-fund", at=sources)
    run(npm, "run", "build", at=sources)
    if not (built / "index.html").is_file():
        raise ClientError(f"`npm run build` left no {built / 'index.html'}")
    mark.write_text(wanted)
    return True


def digest(sources: Path) -> str:
    """SHA-256 over the names and bytes of all source files, hexadecimal."""
    total = hashlib.sha256()
    for folder, folders, files in os.walk(sources):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        for name in sorted(files):
            path = Path(folder, name)
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(sources).as_posix()} {content}\n".encode())
    return total.hexdigest()


def packages_are_stale(sources: Path) -> bool:
    """Whether node_modules was not made from the lock file that lies there now."""
    lock, installed = sources / "package-lock.json", sources / "node_modules" / ".package-lock.json"
    return not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime


def run(*command: str, at: Path) -> None:
    # Output goes to stderr: a build backend's stdout belongs to the installer.
    done = subprocess.run(command, cwd=at, stdout=sys.stderr, check=False)
    if done.returncode:
        raise ClientError(f"`{' '.join(command)}` failed in {at} (exit status {done.returncode})")


if __name__ == "__main__":
    try:
        print("client built" if build_client(Path(__file__).parent) else "client is up to date")
    except ClientError as error:
        sys.exit(str(error))
