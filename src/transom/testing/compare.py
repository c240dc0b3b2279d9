"""Comparing bags of rows, with a difference a person can read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from transom.errors import RowsDiffer

Row = Mapping[str, Any]

SHOWN = 20


def canonical(value: Any) -> Any:
    """A value that is equal to another's exactly if SQL would call the two the same, NULL and NaN included."""
    if isinstance(value, bool) or value is None:
        return ("literal", value)
    if isinstance(value, float):
        return Decimal(repr(value)) if math.isfinite(value) else ("double", repr(value))
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, Mapping):
        return tuple((name, canonical(item)) for name, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(canonical(item) for item in value)
    return value


def difference(got: Iterable[Row], want: Iterable[Row], *, rel_tol: float = 0.0) -> tuple[list[Row], list[Row]]:
    """The rows that are missing from `got`, and those it has too many. Doubles may differ by `rel_tol`."""
    got, want = list(got), list(want)
    surplus = Counter(map(row_key, got)) - Counter(map(row_key, want))
    lacking = Counter(map(row_key, want)) - Counter(map(row_key, got))
    missing, unexpected = _pick(want, lacking), _pick(got, surplus)
    if rel_tol:
        for row in list(missing):
            match = next((other for other in unexpected if _close(row, other, rel_tol)), None)
            if match is not None:
                missing.remove(row)
                unexpected.remove(match)
    return missing, unexpected


def row_key(row: Row) -> frozenset[tuple[str, Any]]:
    """Equal for rows that are the same."""
    return frozenset((name, canonical(value)) for name, value in row.items())


def _pick(rows: list[Row], wanted: Counter[frozenset[tuple[str, Any]]]) -> list[Row]:
    left, picked = wanted.copy(), []
    for row in rows:
        if left[row_key(row)] > 0:
            left[row_key(row)] -= 1
            picked.append(row)
    return picked


def _close(a: Row, b: Row, rel_tol: float) -> bool:
    return a.keys() == b.keys() and all(_close_value(a[name], b[name], rel_tol) for name in a)


def _close_value(a: Any, b: Any, rel_tol: float) -> bool:
    if canonical(a) == canonical(b):
        return True
    if isinstance(a, float | Decimal) and isinstance(b, float | Decimal):
        return math.isclose(a, b, rel_tol=rel_tol)
    return False


def show_value(value: Any) -> str:
    """A value as a transcript would write it."""
    if value is None:
        return "null"
    if isinstance(value, datetime):
        text = value.replace(tzinfo=None).isoformat(sep=" ")
        return text.removeprefix("1970-01-01 ")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def show_row(row: Row) -> str:
    """A row in one line."""
    return "{" + ", ".join(f"{name}: {show_value(value)}" for name, value in row.items()) + "}"


def show_difference(missing: list[Row], unexpected: list[Row]) -> str:
    """The difference, each missing row beside the unexpected row most like it."""
    lines, left = [], list(unexpected)
    for row in missing[:SHOWN]:
        lines.append(f"  missing     {show_row(row)}")
        other = max(left, key=lambda candidate: _alike(row, candidate), default=None)
        if other is not None and _alike(row, other):
            left.remove(other)
            wrong = [f"{name} is {show_value(other.get(name))}" for name in row if _differs(row, other, name)]
            lines.append(f"  instead     {show_row(other)}  ({', '.join(wrong)})")
    lines += [f"  unexpected  {show_row(row)}" for row in left[:SHOWN]]
    hidden = max(0, len(missing) - SHOWN) + max(0, len(left) - SHOWN)
    return "\n".join([*lines, f"  ... and {hidden} more"] if hidden else lines)


def _differs(a: Row, b: Row, name: str) -> bool:
    return name not in b or canonical(a[name]) != canonical(b[name])


def _alike(a: Row, b: Row) -> int:
    return sum(1 for name in a if not _differs(a, b, name))


def assert_same_rows(got: Iterable[Row], want: Iterable[Row], *, rel_tol: float = 0.0) -> None:
    """Fail, with a readable difference, unless the two bags hold the same rows in any order.

    >>> assert_same_rows([{"k": 1, "n": 2}, {"k": 2, "n": 5}], [{"k": 2, "n": 5}, {"k": 1, "n": 3}])
    Traceback (most recent call last):
    transom.errors.RowsDiffer: RowsDiffer: 1 of 2 rows missing, 1 unexpected
      missing     {k: 1, n: 3}
      instead     {k: 1, n: 2}  (n is 2)
    """
    want = list(want)
    missing, unexpected = difference(got, want, rel_tol=rel_tol)
    if missing or unexpected:
        counts = f"{len(missing)} of {len(want)} rows missing, {len(unexpected)} unexpected"
        raise RowsDiffer(f"{counts}\n{show_difference(missing, unexpected)}")
