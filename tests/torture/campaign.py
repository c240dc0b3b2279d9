"""A campaign: rounds in which every kind of query and every fault has its turn, and what came of them."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections import Counter
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.torture.cycle import CYCLE
from tests.torture.faults import Tally
from tests.torture.queries import KINDS
from tests.torture.rounds import Round, torture
from tests.torture.surroundings import Made, OutOfReach

EACH = 4
"""Queries of a round: every kind has its turn in one cycle of the surroundings."""
LIVES = 3
"""Lives of a round that end badly."""


def campaign(
    spark: SparkSession,
    folder: Path,
    *,
    minutes: float,
    kills: int,
    seed: int,
    figures: Path | None = None,
    cycle: Mapping[str, Made] = CYCLE,
) -> Tally:
    """Rounds until the time is over and there were as many kills. The figures so far are written after each round."""
    tally, until, kinds = Tally(), time.monotonic() + 60 * minutes, list(KINDS)
    random.Random(seed).shuffle(kinds)
    for number in count():
        if tally.wrong or (time.monotonic() >= until and tally.kills >= kills):
            return tally
        name, made = list(cycle.items())[number % len(cycle)]
        place, own = folder / f"round-{number}", tuple(kinds[:EACH])
        place.mkdir(parents=True)
        rng = random.Random(seed * 1000 + number)
        try:
            with made(spark, place, own) as where:
                torture(Round(spark, seed * 1000 + number, place, tally, (*own, *where.kinds), where, rng), lives=LIVES)
        except (OutOfReach, pytest.skip.Exception) as error:
            tally.not_reached.add(f"{name}: {error}")
            continue
        kinds = kinds[EACH:] + kinds[:EACH]
        if not tally.wrong:
            shutil.rmtree(place, ignore_errors=True)
        print(f"round {number + 1}, {name}, {', '.join(own)}: {tally.kills} kills, {tally.queries} queries", flush=True)
        if figures is not None:
            figures.write_text(as_json(tally) + "\n", encoding="utf-8")
    raise AssertionError


def report(tally: Tally, seconds: float) -> str:
    """What is printed at the end."""
    lines = [f"{seconds / 60:.0f} minutes, {sum(tally.injected.values())} faults injected, {tally.kills} of them kills"]
    lines += [f"  {count:6} {name}" for name, count in tally.injected.most_common()]
    lines += [f"{tally.queries} queries, {sum(tally.survived.values())} survived, {tally.rows} rows compared, 0 twice or missing"]
    lines += [f"  {count:6} {name}" for name, count in sorted(tally.survived.items())]
    lines += [f"{sum(tally.refused.values())} times refused until the file was back: {dict(tally.refused)}"]
    lines += [f"{sum(tally.failures.values())} failures that a restart answered: {dict(tally.failures.most_common(6))}"]
    lines += [f"not reached: {one}" for one in sorted(tally.not_reached)]
    lines += [f"WRONG: {one}" for one in tally.wrong]
    return "\n".join(lines).replace(", 0 twice or missing", "" if tally.wrong else ", 0 twice or missing")


def as_json(tally: Tally) -> str:
    """The figures as data."""
    return json.dumps({name: _plain(value) for name, value in vars(tally).items()}, indent=1)


def _plain(value: object) -> object:
    if isinstance(value, Counter):
        return dict(value)
    return sorted(value) if isinstance(value, set) else value
