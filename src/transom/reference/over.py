"""OVER frames: one result per tuple, or per yield tuple of each SLIDE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from transom.column_names import EVENT_TS
from transom.reference.history import Item, Step, StepRecorder
from transom.reference.outcome import Fate, LateTuple, Outcome, Result
from transom.reference.query import Over, Query
from transom.reference.rows import columns_of_tuple
from transom.reference.stream import ReferenceStream
from transom.reference.values.user import is_on_arrays, over_extent, over_frame, result_of, user_calls, with_expiries
from transom.scalar.evaluation import Scope, evaluate, value_of
from transom.scalar.value_types import value_on_axis
from transom.semantics.length import Number, Rows, measure
from transom.semantics.tuples import Tuple, axis_value
from transom.semantics.windows.landmark import Landmark
from transom.semantics.windows.partitioned import partition_of
from transom.uda.definition import UserAggregate
from transom.uda.run.python_aggregate import PythonAggregate


def evaluate_frames(query: Query, stream: ReferenceStream, items: Sequence[Item], ends: Sequence[int] = ()) -> Outcome:
    """The answer of a query with OVER frames.

    In timestamp order late tuples are left out altogether; in the order of arrival nothing is late.
    """
    order = _order(query, stream)
    steps = StepRecorder(stream, order or stream.order, query.prefilter).record(items, ends)
    outcome, taken, left = Outcome(), [], set()
    active = next((frame for frame in query.frames.values() if frame.active), None)
    happened: Counter[Any] = Counter()
    for step in steps:
        if step.tuple is not None and _admit(step, order, outcome):
            taken.append(step.tuple)
        if active is not None:
            outcome.results += [Result(row, step.item) for row in _news(query, stream, active, taken, step, happened)]
            continue
        for t in _in_order(taken, order):
            if t not in left and _settled(query, order, t, taken, step):
                left.add(t)
                outcome.results += [Result(row, step.item) for row in _rows(query, stream, t, taken)]
    return outcome


def _order(query: Query, stream: ReferenceStream) -> str | None:
    """The column that frames are ordered by; None for arrival."""
    frames = query.frames.values()
    explicit = next((frame.order_by for frame in frames if frame.order_by is not None), stream.order_by)
    return stream.order if explicit is None and any(frame.measures for frame in frames) else explicit


def _admit(step: Step, order: str | None, outcome: Outcome) -> bool:
    t = step.tuple
    assert t is not None
    a = None if order is None else axis_value(t[order], order)
    if step.is_ahead or (order is not None and a is None):
        outcome.counts.settle(Fate.OUTSIDE)
        return False
    frontier = step.before.of_tuple(t)
    if a is not None and a < frontier:
        outcome.counts.settle(Fate.DROPPED)
        outcome.counts.late += 1
        outcome.late.append(LateTuple(t, frontier))
        return False
    outcome.counts.settle(Fate.USED)
    return True


def _place(t: Tuple, order: str | None) -> tuple[Number, int]:
    a = 0 if order is None else axis_value(t[order], order)
    assert a is not None
    return a, t.arrival


def _in_order(tuples: list[Tuple], order: str | None) -> list[Tuple]:
    return sorted(tuples, key=lambda t: _place(t, order))


def _settled(query: Query, order: str | None, t: Tuple, taken: list[Tuple], step: Step) -> bool:
    """Whether no tuple that may still come can change the results of `t`, or whether it is a yield tuple."""
    if order is None:
        return True
    a, _ = _place(t, order)
    frontier = step.after.of_group(_fixed(query, t))
    peers_matter = any(not frame.by_rows and not _runs_through(frame, query) for frame in query.frames.values())
    slot_end = next((_slot_end(frame, a) for frame in query.frames.values() if _slides_on_axis(frame)), None)
    if slot_end is None:
        return frontier > a if peers_matter else frontier >= a
    if step.is_end:
        return any(_place(u, order)[0] >= slot_end for u in taken)
    return frontier >= slot_end


def _fixed(query: Query, t: Tuple) -> dict[str, Any]:
    """The columns that every frame partitions by: a promise to such a group settles all of its results."""
    shared = set.intersection(*(set(frame.partition_by) for frame in query.frames.values()))
    return {column: t[column] for column in shared}


def _slides_on_axis(frame: Over) -> bool:
    return frame.slide is not None and not isinstance(frame.slide, Rows)


def _slot_end(frame: Over, a: Number) -> Number:
    """The end of the slot in time that `a` is in. Slots start at the epoch."""
    assert frame.slide is not None
    slots = Landmark(slide=frame.slide, wattr="slot")
    slot = slots.slot(a)
    assert slot is not None
    return slots.instant(slot)


def _event_ts(order: str | None, t: Tuple, stream: ReferenceStream) -> Any:
    return None if order is None else value_on_axis(_place(t, order)[0], stream.type(order))


def _rows(query: Query, stream: ReferenceStream, t: Tuple, taken: list[Tuple]) -> list[dict[str, Any]]:
    """The row of a tuple; none if it is not a yield tuple."""
    order = _order(query, stream)
    if not all(_yields(frame, order, t, taken) for frame in query.frames.values()):
        return []
    columns = {**columns_of_tuple(t), EVENT_TS: _event_ts(order, t, stream)}
    rows: list[dict[str, Any]] = [{}]
    for name, item in query.select.items():
        if isinstance(item, str):
            values = [evaluate(item, Scope(columns))]
        elif _runs_through(item, query):
            values = _returned(item, query, order, t, taken)
        elif (user := _user(item, query)) is not None:
            inside = _arguments(item, query, order, _frame(item, order, t, taken))
            values = [result_of(user, row) for row in over_extent(user, [given for _, given, _ in inside])]
        else:
            members = tuple(columns_of_tuple(u) for u in _frame(item, order, t, taken))
            values = [evaluate(item.aggregate, Scope(columns, members))]
        rows = [{**row, name: value} for row in rows for value in values]
    return rows


def _runs_through(frame: Over, query: Query) -> bool:
    """Whether a user's aggregate sees tuple after tuple."""
    user = _user(frame, query)
    return user is not None and not is_on_arrays(user)


