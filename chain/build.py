"""Compile chain/solo.vy into package data: src/gokaku/chain/solo.json (see gokaku.chain.contract).

A build that is up to date, told by a digest of the source and this file, is left alone.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path("chain/solo.vy")
BUILT = Path("src/gokaku/chain/solo.json")


def build(root: Path = ROOT) -> bool:
    """Bring the compiled contract up to date; returns whether it had to be compiled.

    Raises ImportError without Vyper, vyper.exceptions.VyperException if the source does not compile.
    """
    source, built = root / SOURCE, root / BUILT
    wanted = hashlib.sha256(source.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    if built.is_file() and json.loads(built.read_text()).get("digest") == wanted:
        return False
    built.write_text(json.dumps(compile_contract(source.read_text()) | {"digest": wanted}) + "\n")
    return True


def compile_contract(source: str) -> dict[str, Any]:
    """abi (errors included), bytecode (to deploy) and runtime (what then stands on the chain) as 0x text."""
    import vyper
    from vyper.compiler import compile_code

    # Without the compiler's own notes at the end, which cost gas to deploy.
    found = compile_code(
        source, output_formats=["abi", "ast_dict", "bytecode", "bytecode_runtime"], no_bytecode_metadata=True
    )
    return {
        "compiler": f"vyper {vyper.__version__}",
        "abi": found["abi"] + errors(found["ast_dict"]["ast"]),
        "bytecode": found["bytecode"],
        "runtime": found["bytecode_runtime"],
    }


def errors(module: dict[str, Any]) -> list[dict[str, Any]]:
    """The ABI of the errors: internal functions named like types, which only revert."""
    return [
        {
            "type": "error",
            "name": node["name"],
            "inputs": [{"name": one["arg"], "type": one["annotation"]["id"]} for one in node["args"]["args"]],
        }
        for node in module["body"]
        if node["ast_type"] == "FunctionDef" and node["name"][0].isupper()
    ]


if __name__ == "__main__":
    try:
        print("contract built" if build() else "contract is up to date")
    except ImportError:
        sys.exit("compiling the contract needs Vyper: pip install vyper==0.4.3")
