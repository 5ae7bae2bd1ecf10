"""Calls, answers, events and errors of the contract, to bytes and back, as its ABI says."""

from __future__ import annotations

from typing import Any

from eth_abi import decode, encode
from eth_utils import keccak
from eth_utils.abi import collapse_if_tuple

Abi = list[dict[str, Any]]


def call(abi: Abi, name: str, arguments: tuple[Any, ...]) -> bytes:
    """A call of a function as a transaction's data."""
    function = _named(abi, "function", name)
    return _hash(function)[:4] + encode(_types(function["inputs"]), arguments)


def returned(abi: Abi, name: str, output: bytes) -> Any:
    """What a function returned; None if it returns nothing."""
    found = decode(_types(_named(abi, "function", name)["outputs"]), output)
    return found[0] if found else None


def error(abi: Abi, output: bytes) -> tuple[str, dict[str, Any]]:
    """The error with which the contract refused, and its arguments by name; ("", {}) if it gave none."""
    for one in abi:
        if one["type"] == "error" and _hash(one)[:4] == output[:4]:
            return one["name"], _by_name(one["inputs"], output[4:])
    return "", {}


def event(abi: Abi, topics: list[bytes], data: bytes) -> tuple[str, dict[str, Any]]:
    """A log's event and its arguments by name. Raises LookupError for one that is none of the contract's."""
    for one in abi:
        if one["type"] == "event" and _hash(one) == topics[0]:
            indexed = [given for given in one["inputs"] if given["indexed"]]
            values = _by_name([given for given in one["inputs"] if not given["indexed"]], data)
            for given, topic in zip(indexed, topics[1:], strict=True):
                values |= _by_name([given], topic)
            return one["name"], values
    raise LookupError(f"no event of the contract has the topic 0x{topics[0].hex()}")


def _named(abi: Abi, kind: str, name: str) -> dict[str, Any]:
    return next(one for one in abi if one["type"] == kind and one["name"] == name)


def _by_name(inputs: Abi, data: bytes) -> dict[str, Any]:
    return dict(zip((one["name"] for one in inputs), decode(_types(inputs), data), strict=True))


def _types(inputs: Abi) -> list[str]:
    return [collapse_if_tuple(one) for one in inputs]


def _hash(one: dict[str, Any]) -> bytes:
    """Keccak-256 of a function's, an event's or an error's signature."""
    return bytes(keccak(text=f"{one['name']}({','.join(_types(one['inputs']))})"))
