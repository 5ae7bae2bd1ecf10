"""Whose key signs: from an environment variable or a keystore file, never a command line, never logged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

#: The environment variables that hold a private key, or the password of a keystore file.
KEY = "GOKAKU_CHAIN_KEY"
PASSWORD = "GOKAKU_CHAIN_PASSWORD"  # noqa: S105 -- the variable's name


class NoKey(RuntimeError):
    """There is no key, or it cannot be read; the message says what is expected and holds nothing secret."""


def account(keystore: Path | None, ask: Callable[[], str]) -> LocalAccount | None:
    """The account that signs: of the keystore file if one is named, else of $GOKAKU_CHAIN_KEY, else None.

    ask: asks a person for the keystore's password where $GOKAKU_CHAIN_PASSWORD is not set. Raises NoKey.
    """
    from eth_account import Account

    if keystore is not None:
        return _from_file(keystore, ask)
    key = os.environ.get(KEY)
    if key is None:
        return None
    try:
        found: LocalAccount = Account.from_key(key)
    except ValueError:
        found = None  # type: ignore[assignment]
    if found is None:  # raised here: the library's error, which names the key, is not to be its cause
        raise NoKey(f"${KEY} is not a private key: expected 64 hexadecimal digits")
    return found


def _from_file(keystore: Path, ask: Callable[[], str]) -> LocalAccount:
    from eth_account import Account

    try:
        text = keystore.expanduser().read_text(encoding="utf-8")
        found = json.loads(text)
    except OSError as error:
        raise NoKey(f"cannot read {keystore}: {error.strerror}") from None
    except ValueError:
        raise NoKey(f"{keystore} is not a keystore file: expected JSON, as wallets export it") from None
    password = os.environ.get(PASSWORD)
    try:
        key = Account.decrypt(found, ask() if password is None else password)
    except (ValueError, KeyError, TypeError):
        key = None
    if key is None:
        raise NoKey(f"{keystore} does not open: the password is wrong, or it is not a keystore file")
    opened: LocalAccount = Account.from_key(key)
    return opened
