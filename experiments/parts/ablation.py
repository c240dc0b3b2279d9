"""What each mechanism and each constant of DRATIO is for: the contract without it."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from experiments.ablations import MECHANISMS, WHOLE, Ablation, scaled
from experiments.delays import CHANGING, STEADY, SUDDEN, Delays, delayed, heaps
from experiments.outcome import Outcome, Table
from experiments.ratios import RATIOS
from experiments.real import dns_log, log_path
from experiments.size import Size
from experiments.waiting import FIRST, Stream
from transom.disorder import DropRatio, Generator, Heartbeat
from transom.disorder.controllers import controller_of
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence

TUPLES, LONG, SEEDS = 100_000, 1_000_000, 2
STARTS = (0, 3_000, 6_000, 10_000, 15_000, 20_000)
GROUPS = ("steady", "changing", "sudden", "heaps", "dns.log", "long")
EVER_WORSE: dict[str, Delays] = {"ever worse": lambda r, at: r.exponential(5 + 95 * at)}
EACH = 8
"""The delay is read after one tuple in so many."""


@dataclass(frozen=True)
class Found:
    """The share of late tuples, and the median and the mean delay in milliseconds."""

    share: float
    delay: float
    mean: float


class Case:
    """A stream in milliseconds, which is what DRATIO counts in."""

    def __init__(self, group: str, stream: Stream) -> None:
        self.group, self.milliseconds = group, stream.tau // 1_000
        self.sequence = Sequence.of(self.milliseconds)
        self.heartbeat = self.run(Heartbeat())

    @cached_property
    def _descending(self) -> list[int]:
        return sorted(self.sequence.below[FIRST:].tolist(), reverse=True)

    def hindsight(self, share: float) -> float:
        """The least SLACK that would have let no more come late."""
        return float(self._descending[int(share * len(self._descending))])

    def run(self, generator: Generator) -> Found:
        path = controller_of(generator, Axis()).judge(self.sequence)
        at = np.arange(FIRST + 1, len(self.sequence) + 1, EACH)
        reached = np.maximum(path.before(at), self.milliseconds.min())
        delays = self.sequence.high[at] - reached
        late = int(np.count_nonzero(path.late() >= FIRST))
        return Found(late / (len(self.sequence) - FIRST), float(np.median(delays)), float(delays.mean()))


def run(size: Size) -> Outcome:
    made = Outcome("Ablation: the contract without one mechanism, or with another constant")
    cases, seeds = streams(size, made), SEEDS if size.most is None else 1
    whole = {id(case): [case.run(DropRatio(ratio)) for ratio in RATIOS] for case in cases}
    about = f"{size.of(TUPLES):,} tuples ({size.of(LONG):,} long), {seeds} seeds, ratios of 0.1, 1 and 5 %"
    for title, ablations in (("Without", MECHANISMS), ("Half and twice", scaled())):
        rows = [row(WHOLE, cases, whole)] + [row(one, cases, whole) for one in size.some(ablations)]
        made.tables.append(Table(f"{title}: {about}", head(cases), rows))
    return made


def streams(size: Size, made: Outcome) -> list[Case]:
    tuples, found = size.of(TUPLES), list[Case]()
    for seed in range(SEEDS if size.most is None else 1):
        for group, kinds in (("steady", STEADY), ("changing", CHANGING | EVER_WORSE), ("sudden", SUDDEN)):
            found += [Case(group, delayed(delays, tuples, seed)) for delays in kinds.values()]
        found += [Case("heaps", heaps(tuples, 10 * seed + n)) for n in range(3)]
    log = log_path()
    if log is None:
        made.notes.append("Skipped: dns.log, which is not there.")
    else:
        whole = dns_log(log)
        ends = [(start, start + size.of(len(whole.tau) - start)) for start in size.some(STARTS)]
        found += [Case("dns.log", Stream(whole.tau[start:end], whole.at[start:end])) for start, end in ends]
    long = [STEADY["exponential"], STEADY["Pareto"], CHANGING["worse for a half"]]
    return [*found, *(Case("long", delayed(delays, size.of(LONG), 0)) for delays in long)]


def head(cases: list[Case]) -> dict[str, str]:
    """For each group, how many streams keep the ratio, and the delay beside that of DRATIO as it is."""
    found = {"what": ""}
    for group in (group for group in GROUPS if any(case.group == group for case in cases)):
        found |= {f"{group}: kept": "", f"{group}: delay %": "+.1f", f"{group}: mean %": "+.1f"}
    return found | {"above HEARTBEAT": ",", "above hindsight, changing": ","}


def row(ablation: Ablation, cases: list[Case], whole: dict[int, list[Found]]) -> list[object]:
    kept, of = defaultdict[str, int](int), defaultdict[str, int](int)
    delays, means = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    above_heartbeat = above_hindsight = 0
    with ablation.applied():
        for case in cases:
            for ratio, usual in zip(RATIOS, whole[id(case)], strict=True):
                found = case.run(DropRatio(ratio))
                of[case.group] += 1
                kept[case.group] += found.share <= ratio
                delays[case.group].append(math.log(max(found.delay, 1) / max(usual.delay, 1)))
                means[case.group].append(math.log(max(found.mean, 1) / max(usual.mean, 1)))
                above_heartbeat += case.heartbeat.share <= ratio and found.delay >= case.heartbeat.delay
                above_hindsight += case.group == "changing" and found.delay >= case.hindsight(found.share)
    cells: list[object] = [ablation.name]
    for group in (group for group in GROUPS if of[group]):
        cells += [f"{kept[group]} of {of[group]}", _percent(delays[group]), _percent(means[group])]
    return [*cells, above_heartbeat, above_hindsight]


def _percent(logarithms: list[float]) -> float:
    """The geometric mean of ratios, as what is above or below 100 %; noughts have no sign."""
    return 100 * (math.exp(statistics.fmean(logarithms)) - 1) + 0.0
