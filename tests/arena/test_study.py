"""A study plays what it is asked to, the same by the same seed, and goes on after any break."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import gokaku
from gokaku import search
from gokaku.arena import games, hosts, report, study
from gokaku.arena.games import Rules
from gokaku.arena.guests import LADDER
from gokaku.arena.hosts import even_keel
from gokaku.cli import main
from gokaku.games import NAMES
from gokaku.opponents import Limit, Question, judge

GOKAKU = Path(sys.executable).with_name("gokaku")
SMALL = Rules(nodes=100, glance=30)


def plan(name: str, count: int, seed: int = 0) -> study.Plan:
    """A few pairs, quickly judged."""
    return study.Plan(name, count, seed, SMALL, ("weak", "t12"), ("hospitality", "host2", "even-keel"))


def play(folder: Path, of: study.Plan, jobs: int = 2) -> study.Folder:
    told = []
    opened = study.Folder(folder, of)
    before = len(list(opened.records()))
    study.run(opened, jobs, lambda count, who: told.append(count))
    assert before + sum(told) == of.total
    return opened


def test_every_pair_plays_its_games_and_the_seed_decides(tmp_path: Path) -> None:
    one = play(tmp_path / "one", plan("tictactoe", 6)).by_pair()
    assert list(one) == list(plan("tictactoe", 6).pairs)
    assert all([record.number for record in records] == list(range(6)) for records in one.values())
    # Another order of the same games, in one process.
    two = play(tmp_path / "two", replace(plan("tictactoe", 6), guests=("t12", "weak")), jobs=1).by_pair()
    assert {pair: one[pair] for pair in one} == {pair: two[pair] for pair in one}
    other = play(tmp_path / "other", plan("tictactoe", 6, seed=1)).by_pair()
    assert other != one


def test_a_record_is_a_game() -> None:
    game = gokaku.game("dobutsu")
    search.warm(game.rules)
    judge_of = games.judge_of(game, SMALL)()
    record = games.play(game, "t12", "hospitality", 0, 5, SMALL, judge_of)
    board = game.replay(record.moves)
    assert board.outcome is not None
    assert record.winner == {"first": "guest", "second": "host", None: None}[board.outcome.winner]
    assert len(record.plies) == len(record.moves)
    assert all(not ply.seen for ply in record.plies[::2])
    assert all(ply.given or not ply.seen for ply in record.plies)


def test_more_games_are_added_to_those_there(tmp_path: Path) -> None:
    few = play(tmp_path, plan("tictactoe", 4)).by_pair()
    more = play(tmp_path, plan("tictactoe", 6)).by_pair()
    assert {pair: records[:4] for pair, records in more.items()} == few
    assert study.Folder(tmp_path, plan("tictactoe", 4)).by_pair() == few


def test_a_folder_of_another_study_is_refused(tmp_path: Path) -> None:
    study.Folder(tmp_path, plan("tictactoe", 4))
    with pytest.raises(study.OtherStudy, match="holds another study"):
        study.Folder(tmp_path, plan("tictactoe", 4, seed=3))


def test_a_line_cut_short_is_played_again(tmp_path: Path) -> None:
    whole = play(tmp_path, plan("tictactoe", 8)).by_pair()
    file = tmp_path / "games.jsonl"
    file.write_bytes(file.read_bytes()[:-30])
    opened = study.Folder(tmp_path, plan("tictactoe", 8))
    assert len(list(opened.records())) == opened.plan.total - 1
    assert play(tmp_path, plan("tictactoe", 8)).by_pair() == whole


COMMAND: list[str | Path] = [
    *(GOKAKU, "study", "hospitality", "tictactoe", "--games", "2", "--nodes", "50", "--jobs", "2", "--out")
]
TOTAL = 2 * len(LADDER) * len(hosts.names(gokaku.game("tictactoe")))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that was never broken off."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run([*COMMAND, folder], capture_output=True, check=True)
    return folder


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_study_goes_on_where_it_was(whole: Path, tmp_path: Path, how: signal.Signals) -> None:
    # Where these tests run in a shell's background Ctrl-C is ignored, which a process hands down.
    process = subprocess.Popen(
        [*COMMAND, tmp_path],
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    file = tmp_path / "games.jsonl"
    deadline = time.monotonic() + 120
    while not file.exists() or file.read_bytes().count(b"\n") < 6:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(how)
    process.wait(60)
    assert process.returncode != 0
    before = file.read_bytes()
    assert 6 <= before.count(b"\n") < TOTAL
    assert not _children_of(process.pid)
    done = subprocess.run([*COMMAND, tmp_path], capture_output=True, text=True, check=True)
    assert f"of {TOTAL} games" in done.stderr
    assert file.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    for name in ("results.csv", "results.md", "wins.svg"):
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()


def _children_of(pid: int, patience_s: float = 5) -> list[str]:
    """Processes of a study that outlive it, after some time to leave."""
    end = time.monotonic() + patience_s
    while True:
        left = [
            path.name
            for path in Path("/proc").glob("[0-9]*")
            if f"parent_pid={pid}," in _command_line(path).replace(" ", "")
        ]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.2)


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_text()
    except OSError:
        return ""


def test_the_report_says_what_was_played(tmp_path: Path) -> None:
    folder = play(tmp_path, plan("ultimate", 3))
    files = report.write(folder)
    assert {file.suffix for file in files} == {".csv", ".md", ".svg", ".png"}
    assert all(file.stat().st_size > 1_000 for file in files if file.suffix != ".md")
    rows = list(csv.DictReader((tmp_path / "results.csv").open(encoding="utf-8")))
    assert [(row["guest"], row["host"]) for row in rows] == list(folder.plan.pairs)
    for row, records in zip(rows, folder.by_pair().values(), strict=True):
        won = sum(record.winner == "guest" for record in records)
        assert float(row["guest_wins"]) == pytest.approx(won / 3, abs=1e-4)
        assert float(row["guest_wins_low"]) <= won / 3 <= float(row["guest_wins_high"])
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "| guest | hospitality | host2 | even-keel |" in text
    assert text.count("| t12 |") == 9


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no games of this study"):
        report.write(study.Folder(tmp_path, plan("tictactoe", 1)))


def test_the_command_refuses_another_studys_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "study.json").write_text(json.dumps({"game": "chess"}))
    assert main(["study", "hospitality", "tictactoe", "--out", str(tmp_path)]) == 2
    assert "holds another study" in capsys.readouterr().err


def test_even_keel_steers_to_even() -> None:
    board = gokaku.game("dobutsu").replay(["B3B2"])
    here = judge(Question(board, Limit(nodes=2_000)))
    move = even_keel(board, lambda of: here, 0)
    assert abs(here.values[move]) == min(map(abs, here.values.values()))


def test_stronger_guests_judge_better() -> None:
    """Against `weak` in the chair of the host the upper rungs win more than the lower."""
    game = gokaku.game("ultimate")
    search.warm(game.rules)
    judge_of = games.judge_of(game, SMALL)()
    won = {
        guest: sum(games.play(game, guest, "weak", n, 0, SMALL, judge_of).winner == "guest" for n in range(6))
        for guest in ("t50", "perfect")
    }
    assert won["perfect"] > won["t50"]


def test_names_of_the_ladder() -> None:
    assert (LADDER[0].name, LADDER[-1].name) == ("weak", "perfect")
    assert len(LADDER) >= 8
    softness = [guest.softness for guest in LADDER[1:] if guest.softness is not None]
    assert softness == sorted(softness, reverse=True)
    assert all(hosts.names(gokaku.game(name))[:2] == ("hospitality", "host2") for name in NAMES)
