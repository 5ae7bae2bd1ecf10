"""The command line: what may be typed. Each command's work is in a file of its own, imported when it runs.

Answers go to stdout, everything else to stderr. Exit status: 0 done, 1 refused by the game, a file or
the network, 2 not understood.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from gokaku.cli import words
from gokaku.games import NAMES

__all__ = ["app", "main"]

#: Typer's error for a command line that it does not understand; it has no public name.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="gokaku",
    help="Four board games, and opponents that explain their moves.",
    epilog="Shell completion: gokaku --install-completion",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

#: The games that can be solved; `table check FILE` means the first.
SOLVED = tuple(name for name in NAMES if hasattr(import_module(f"gokaku.games.{name}"), "INDEX_SIZE"))

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"One of {', '.join(NAMES)}.",
        callback=words.game,
        autocompletion=words.complete_game,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]
Load = Annotated[
    Path | None, typer.Option("--load", metavar="FILE", help="A record: a position, then moves.")
]


@app.callback(invoke_without_command=True)
def common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(installed("gokaku"))
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games(json: Json = False) -> None:
    """List the games and who plays them."""
    from gokaku.cli import showing

    showing.games(json)


@app.command()
def play(
    game: GameName,
    opponent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who plays the other side: see `gokaku games`; `human`: two persons at one keyboard."
            " [default: the strongest]",
            autocompletion=words.complete_opponent,
        ),
    ] = None,
    limit: Annotated[
        str, typer.Option(metavar="TIME", help="How long a search may think: 50ms, 2s, or 10000n (nodes).")
    ] = "500ms",
    level: Annotated[
        int | None, typer.Option(metavar="N", help="How strong the engine is, 1 to 8. [default: 8]")
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the opponent move first.")] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same seed, the same answers.")] = None,
    load: Load = None,
    position: Annotated[str | None, typer.Option(metavar="TEXT", help="A position to begin from.")] = None,
) -> None:
    """Play in the terminal; `help` there says how."""
    from gokaku.cli import playing

    playing.play(game, opponent, limit, level, second, seed, words.board(game, position, load))


@app.command()
def show(
    game: GameName,
    position: Annotated[
        str | None, typer.Argument(metavar="[POSITION]", help="A position; - reads a record from stdin.")
    ] = None,
    load: Load = None,
    json: Json = False,
) -> None:
    """Draw a position and list its legal moves."""
    from gokaku.cli import showing

    showing.show(words.board(game, position, load), json)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="The length of the sequences.")],
    divide: Annotated[bool, typer.Option("--divide", help="A line for every first move.")] = False,
    position: Annotated[
        str | None, typer.Option("--from", metavar="POSITION", help="Count from here.")
    ] = None,
    json: Json = False,
    interpreted: Annotated[
        bool, typer.Option("--interpreted", help="Run as plain Python instead of compiling.")
    ] = False,
) -> None:
    """Count the sequences of DEPTH legal moves.

    Games that end earlier are not counted.
    """
    from gokaku.cli import counting

    board = words.board(game, position, None)
    counting.perft(board, depth, divide=divide, json=json, compiled=not interpreted)


@app.command()
def bench(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Which games. [default: all]", callback=words.games),
    ] = None,
    positions: Annotated[
        int, typer.Option(metavar="N", min=1, help="Questions to the engine at 50 ms.")
    ] = 1_000,
    json: Json = False,
) -> None:
    """Measure the rules and the engine on this machine; takes minutes."""
    from gokaku.cli import benching

    benching.bench(games or [], positions, json)


study = typer.Typer(help="Play many games and count.", rich_markup_mode=None)
app.add_typer(study, name="study")


@study.command()
def hospitality(
    game: GameName,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where games, tables and plots go.")],
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help="Games of every guest with every host.")
    ] = 400,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed, the same games.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes. [default: one a core]")
    ] = None,
    nodes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Nodes of a judgement where there is no table.")
    ] = 2_000,
) -> None:
    """Play the hosts against a ladder of guests, from beginner to perfect.

    Can be broken off; the same command goes on where it was. Tables are CSV and Markdown, plots SVG and PNG.
    """
    from gokaku.cli import studying

    studying.hospitality(game, games, out, seed, jobs, nodes)


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A position in six lines, then moves.")],
    game: Annotated[
        str, typer.Option(metavar="GAME", callback=words.game, autocompletion=words.complete_game)
    ] = SOLVED[0],
    plies: Annotated[int | None, typer.Option(metavar="N", min=1, help="So far along the best line.")] = None,
    json: Json = False,
) -> None:
    """Give every move its exact value, at a position and along the best line, from the complete table."""
    from gokaku.cli import analysing

    analysing.analyse(file, game, plies, json)


table = typer.Typer(help="The complete table of a solved game: every position, in plies to the end.")
app.add_typer(table, name="table")

Threads = Annotated[int | None, typer.Option(metavar="N", min=1, help="[default: one a core]")]


@table.command("build")
def table_build(
    game: GameName,
    threads: Threads = None,
    nice: Annotated[
        bool, typer.Option("--nice", help="Let everything else on the machine go first.")
    ] = False,
) -> None:
    """Solve a game and write its table: a minute or so."""
    from gokaku.cli import tabling

    tabling.build(game, threads, nice)


@table.command("verify")
def table_verify(game: GameName, threads: Threads = None) -> None:
    """Recompute every position from its successors: minutes."""
    from gokaku.cli import tabling

    raise typer.Exit(tabling.verify(game, threads))


@table.command("check")
def table_check(
    file: Annotated[Path, typer.Argument(metavar="FILE.tsv", help="Lines of a position, a tab, its plies.")],
    game: Annotated[
        str, typer.Option(metavar="GAME", callback=words.game, autocompletion=words.complete_game)
    ] = SOLVED[0],
) -> None:
    """Compare positions and values from elsewhere with the table."""
    from gokaku.cli import tabling

    raise typer.Exit(tabling.check(file, game))


@table.command("info")
def table_info(game: GameName, json: Json = False) -> None:
    """Tell what the table holds; the first time, count what the start leads to: a minute."""
    from gokaku.cli import tabling

    tabling.info(game, json)


@table.command("path")
def table_path(game: GameName) -> None:
    """Print where the table lies or will lie."""
    from gokaku.solve import tables

    print(tables.path(game))


chain = typer.Typer(help="Tic-tac-toe against a contract: see docs/chain.md.", rich_markup_mode=None)
app.add_typer(chain, name="chain")

Rpc = Annotated[
    str,
    typer.Option(metavar="URL", help="A node's address, or a test network's name: sepolia, anvil, ..."),
]
Keystore = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Who signs; else the key in $GOKAKU_CHAIN_KEY, else the node."),
]


@chain.command("gas")
def chain_gas(json: Json = False) -> None:
    """Measure what playing the contract costs: a minute."""
    from gokaku.cli import chaining

    chaining.gas(json)


@chain.command("dev")
def chain_dev(port: Annotated[int, typer.Option(help="0: any free port.", min=0, max=65535)] = 8545) -> None:
    """Run a chain of your own (anvil, from npm) with the contract on it."""
    from gokaku.cli import chaining

    chaining.dev(port)


@chain.command("deploy")
def chain_deploy(rpc: Rpc = "anvil", keystore: Keystore = None) -> None:
    """Put the contract on a test network."""
    from gokaku.cli import chaining

    chaining.deploy(rpc, keystore)


@chain.command("play")
def chain_play(
    rpc: Rpc = "anvil",
    keystore: Keystore = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="0x...", help="The contract's address. [default: as $GOKAKU_CHAIN says]"),
    ] = None,
    difficulty: Annotated[str, typer.Option(metavar="RUNG", help="easy, normal or hard.")] = "hard",
    second: Annotated[bool, typer.Option("--second", help="Let the contract move first.")] = False,
    game: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Go on with this game of yours.")
    ] = None,
) -> None:
    """Play against the contract; each move is a transaction."""
    from gokaku.cli import chaining

    chaining.play(rpc, keystore, address, difficulty, second, game)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="0: any free port. [default: 8000]")] = None,
    workers: Annotated[int | None, typer.Option(help="Engine processes. [default: one a core]")] = None,
    queue: Annotated[int | None, typer.Option(help="Questions that may wait. [default: 32]")] = None,
    log_level: Annotated[
        str | None, typer.Option(help="debug, info, warning or error. [default: info]")
    ] = None,
    warm: Annotated[
        bool | None, typer.Option("--warm/--no-warm", help="Compile in the background. [default: warm]")
    ] = None,
    solve: Annotated[
        bool | None, typer.Option("--solve/--no-solve", help="Build missing tables. [default: solve]")
    ] = None,
    deployed: Annotated[
        str | None,
        typer.Option("--chain", metavar="NETWORK:ADDRESS", help="Where the contract stands. [default: none]"),
    ] = None,
) -> None:
    """Serve the page and the API. Every option may also be set as GOKAKU_HOST, GOKAKU_PORT, ..."""
    from gokaku import server

    try:
        status = server.run(
            host, port, workers, queue, log_level=log_level, warm=warm, solve=solve, chain=deployed
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line (by default the process's own); the exit status."""
    try:
        status = app(args=arguments, prog_name="gokaku", standalone_mode=False)
        sys.stdout.flush()
    except UsageError as error:
        print(f"gokaku: {words.one_line(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has had enough (`| head`); Python must not complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (words.Refused, OSError) as error:
        print(f"gokaku: {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return 130
    return status if isinstance(status, int) else 0
