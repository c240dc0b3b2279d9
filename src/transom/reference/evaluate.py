"""The reference evaluator: the exact answer, by the definitions, with no cleverness.

It walks through the items in the order of arrival. Each tuple is judged against the frontier reached before it;
after each item, every window whose extent has become complete gives its rows, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from transom.reference.binding import bind
from transom.reference.history import Item, Step, StepRecorder
from transom.reference.lateness import OUTSIDE, Frontiers, Verdict, completes_by_group, judge, made_of_tuples, tuples_complete
from transom.reference.outcome import Fate, LateTuple, Outcome, Result
from transom.reference.over import evaluate_frames
from transom.reference.query import Query
from transom.reference.rows import in_window_order, is_grouping, rows_of_window, window_columns
from transom.reference.stream import ReferenceStream
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import Number
from transom.semantics.tuples import Tuple
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.partitioned import Partition, partition_of, partitions, substream
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Wid, Window


def evaluate(
    query: Query,
    stream: ReferenceStream,
    items: Sequence[Item],
    runner: Callable[..., Run] | None = None,
    ends: Sequence[int] = (),
) -> Outcome:
    """The answer of a query to everything that arrived.

    `runner` is another way to run a partition than the obvious one; `ends` are those of micro-batches, for PER SOURCE.

    >>> from transom.reference import Arrival, End
    >>> from transom.semantics import tumbling
    >>> traffic = ReferenceStream(columns={"speed": "double", "mile": "bigint"}, order_by="mile")
    >>> query = Query(window=tumbling(10, "mile"), select={"end": "window_end", "hi": "max(speed)"})
    >>> items = [Arrival({"speed": 50.0, "mile": 3}), Arrival({"speed": 60.0, "mile": 12}), End()]
    >>> evaluate(query, traffic, items).rows
    [{'end': 10, 'hi': 50.0}, {'end': 20, 'hi': 60.0}]
    """
    query = bind(query, stream)
    if query.window is None:
        return evaluate_frames(query, stream, items, ends)
    pattr, base = partition_columns(query.window), base_of(query.window)
    steps = StepRecorder(stream, base.attribute or stream.order, query.prefilter).record(items, ends)
    arrivals = [step.tuple for step in steps if step.tuple is not None]
    outcome = Outcome()
    for partition in partitions(arrivals, pattr):
        members = {t: t for t in substream(arrivals, pattr, partition)}
        run = (runner or Run)(query, stream, base, dict(zip(pattr, partition, strict=True)), outcome)
        for step in steps:
            run.take(step, members)
        run.settle()
    outcome.results.sort(key=lambda result: result.left_at)
    outcome.late.sort(key=lambda late: late.tuple.arrival)
    return outcome


@dataclass
class Run:
    """A query at work on one partition."""

    query: Query
    stream: ReferenceStream
    window: Window
    partition: dict[str, Any]
    outcome: Outcome
    taken: list[Tuple] = field(default_factory=list)
    verdicts: dict[Tuple, Verdict] = field(default_factory=dict)
    frontiers: dict[Tuple, Number] = field(default_factory=dict)
    reported: set[tuple[Wid, Partition]] = field(default_factory=set)

    def take(self, step: Step, members: dict[Tuple, Tuple]) -> None:
        """One item: judge the tuple it brings, then report what it completes."""
        if step.tuple is not None and step.tuple in members:
            self._judge(members[step.tuple], step)
        if step.after is not step.before or tuples_complete(self.window):
            self._report(step)

    def _judge(self, t: Tuple, step: Step) -> None:
        if step.is_ahead:
            self.verdicts[t] = OUTSIDE
            return
        frontier = step.before
        of_group = frontier.of_group(self._columns(partition_of(t, self.query.group_by)))
        verdict = judge(self.window, self.query.late, t, self.taken, Frontiers(frontier.of_tuple(t), of_group))
        self.verdicts[t] = verdict
        if verdict.taken:
            self.taken.append(t)
            self.frontiers[t] = of_group
        if verdict.excluded_by is not None and self._picks(t):
            self.outcome.late.append(LateTuple(t, verdict.excluded_by))

    def _columns(self, group: Partition) -> dict[str, Any]:
        """The columns that a promise must speak of to complete the windows of a group."""
        return self._key(group) if completes_by_group(self.window) else self.partition

    def _key(self, group: Partition) -> dict[str, Any]:
        return {**self.partition, **dict(zip(self.query.group_by, group, strict=True))}

    def _picks(self, t: Tuple) -> bool:
        return not isinstance(self.query.window, Filtered) or self.query.window.picks(t)

    def _report(self, step: Step) -> None:
        before: list[Tuple] | None = None
        for w in self._ids():
            extent = self._extent(w)
            changed, before = not self.window.reports_changes or extent != before, extent
            for group in partitions(extent, self.query.group_by):
                members = [t for t in extent if partition_of(t, self.query.group_by) == group]
                frontier = step.after.of_group(self._columns(group))
                if changed and (w, group) not in self.reported and self.window.complete(w, self.taken, frontier):
                    self.reported.add((w, group))
                    self._emit(w, group, members, step.item)

    def _ids(self) -> list[Wid]:
        """The windows that tuples are in. Ids that do not come from tuples are known since they were judged."""
        if made_of_tuples(self.window) or self.window.attribute is None:
            return self.window.windows(self.taken)
        return sorted({w for t in self.taken for w in self.verdicts[t].ids})

    def _extent(self, w: Wid) -> list[Tuple]:
        """The extent, less the tuples that came when it was already complete."""
        return [t for t in self.window.extent(w, self._in_time(w)) if self._picks(t)]

    def _in_time(self, w: Wid) -> list[Tuple]:
        if made_of_tuples(self.window) or self.window.attribute is None:
            return self.taken
        return [t for t in self.taken if not self.window.promised(w, (), self.frontiers[t])]

    def _emit(self, w: Wid, group: Partition, members: list[Tuple], item: int) -> None:
        members = in_window_order(members, self.window)
        fixed = self._key(group) if is_grouping(self.query) else {}
        fixed |= window_columns(self.query, self.stream, self.window, w, self._in_time(w), members)
        for row in rows_of_window(self.query, fixed, members):
            self.outcome.results.append(Result(row, item))

    def settle(self) -> None:
        """Count how each tuple fared; for windows whose ids come from tuples that shows only now."""
        windows = [set(self.window.extent(w, self.taken)) for w in self.window.windows(self.taken)]
        for t, verdict in self.verdicts.items():
            fate = verdict.fate
            if fate is None:
                fate = Fate.USED if any(t in members for members in windows) else Fate.OUTSIDE
            if self._picks(t):
                self.outcome.counts.settle(fate)
                self.outcome.counts.late += verdict.late
        if isinstance(self.window, Varying):
            self.outcome.counts.above_max += sum(self.window.above_max(w) for w, _ in self.reported)
