"""`perfect` (最強): wins as fast as possible, loses as late as possible, draws when that is best.

It needs a complete table, and is offered where the rules can have one. Until the table is there it
searches instead, and says so.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from gokaku.opponents import engine
from gokaku.opponents.hospitality import tell
from gokaku.opponents.judging import Judgement, find_table, judge
from gokaku.opponents.question import LEVELS, Answer, Explanation, Question


def offered(rules: Any) -> bool:
    return hasattr(rules, "INDEX_SIZE")


def answer(question: Question) -> Answer:
    if find_table(question.board.game.rules) is None:
        found = engine.answer(replace(question, level=LEVELS[-1]))
        why = found.explanation
        text = f"there is no table of this game yet: {why.text}"
        return Answer(found.move, Explanation("search", text, why.values, why.details | {"source": "search"}))
    here = judge(question)
    return tell(random.Random(question.seed).choice(here.equals), *_why(here), here, {})


def _why(here: Judgement) -> tuple[str, str]:
    """The rule in a word and in a sentence."""
    plies, chance = here.plies[here.best], here.standing(here.best)
    if plies is None:
        return "draw", "nobody can force a win"
    if chance == 1:
        return "win", f"wins in {plies} plies, whatever the other side does"
    return "loss", f"every move loses; this one holds out for {plies} plies"
