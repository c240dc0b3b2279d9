"""Windows under a policy for disorder: what each answered, how wrong that was, and how long it took (seed 000, section 6).

Answers come from the kernels. When they leave follows from the frontier: a window leaves with the tuple that moves it to the
window's end. Latency is the time from the end of a window until then, with tuples and windows on one clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

import transom as tr
from experiments.engine import Engine
from experiments.waiting import SECOND, Stream, waiting
from transom import seconds
from transom.disorder import DropRatio, Generator, Slack
from transom.kernels.columns.arrays import Array, Bools

COLUMNS = {"speed": "DOUBLE", "ts": "TIMESTAMP", "p": "BOOLEAN"}
TYPES = {"speed": pa.float64(), "ts": pa.timestamp("us", "UTC"), "p": pa.bool_()}


@dataclass(frozen=True)
class Windows:
    """A range and a slide in seconds, over one aggregate of `speed`."""

    range: int
    slide: int
    aggregate: Callable[[], Any]

    def answers(self, tau: Array, speed: Array, promises: Bools | None = None, **disorder: Any) -> tuple[dict[int, float], int]:
        """By the ends of the windows, and how many tuples came late."""
        stream = tr.stream(COLUMNS, order_by="ts", **disorder)
        window = stream.window(range=seconds(self.range), slide=seconds(self.slide))
        engine = Engine(window.agg(y=self.aggregate(), end="window_end"), TYPES)
        flags = np.zeros(len(tau), bool) if promises is None else promises
        table = pa.table({"speed": speed, "ts": pa.array(tau, TYPES["ts"]), "p": flags})
        rows = engine.answer(table, 20_000)
        ends = rows["end"].cast(pa.int64()).to_pylist()
        return dict(zip(ends, rows["y"].to_pylist(), strict=True)), engine.counts.late


@dataclass(frozen=True)
class Found:
    """Latency in seconds, wrong answers and the mean error in percent, late tuples."""

    latency: float
    wrong: float
    error: float
    late: int


class Comparison:
    """One disordered stream, whose right answers are those over the same tuples in order."""

    def __init__(self, windows: Windows, stream: Stream, speed: Array) -> None:
        self.windows, self.stream, self.speed = windows, stream, speed
        order = np.argsort(stream.tau, kind="stable")
        self.right, _ = windows.answers(stream.tau[order], speed[order], ordered=True)

    def slack(self, length: int, late: str) -> Found:
        return self._generated(Slack(seconds(length)), slack=seconds(length), late=late)

    def drop_ratio(self, ratio: float, late: str) -> Found:
        return self._generated(DropRatio(ratio), drop_ratio=ratio, late=late)

    def _generated(self, generator: Generator, **disorder: Any) -> Found:
        answers, late = self.windows.answers(self.stream.tau, self.speed, **disorder)
        return self._found(answers, late, waiting(generator, self.stream).reached[1:])

    def punctuated(self) -> Found:
        """The source knows what is still to come, and says so whenever a window can leave."""
        slide = self.windows.slide * SECOND
        least = np.minimum.accumulate(np.append(self.stream.tau[1:], self.stream.tau.max() + slide)[::-1])[::-1]
        promised = least // slide * slide
        says = np.flatnonzero(promised > np.append(promised[0] - 1, promised[:-1]))
        tau = np.insert(self.stream.tau, says + 1, promised[says])
        speed = np.insert(self.speed, says + 1, 0.0)
        flags = np.insert(np.zeros(len(self.speed), bool), says + 1, True)
        answers, late = self.windows.answers(tau, speed, flags, punctuation=(["ts"], "p"))
        return self._found(answers, late, promised)

    def _found(self, answers: dict[int, float], late: int, reached: Array) -> Found:
        """Windows that only the end of the input completes do not count."""
        ends = np.array([end for end in self.right if end <= reached[-1]])
        latency = self.stream.at[np.searchsorted(reached, ends)] - ends
        right = np.array([self.right[end] for end in ends.tolist()])
        given = np.array([answers.get(end, 0.0) for end in ends.tolist()])
        off = np.abs(given - right) / right
        return Found(float(latency.mean()) / SECOND, 100 * float((off > 1e-9).mean()), 100 * float(off.mean()), late)
