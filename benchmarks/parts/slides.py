"""A sum over 40,000 rows with slides from 1 to 40,000, with and without panes (seed 003, figures 6 and 7)."""

from __future__ import annotations

import random
from itertools import pairwise

from benchmarks.bench import Bench
from benchmarks.bodies.driven import Driven, ready
from benchmarks.contest import Contest, Ratio
from benchmarks.part import Curve, Floor, Part
from benchmarks.race import Loop, race

LENGTH = 40_000
SLIDES = (1, 10, 100, 1_000, 10_000, 40_000)
TUPLES = 80_000
WAYS = {"with panes": "total_on_panes", "without": "total_of_tuples"}


def measure(bench: Bench) -> Part:
    part = Part("slides", f"Sum over {LENGTH:,} rows by slide, with and without panes")
    slides = bench.conditions.some(SLIDES)
    contest = race([loop(way, slide) for slide in slides for way in WAYS], bench.conditions.repeats)
    part.take(contest)
    rates = {way: [(slide, round(contest.rate(named(way, slide)))) for slide in slides] for way in WAYS}
    kept = {way: [(slide, _kept(contest, way, slide)) for slide in slides] for way in WAYS}
    part.curves.append(Curve("slides-throughput", "Sum over 40,000 rows", "slide, rows", "tuples/s", rates))
    part.curves.append(Curve("slides-state", "State of a sum over 40,000 rows", "slide, rows", "bytes kept", kept))
    part.floors += _floors(contest, slides)
    part.notes.append(
        "One key, without Spark. The state is what is kept of the key between micro-batches, as bytes. A slide of 1 has no "
        f"panes, and one of {LENGTH:,} is a tumble: nothing but the state of the base version stays."
    )
    return part


def named(way: str, slide: int) -> str:
    return f"sum {way}, slide {slide:,}"


def loop(way: str, slide: int) -> Loop:
    rng = random.Random(slide)
    values = [float(rng.randrange(1_000)) for _ in range(TUPLES)]
    driven = Driven(ready("total", WAYS[way]), LENGTH, slide)
    driven.run(values)
    return Loop(named(way, slide), TUPLES, lambda: len(driven.run(values)), driven.kept)


def _kept(contest: Contest, way: str, slide: int) -> int:
    return contest.runs[named(way, slide)][-1].state["live_bytes"]


def _floors(contest: Contest, slides: tuple[int, ...]) -> list[Floor]:
    """A tenth of the panes is a tenth of the state, but for what a state has besides; and fewer tuples move."""
    inner = [slide for slide in slides if 1 < slide < LENGTH]
    floors = []
    for fine, coarse in pairwise(inner):
        share = _kept(contest, "with panes", fine) / _kept(contest, "with panes", coarse)
        if LENGTH // coarse >= 40:
            floors.append(_exact(f"state with panes, slide {fine:,} to slide {coarse:,}", share, at_least=coarse / fine / 2))
    for fine, coarse in pairwise([*inner, slides[-1]]):
        rise = contest.speed(named("with panes", coarse), named("with panes", fine))
        floors.append(Floor(f"speed with panes, slide {coarse:,} to slide {fine:,}", rise, at_least=1))
    return [*floors, *(_against(contest, slide) for slide in slides[1:])]


def _against(contest: Contest, slide: int) -> Floor:
    speed = contest.speed(named("with panes", slide), named("without", slide))
    return Floor(f"speed with panes to without, slide {slide:,}", speed, at_least=1)


def _exact(text: str, share: float, *, at_least: float) -> Floor:
    return Floor(text, Ratio(share, share, share), at_least=at_least)
