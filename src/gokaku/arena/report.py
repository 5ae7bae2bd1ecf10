"""From a study's folder to its tables and pictures, as far as games have been played."""

from __future__ import annotations

from pathlib import Path

import gokaku
from gokaku.arena import measures, tables
from gokaku.arena.study import Folder


class NoPlots(ImportError):
    """matplotlib is not installed."""


def write(folder: Folder) -> list[Path]:
    """Writes results.csv and results.md, then the pictures; the files.

    Raises NoPlots after the tables are written, and ValueError if nothing has been played.
    """
    games = folder.by_pair()
    if not games:
        raise ValueError(f"no games of this study in {folder.path}")
    summaries = [measures.summary(*pair, records) for pair, records in games.items()]
    files = [folder.path / "results.csv", folder.path / "results.md"]
    files[0].write_text(tables.as_csv(summaries), encoding="utf-8")
    files[1].write_text(tables.as_markdown(summaries), encoding="utf-8")
    try:
        from gokaku.arena import plots
    except ImportError:
        raise NoPlots("the tables are written; for the plots: pip install 'gokaku[study]'") from None
    title = gokaku.game(folder.plan.game).title[0]
    return files + plots.draw(folder.path, title, summaries, games)