def _user(frame: Over, query: Query) -> UserAggregate | PythonAggregate | None:
    """The user's aggregate of a frame."""
    calls = user_calls(frame.aggregate, query.aggregates)
    return query.aggregates[str(calls[0].this).lower()] if calls else None


def _arguments(frame: Over, query: Query, order: str | None, tuples: list[Tuple]) -> list[tuple[Any, list[Any], Tuple]]:
    call = user_calls(frame.aggregate, query.aggregates)[0]
    return [(_place(u, order)[0], [value_of(arg, Scope(columns_of_tuple(u))) for arg in call.expressions], u) for u in tuples]


def _returned(frame: Over, query: Query, order: str | None, t: Tuple, taken: list[Tuple]) -> list[Any]:
    """What a user's aggregate returns for a tuple. It has not seen later peers."""
    user = _user(frame, query)
    assert user is not None
    members = _partition(frame, order, t, taken)
    before = members[: members.index(t) + 1]
    within = [u for u in _frame(frame, order, t, taken) if u in before]
    inside, whole = (_arguments(frame, query, order, tuples) for tuples in (within, before))
    return [result_of(user, row) for row in over_frame(user, frame.preceding, frame.slide, inside, whole)]


def _news(
    query: Query, stream: ReferenceStream, frame: Over, taken: list[Tuple], step: Step, happened: Counter[Any]
) -> list[dict[str, Any]]:
    """What arrivals and expiries have given since the last step, with ACTIVE EXPIRATION."""
    order = _order(query, stream)
    user = _user(frame, query)
    assert user is not None
    name = next(name for name, item in query.select.items() if item is frame)
    assert frame.preceding is not None
    news = []
    for group in dict.fromkeys(partition_of(t, frame.partition_by) for t in taken):
        own = [t for t in taken if partition_of(t, frame.partition_by) == group]
        frontier = step.after.of_group(_fixed(query, own[0]))
        settled = [t for t in _in_order(own, order) if frontier >= _place(t, order)[0]]
        events = with_expiries(user, frame.preceding, _arguments(frame, query, order, settled), frontier)
        for t, instant, value in events[happened[group] :]:
            columns = {**columns_of_tuple(t), EVENT_TS: value_on_axis(instant, stream.type(str(order)))}
            news.append(
                {
                    column: result_of(user, value) if column == name else evaluate(str(item), Scope(columns))
                    for column, item in query.select.items()
                }
            )
        happened[group] = len(events)
    return news


def _partition(frame: Over, order: str | None, t: Tuple, taken: list[Tuple]) -> list[Tuple]:
    same = [u for u in taken if partition_of(u, frame.partition_by) == partition_of(t, frame.partition_by)]
    return _in_order(same, order)


def _yields(frame: Over, order: str | None, t: Tuple, taken: list[Tuple]) -> bool:
    """Whether `t` is the last tuple of its slot: the yield tuple of seed 003."""
    if frame.slide is None:
        return True
    members = _partition(frame, order, t, taken)
    if isinstance(frame.slide, Rows):
        return (members.index(t) + 1) % frame.slide.count == 0
    slot_end = _slot_end(frame, _place(t, order)[0])
    slot = [u for u in members if _slot_end(frame, _place(u, order)[0]) == slot_end]
    return slot[-1] == t


def _frame(frame: Over, order: str | None, t: Tuple, taken: list[Tuple]) -> list[Tuple]:
    """The tuples of the frame that ends at `t`. RANGE includes later peers, as in SQL; ROWS does not."""
    members = _partition(frame, order, t, taken)
    here = members.index(t)
    if frame.by_rows:
        start = 0 if frame.preceding is None else max(0, here - int(measure(frame.preceding)))
        return members[start : here + 1]
    a, _ = _place(t, order)
    reach = [u for u in members if _place(u, order)[0] <= a]
    if frame.preceding is not None:
        reach = [u for u in reach if a - measure(frame.preceding) <= _place(u, order)[0]]
    if not frame.tumbles:
        return reach
    return [u for u in reach if _slot_end(frame, _place(u, order)[0]) == _slot_end(frame, a)]
