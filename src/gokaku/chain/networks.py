"""The chains on which the contract may stand: test networks by name. Mainnets are refused.

Chain ids, public endpoints and explorers are those that the networks' own documentation gives.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class UnknownNetwork(ValueError):
    """No test network that we know."""


@dataclass(frozen=True)
class Network:
    """A test network. id: its chain id. rpc, explorer: public addresses, "" where there are none."""

    name: str
    title: str
    id: int
    rpc: str = ""
    explorer: str = ""
    currency: str = "ETH"


@dataclass(frozen=True)
class Deployment:
    """The contract on a network. address: 0x and forty hexadecimal digits."""

    network: Network
    address: str


NETWORKS: tuple[Network, ...] = (
    Network("anvil", "Local (anvil)", 31337, "http://127.0.0.1:8545"),
    Network(
        "sepolia",
        "Sepolia",
        11155111,
        "https://ethereum-sepolia-rpc.publicnode.com",
        "https://sepolia.etherscan.io",
    ),
    Network("hoodi", "Hoodi", 560048, "https://rpc.hoodi.ethpandaops.io", "https://hoodi.etherscan.io"),
    Network(
        "base-sepolia", "Base Sepolia", 84532, "https://sepolia.base.org", "https://sepolia.basescan.org"
    ),
    Network(
        "op-sepolia",
        "OP Sepolia",
        11155420,
        "https://sepolia.optimism.io",
        "https://sepolia-optimism.etherscan.io",
    ),
    Network(
        "arbitrum-sepolia",
        "Arbitrum Sepolia",
        421614,
        "https://sepolia-rollup.arbitrum.io/rpc",
        "https://sepolia.arbiscan.io",
    ),
    Network(
        "polygon-amoy",
        "Polygon Amoy",
        80002,
        "https://rpc-amoy.polygon.technology",
        "https://amoy.polygonscan.com",
        "POL",
    ),
)


def by_name(name: str) -> Network:
    """The network of that name. Raises UnknownNetwork."""
    for network in NETWORKS:
        if network.name == name:
            return network
    raise UnknownNetwork(f"unknown network {name!r}; the test networks are {_names()}")


def by_id(chain: int) -> Network:
    """The network of that chain id. Raises UnknownNetwork for all others, mainnets among them."""
    for network in NETWORKS:
        if network.id == chain:
            return network
    raise UnknownNetwork(
        f"chain {chain} is no test network that is known here, and mainnets are refused: there is nothing"
        f" to win, so no fee that costs money; the test networks are {_names()}"
    )


def deployments(text: str) -> tuple[Deployment, ...]:
    """Reads "sepolia:0x..., anvil:0x...". Raises ValueError, naming what is wrong."""
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, address = part.partition(":")
        if not re.fullmatch(r"0x[0-9a-fA-F]{40}", address.strip()):
            raise ValueError(f"a deployment is NETWORK:ADDRESS, such as sepolia:0x{'0' * 39}1, not {part!r}")
        found.append(Deployment(by_name(name.strip()), address.strip()))
    return tuple(found)


def _names() -> str:
    return ", ".join(f"{network.name} ({network.id})" for network in NETWORKS)
