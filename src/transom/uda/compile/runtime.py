"""What compiled bodies use while they run: tables with indexes, the state of an aggregate, and aggregates over lists."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from operator import itemgetter
from typing import Any

from transom.errors import AggregateFailed, TooMuchRecursion
from transom.uda.bind.functions import nan_key

DEPTH = 60
"""How deep aggregates may call each other."""


class Table:
    """Rows in the order they were inserted, and indexes on some of their columns. A row ends with its number."""

    __slots__ = ("by", "columns", "next", "rows", "unique")

    def __init__(self, columns: Sequence[tuple[int, ...]], unique: Sequence[bool]) -> None:
        self.columns, self.unique = columns, unique
        self.rows: dict[int, list[Any]] = {}
        self.by: list[dict[Any, Any]] = [{} for _ in columns]
        self.next = 0

    def insert(self, *values: Any) -> list[Any]:
        row = [*values, self.next]
        self.rows[self.next] = row
        for at, columns in enumerate(self.columns):
            self._enter(at, _key(row, columns), row)
        self.next += 1
        return row

    def copied(self) -> Table:
        """Another table with the same rows."""
        made = Table(self.columns, self.unique)
        made.fill(self.values())
        return made

    def values(self) -> list[tuple[Any, ...]]:
        """Its columns; none if there are no rows."""
        return list(zip(*self.rows.values(), strict=True))[:-1]

    def fill(self, values: Sequence[Sequence[Any]]) -> None:
        """Put rows into an empty table, all at once, from its columns."""
        self.next = len(values[0]) if values else 0
        self.rows = dict(enumerate(map(list, zip(*values, range(self.next), strict=True))))
        for at, columns in enumerate(self.columns):
            if self.unique[at] and len(columns) == 1:
                column = columns[0]
                self.by[at] = {row[column]: row for row in self.rows.values()}
                continue
            for row in self.rows.values():
                self._enter(at, _key(row, columns), row)

    def _enter(self, at: int, key: Any, row: list[Any]) -> None:
        """Rows of one key stay in the order they were inserted, also those that come from another key."""
        if self.unique[at]:
            self.by[at][key] = row
            return
        rows = self.by[at].setdefault(key, [])
        rows.append(row)
        if len(rows) > 1 and rows[-2][-1] > row[-1]:
            rows.sort(key=itemgetter(-1))

    def _leave(self, at: int, key: Any, row: list[Any]) -> None:
        index = self.by[at]
        rows = [] if self.unique[at] else [other for other in index[key] if other is not row]
        if rows:
            index[key][:] = rows
        else:
            index.pop(key, None)

    def delete(self, row: list[Any]) -> None:
        del self.rows[row[-1]]
        for at, columns in enumerate(self.columns):
            self._leave(at, _key(row, columns), row)

    def update(self, row: list[Any], changes: Iterable[tuple[int, Any]]) -> None:
        """Change columns of a row that it may be looked up by."""
        before = [_key(row, columns) for columns in self.columns]
        for at, value in changes:
            row[at] = value
        for at, (columns, old) in enumerate(zip(self.columns, before, strict=True)):
            new = _key(row, columns)
            if new != old:
                self._leave(at, old, row)
                self._enter(at, new, row)

    def clear(self) -> None:
        self.next = 0
        self.rows.clear()
        for index in self.by:
            index.clear()


def _key(row: list[Any], columns: tuple[int, ...]) -> Any:
    return row[columns[0]] if len(columns) == 1 else tuple(row[column] for column in columns)


class State:
    """The state of one aggregate for one key: variables, tables, and the window with the place and number of each tuple."""

    __slots__ = ("careful", "numbers", "places", "seen", "started", "tables", "variables", "window")

    def __init__(self, variables: int, indexes: Sequence[tuple[Sequence[tuple[int, ...]], Sequence[bool]]]) -> None:
        self.started = False
        self.careful = False
        self.seen = 0
        self.variables: list[Any] = [None] * variables
        self.tables = [Table(columns, unique) for columns, unique in indexes]
        self.window: deque[Any] = deque()
        self.places: deque[Any] = deque()
        self.numbers: deque[int] = deque()

    def copied(self) -> State:
        """Another state of the same tuples; its window is empty, since only states without one are combined."""
        made = State(0, ())
        made.started, made.careful, made.seen = self.started, self.careful, self.seen
        made.variables, made.tables = self.variables[:], [table.copied() for table in self.tables]
        return made

    def dump(self) -> dict[str, Any]:
        """As JSON knows it, with decimals spelled."""
        return {
            "started": self.started,
            "careful": self.careful,
            "seen": self.seen,
            "variables": spelled_row(self.variables),
            "tables": [list(map(spelled_row, table.values())) for table in self.tables],
            "window": [spelled_row(row) for row in self.window] if self._has_tuples else spelled_row(self.window),
            "places": list(self.places),
            "numbers": list(self.numbers),
        }

    def restore(self, kept: dict[str, Any]) -> None:
        """The inverse."""
        self.started, self.careful, self.seen = kept["started"], kept["careful"], kept["seen"]
        self.variables = read_row(kept["variables"])
        for table, columns in zip(self.tables, kept["tables"], strict=True):
            table.fill(list(map(read_row, columns)))
        many = bool(kept["window"]) and isinstance(kept["window"][0], list)
        self.window = deque(tuple(read_row(row)) for row in kept["window"]) if many else deque(read_row(kept["window"]))
        self.places, self.numbers = deque(kept["places"]), deque(kept["numbers"])

    @property
    def _has_tuples(self) -> bool:
        """Whether tuples of the window have several columns."""
        return bool(self.window) and isinstance(self.window[0], tuple)


def spelled(value: Any) -> Any:
    return {"decimal": str(value)} if isinstance(value, Decimal) else value


def read(value: Any) -> Any:
    return Decimal(value["decimal"]) if isinstance(value, dict) else value


def spelled_row(values: Collection[Any]) -> list[Any]:
    """Most have no decimals, which is seen at once."""
    return [spelled(value) for value in values] if Decimal in set(map(type, values)) else list(values)


def read_row(values: list[Any]) -> list[Any]:
    return [read(value) for value in values] if dict in set(map(type, values)) else values


# -- aggregates and rows of queries ------------------------------------------------------------------------------


def _present(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if value is not None]


def _total(values: Iterable[Any]) -> Any:
    present = _present(values)
    if not present:
        return None
    return math.fsum(present) if all(isinstance(value, float) for value in present) else sum(present)


def _average(values: Iterable[Any]) -> Any:
    present = _present(values)
    return _total(present) / len(present) if present else None


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({grouped_key(value): value for value in values}.values())


def _count(values: Sequence[Any]) -> int:
    """The rows in which no argument is NULL; of `count(*)`, all."""
    return sum(1 for value in values if value is not None) if isinstance(values, list) else len(values)


AGGREGATES: dict[str, Callable[[Any], Any]] = {
    "count": _count,
    "sum": _total,
    "avg": _average,
    "min": lambda values: min(_present(values), key=nan_key, default=None),
    "max": lambda values: max(_present(values), key=nan_key, default=None),
    "distinct_count": lambda values: len(_distinct(_present(values))),
    "distinct_sum": lambda values: _total(_distinct(values)),
    "distinct_avg": lambda values: _average(_distinct(values)),
    "distinct_min": lambda values: min(_present(values), key=nan_key, default=None),
    "distinct_max": lambda values: max(_present(values), key=nan_key, default=None),
}


def grouped_key(*values: Any) -> tuple[Any, ...]:
    """Values as a key: NULL is one, and all NaNs are the same."""
    return tuple("NaN" if isinstance(value, float) and value != value else (value,) for value in values)


def distinct_rows(rows: list[tuple[Any, ...]], width: int) -> list[tuple[Any, ...]]:
    """Of rows that are equal in their first columns, the first."""
    found: dict[Any, tuple[Any, ...]] = {}
    for row in rows:
        found.setdefault(grouped_key(*row[:width]), row)
    return list(found.values())


def ordered_rows(rows: list[tuple[Any, ...]], width: int, descending: tuple[bool, ...]) -> list[tuple[Any, ...]]:
    """Rows by the columns behind `width`; NULL is the smallest, as in Spark."""
    for at in reversed(range(len(descending))):
        rows = sorted(rows, key=lambda row: _place(row[width + at]), reverse=descending[at])
    return rows


def _place(value: Any) -> tuple[bool, Any]:
    return (False, ()) if value is None else (True, nan_key(value))


def only_row(values: list[Any]) -> Any:
    """The value of a query in an expression."""
    if len(values) > 1:
        raise AggregateFailed(
            "a query in an expression gave more than one row", given=f"{len(values)} rows", remedy="LIMIT it to one"
        )
    return values[0] if values else None


class Depth:
    """Counts how deep aggregates have called each other."""

    def __init__(self) -> None:
        self.now = 0

    def enter(self, name: str) -> None:
        self.now += 1
        if self.now > DEPTH:
            self.now = 0
            raise TooMuchRecursion(
                f"{name} is called within calls without end",
                given=f"more than {DEPTH} calls deep",
                remedy=f"let the recursion end within {DEPTH} calls, or use a table",
            )

    def leave(self) -> None:
        self.now -= 1
