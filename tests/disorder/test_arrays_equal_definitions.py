"""Every controller promises what its generator does, tuple by tuple, over any cuts and restarts."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from transom import rows
from transom.disorder import Buffered, DropRatio, Generator, Heartbeat, Slack
from transom.disorder.controllers import Controller, controller_of, needs_arrival
from transom.errors import ArithmeticOverflow
from transom.kernels.columns.axis import Axis
from transom.semantics.tuples import Tuple

GENERATORS: dict[str, Generator] = {
    "heartbeat": Heartbeat(),
    "heartbeat average": Heartbeat(average=True),
    "ratio 10 %": DropRatio(0.1),
    "ratio 1 %": DropRatio(0.01),
    "ratio 0.1 %": DropRatio(0.001),
    "normal 1 %": DropRatio(0.01, normal=True),
    "normal 60 %": DropRatio(0.6, normal=True),
    "rows": Slack(rows(7)),
    "no rows": Slack(rows(0)),
    "slack in a buffer": Buffered(Slack(40), 12),
    "ratio in a buffer": Buffered(DropRatio(0.05), 25),
    "normal in a large buffer": Buffered(DropRatio(0.05, normal=True), 500),
}

AXES = {"integers": (Axis(), 1), "halves": (Axis(4), 2), "doubles": (Axis(None), 1)}


def arrivals(seed: int, axis: Axis, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Event and arrival times in the order of arrival; the delays change their scale now and then."""
    r = np.random.default_rng(seed)
    tau = np.cumsum(r.exponential(3, count)) - 500
    scale = np.repeat(r.choice([0.0, 3.0, 30.0, 300.0], 1 + count // 700), 700)[:count]
    at = tau + r.exponential(1, count) * scale
    order = np.argsort(at, kind="stable")
    tau, at = tau[order], at[order]
    return (tau, at) if axis.factor is None else (np.floor(tau).astype(np.int64), np.floor(at).astype(np.int64))


def defined(generator: Generator, axis: Axis, step: int, tau: Any, at: Any, known: bool, timed: bool = False) -> list[Any]:
    """The frontier before each tuple and after all, by the definition."""
    unit = None if axis.factor is None else Fraction(step, axis.factor)
    running, reached, found = generator.start("a", unit, "t" if known else None, timed=timed), -np.inf, []
    for a, t in zip(tau.tolist(), at.tolist(), strict=True):
        found.append(reached)
        values = (
            {"a": a, "t": t} if unit is None else {"a": Decimal(a) * step / axis.factor, "t": Decimal(t) * step / axis.factor}
        )
        promise = running.promise(Tuple(1, 1, values))
        reached = reached if promise is None else max(reached, promise.x)
    return [*found, reached]


def carried(controller: Controller, anew: Controller) -> Controller:
    anew.from_json(json.loads(json.dumps(controller.to_json())))
    return anew


CASES = [(name, known) for name, one in GENERATORS.items() for known in ([True, False] if needs_arrival(one) else [False])]
"""With arrival times that are known, and with none."""


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize(("name", "known"), CASES)
def test_frontiers_are_those_of_the_definition(name: str, known: bool, axis: str) -> None:
    generator, (scale, step) = GENERATORS[name], AXES[axis]
    count = 6000 if "ratio" in name else 1200
    for seed in range(2):
        tau, at = arrivals(seed, scale, count)
        expected = defined(generator, scale, step, tau, at, known)
        r = np.random.default_rng(seed)
        cuts = [0, *sorted(r.integers(0, count, 9).tolist()), count]
        controller = controller_of(generator, scale, step)
        for start, end in pairwise(cuts):
            given = at[start:end] * step if known else None
            got = controller.run(tau[start:end] * step, given)
            wanted = expected[start : end + 1]
            assert [_plain(scale, x) for x in got.tolist()] == wanted
            controller = carried(controller, controller_of(generator, scale, step))
        about = controller.about()
        assert about["seen"] == count
        assert about["late"] == sum(a < f for a, f in zip(_on(scale, tau * step), expected, strict=False))
        assert about["waiting"] == sum(a >= expected[-1] for a in _on(scale, tau * step))


def test_tuples_far_later_than_all_others_after_many() -> None:
    """Then choices are rarer than 256 tuples, and one that comes soon shows; on both sides of a cut, too. And after 100,000
    tuples, not all are remembered, and more are looked at."""
    r = np.random.default_rng(0)
    tau = np.cumsum(r.integers(1, 6, 160_000))
    a = tau[np.argsort(tau + r.pareto(1.5, len(tau)) * 30, kind="stable")]
    expected = defined(DropRatio(0.05), Axis(), 1, a, a, known=False)
    controller = controller_of(DropRatio(0.05), Axis())
    cuts = [0, 30_000, *sorted(r.integers(30_000, len(a), 90).tolist()), len(a)]
    for start, end in pairwise(cuts):
        assert [_plain(Axis(), x) for x in controller.run(a[start:end]).tolist()] == expected[start : end + 1]
        controller = carried(controller, controller_of(DropRatio(0.05), Axis()))


@pytest.mark.parametrize("ratio", [0.001, 0.02])
def test_disorder_that_falls_and_rises_after_many(ratio: float) -> None:
    """Then choices are far apart, and a fall ends the time to the next; on both sides of a cut, too."""
    r = np.random.default_rng(1)
    tau = np.cumsum(r.integers(1, 6, 90_000))
    scale = np.repeat(r.choice([3.0, 30.0, 300.0], 1 + len(tau) // 3_000), 3_000)[: len(tau)]
    a = tau[np.argsort(tau + r.exponential(1, len(tau)) * scale, kind="stable")]
    expected = defined(DropRatio(ratio), Axis(), 1, a, a, known=False)
    controller = controller_of(DropRatio(ratio), Axis())
    for start, end in pairwise([0, *sorted(r.integers(0, len(a), 90).tolist()), len(a)]):
        assert [_plain(Axis(), x) for x in controller.run(a[start:end]).tolist()] == expected[start : end + 1]
        controller = carried(controller, controller_of(DropRatio(ratio), Axis()))


@pytest.mark.parametrize("generator", [DropRatio(0.01), Buffered(DropRatio(0.05), 40), DropRatio(0.05, normal=True)], ids=str)
def test_delays_of_time_are_whole_milliseconds(generator: Generator) -> None:
    tau, at = (x * 700 + np.random.default_rng(1).integers(0, 700, 4000) for x in arrivals(5, Axis(), 4000))
    expected = defined(generator, Axis(), 1, tau, at, known=False, timed=True)
    controller = controller_of(generator, Axis(), timed=True)
    for start, end in pairwise([0, 700, 701, 2500, 4000]):
        got = controller.run(tau[start:end])
        assert [_plain(Axis(), x) for x in got.tolist()] == expected[start : end + 1]
        controller = carried(controller, controller_of(generator, Axis(), timed=True))
    whole = all(x % 1000 == 0 for x in expected if x > -np.inf)
    assert whole == (generator == DropRatio(0.01))


def _on(axis: Axis, places: Any) -> list[Any]:
    return [_plain(axis, x) for x in places.tolist()]


def _plain(axis: Axis, x: Any) -> Any:
    if axis.factor is None:
        return x
    return -np.inf if x == axis.nothing_yet else Fraction(x, axis.factor)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("other", [Slack(200), DropRatio(0.01), DropRatio(0.01, normal=True)], ids=str)
def test_no_more_than_the_buffer_holds_ever_wait(other: Generator, axis: str) -> None:
    scale, step = AXES[axis]
    tau, _ = arrivals(3, scale, 2000)
    tau = tau // 8 * 8
    reached = controller_of(Buffered(other, 20), scale, step).run(tau * step)[1:]
    for n in range(0, 2000, 7):
        assert np.count_nonzero(tau[: n + 1] * step >= reached[n]) <= 20


def test_large_numbers_are_added_up_exactly() -> None:
    """Squares of delays of years in microseconds do not fit into 64 bits."""
    tau, at = arrivals(1, Axis(), 400)
    tau, at = tau * 10**13, at * 10**13
    for generator in (DropRatio(0.01, normal=True), Heartbeat(average=True)):
        got = controller_of(generator, Axis()).run(tau, at)
        assert [_plain(Axis(), x) for x in got.tolist()] == defined(generator, Axis(), 1, tau, at, True)


@pytest.mark.parametrize("generator", [DropRatio(0.01), DropRatio(0.01, normal=True)], ids=str)
@pytest.mark.parametrize("axis", [Axis(), Axis(None)], ids=["integers", "doubles"])
def test_a_tuple_that_is_too_late_to_be_counted_is_an_error(generator: Generator, axis: Axis) -> None:
    a = np.append(np.arange(2000) + 2**61, [0]).astype(axis.dtype)
    with pytest.raises(ArithmeticOverflow, match="up to 2\\^60 units"):
        controller_of(generator, axis).run(a)
    with pytest.raises(ArithmeticOverflow, match="up to 2\\^60 units"):
        defined(generator, axis, 1, a, a, known=False)
    a[-1] = 2**60 + 2_000
    assert len(controller_of(generator, axis).run(a)) == len(a) + 1
