"""The frontier before each tuple, and after each micro-batch, is that of the definitions, over any slices."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom import rows
from transom.disorder import Buffered, DropRatio, Generator, Heartbeat, Ordered, Slack
from transom.kernels.bucket import Bucket
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.progress.folding import Progress
from transom.kernels.spec import Spec
from transom.semantics import Frontier, Punctuation
from transom.semantics.tuples import Tuple

GROUPS: dict[str, list[Any]] = {"p": ["u", "v", None], "q": [1.5, float("nan"), None]}


@dataclass(frozen=True)
class Clause:
    """A generator, by the definitions and for kernels."""

    defined: Generator | None
    generating: Generating
    groups: tuple[str, ...] = ()
    substreams: tuple[tuple[Any, ...], ...] = ()


CLAUSES = {
    "slack": Clause(Slack(3), Generating(slack=3)),
    "ordered": Clause(Ordered(), Generating(slack=0)),
    "rows": Clause(Slack(rows(2)), Generating(control=Slack(rows(2)))),
    "heartbeat": Clause(Heartbeat(), Generating(control=Heartbeat())),
    "heartbeat average": Clause(Heartbeat(average=True), Generating(control=Heartbeat(average=True))),
    "buffered": Clause(Buffered(Slack(rows(4)), 3), Generating(control=Buffered(Slack(rows(4)), 3))),
    "no rows": Clause(Slack(rows(0)), Generating(control=Slack(rows(0)))),
    "ordered per p": Clause(Ordered(per=("p",)), Generating(per=("p",)), ("p",)),
    "ordered per both": Clause(Ordered(per=("p", "q")), Generating(per=("p", "q")), ("p", "q")),
    "to all": Clause(None, Generating(punctuated=())),
    "to p": Clause(None, Generating(punctuated=("p",)), ("p",)),
    "to both": Clause(None, Generating(punctuated=("p", "q")), ("p", "q")),
    "from a list": Clause(None, Generating(punctuated=("p",), substreams=(("u",), ("v",))), ("p",), (("u",), ("v",))),
    "from pairs": Clause(
        None, Generating(punctuated=("p", "q"), substreams=(("u", 1.5), ("v", 1.5))), ("p", "q"), (("u", 1.5), ("v", 1.5))
    ),
    "nothing": Clause(None, Generating()),
}

TYPES = {"a": pa.int64(), "p": pa.string(), "q": pa.float64()}


def event(r: random.Random, clause: Clause, n: int) -> dict[str, Any]:
    made: dict[str, Any] = {name: r.choice(values) for name, values in GROUPS.items()}
    promises = clause.generating.punctuated is not None and r.random() < 0.4
    a = None if r.random() < 0.1 and not promises else n + r.randint(-6, 3)
    return {**made, "a": a, "promises": promises}


def table_of(events: list[dict[str, Any]], clause: Clause) -> pa.Table:
    columns = {"__value": "a", "__px": "a", **{f"g:{name}": name for name in clause.groups}}
    columns |= {f"k:{name}": name for name in GROUPS}
    made = {to: pa.array([one[name] for one in events], TYPES[name]) for to, name in columns.items()}
    return pa.table({**made, "__punct": pa.array([one["promises"] for one in events], pa.bool_())})


def before_and_after(
    events: list[dict[str, Any]], clause: Clause, fixed: tuple[str, ...], unit: int | None = 1
) -> tuple[list[Any], Frontier]:
    declared = tuple(dict(zip(clause.groups, group, strict=True)) for group in clause.substreams)
    frontier = Frontier("a", declared)
    running = None if clause.defined is None else clause.defined.start("a", unit)
    judged = []
    for one in events:
        if one["promises"]:
            given = {name: one[name] for name in clause.groups if one[name] is not None}
            frontier = frontier.after(Punctuation("a", one["a"], given))
            continue
        t = Tuple(1, 1, one)
        judged.append((frontier.of_tuple(t), frontier.of_group({name: one[name] for name in fixed})))
        promise = None if running is None else running.promise(t)
        frontier = frontier if promise is None else frontier.after(promise)
    return judged, frontier


def kept_anew(progress: Progress) -> Progress:
    """As the next micro-batch finds it."""
    twin = Progress(progress.generating, progress.axis, progress.fixed)
    twin.from_json(progress.to_json())
    twin.promises_from(progress.promises_table())
    return twin


def plain(axis: Axis, frontier: Any) -> Any:
    return {axis.nothing_yet: -np.inf, axis.everything: np.inf}.get(frontier, frontier)


def judges_alike(a: Any, frontier: Any, exact: Any) -> bool:
    """Of a tuple that is not below it, the frontier may be told lower than it is."""
    return frontier == exact or (a is not None and frontier <= exact <= a)


@pytest.mark.parametrize("factor", [1, 2, None])
@pytest.mark.parametrize("name", CLAUSES)
@pytest.mark.parametrize("seed", range(12))
def test_every_tuple_is_judged_by_what_came_before_it(seed: int, name: str, factor: int | None) -> None:
    r, clause, axis = random.Random(seed), CLAUSES[name], Axis(factor)
    slack = clause.generating.slack
    generating = replace(clause.generating, step=factor or 1, slack=None if slack is None else slack * (factor or 1))
    unit = None if factor is None else 1
    fixed = r.choice([(), ("p",), ("p", "q")])
    progress = Progress(generating, axis, fixed)
    events = [event(r, clause, n) for n in range(30)]
    bucket = Bucket(Spec(axis, pa.int64() if factor else pa.float64(), generating))
    cuts = sorted(r.randint(0, 30) for _ in range(4))
    expected, _ = before_and_after(events, clause, fixed, unit)
    for start, end in zip([0, *cuts], [*cuts, 30], strict=True):
        middle = r.randint(start, end)
        pieces = [table_of(events[start:middle], clause), table_of(events[middle:end], clause)]
        slices = [one for n, piece in enumerate(pieces) for _, one in bucket.slices(piece, (n,))]
        judged = progress.fold(slices)
        scale = factor or 1
        got = [(plain(axis, t), plain(axis, g)) for t, g in zip(judged.of_tuple, judged.of_group, strict=True)]
        own = [one["a"] for one in events[start:end] if not one["promises"]]
        for a, (t, g), (of_tuple, of_group) in zip(own, got, expected[: len(got)], strict=True):
            assert judges_alike(a, t / scale, of_tuple)
            assert judges_alike(a, g / scale, of_group)
        expected = expected[len(got) :]
        _, frontier = before_and_after(events[:end], clause, fixed, unit)
        keys = [{"p": p, "q": q} for p in GROUPS["p"] for q in GROUPS["q"]]
        table = pa.table({f"k:{column}": pa.array([one[column] for one in keys], TYPES[column]) for column in GROUPS})
        wanted = [frontier.of_group({column: one[column] for column in fixed}) for one in keys]
        assert [plain(axis, x) / scale for x in progress.of_keys(table)] == wanted
        assert plain(axis, progress.of_all) / scale == frontier.of_group({})
        progress = kept_anew(progress)
    assert not expected


@pytest.mark.parametrize("seed", range(30))
def test_substreams_wait_for_the_slowest(seed: int) -> None:
    """A tuple is judged by its own substream so far, together with the others as they were at the start."""
    r, slack = random.Random(seed), random.Random(seed).randint(0, 4)
    generating = Generating(slack=slack, per_source=True)
    progress = Progress(generating, Axis())
    bucket = Bucket(Spec(Axis(), pa.int64(), generating))
    highs: dict[str, int] = {}
    reached: float = -np.inf
    for batch in range(6):
        arrived = [(r.choice("xyz"), 4 * batch + r.randint(-5, 5)) for _ in range(r.randint(0, 8))]
        arrived.sort(key=lambda one: one[0])
        table = pa.table({"__source": [s for s, _ in arrived], "__value": pa.array([a for _, a in arrived], pa.int64())})
        judged = progress.fold([one for _, one in bucket.slices(table, (0,))])
        start, wanted = dict(highs), []
        for source, a in arrived:
            others = [high - slack for other, high in start.items() if other != source]
            own = highs[source] - slack if source in highs else -np.inf
            wanted.append(max(reached, min([own, *others])))
            highs[source] = max(highs.get(source, a), a)
        for (_, a), x, exact in zip(arrived, judged.of_tuple, wanted, strict=True):
            assert judges_alike(a, plain(Axis(), x), exact)
        reached = max([reached, *([min(highs.values()) - slack] if highs else [])])
        progress = kept_anew(progress)
        assert plain(Axis(), progress.of_all) == reached


@pytest.mark.parametrize("control", [Heartbeat(), Slack(rows(3)), DropRatio(0.2, normal=True)], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_each_substream_has_its_controller(seed: int, control: Generator) -> None:
    """Judged by its own substream so far, together with the others as they were at the start; the silent are passed over."""
    r, idle = random.Random(seed), 3
    generating = Generating(control=control, per_source=True, idle_after=idle)
    progress, bucket = Progress(generating, Axis()), Bucket(Spec(Axis(), pa.int64(), generating))
    running = {source: control.start("a") for source in "xyz"}
    own: dict[str, float] = {}
    heard: dict[str, int] = {}
    reached: float = -np.inf
    for now in range(40):
        names = "xyz" if now % 10 < 5 else "xy"
        arrived = sorted(((r.choice(names), 4 * now + r.randint(-9, 9)) for _ in range(r.randint(1, 8))), key=lambda one: one[0])
        values = {"__value": pa.array([a for _, a in arrived]), "__now": pa.array([now] * len(arrived))}
        table = pa.table({"__source": [source for source, _ in arrived], **values})
        judged = progress.fold([one for _, one in bucket.slices(table, (0,))])
        start, wanted = {source: x for source, x in own.items() if now - heard[source] <= idle}, []
        for source, a in arrived:
            others = [x for other, x in start.items() if other != source]
            wanted.append(max(reached, min([own.get(source, -np.inf), *others])))
            promise = running[source].promise(Tuple(1, 1, {"a": a}))
            own[source] = max(own.get(source, -np.inf), -np.inf if promise is None else promise.x)
            heard[source] = now
        assert [plain(Axis(), x) for x in judged.of_tuple] == wanted
        reached = max(reached, min(x for source, x in own.items() if now - heard[source] <= idle))
        progress = kept_anew(progress)
        assert plain(Axis(), progress.of_all) == reached
        told = progress.about()
        assert told is not None
        assert told["late"] <= told["seen"]


def test_the_end_completes_everything_once() -> None:
    progress = Progress(Generating(slack=0), Axis())
    progress.ended = True
    nobody = pa.table({"": pa.nulls(1)})
    assert progress.of_keys(nobody).tolist() == [Axis().everything]
    progress.after_end(7)
    assert progress.of_keys(nobody).tolist() == [7]
    assert progress.of_all == 7
