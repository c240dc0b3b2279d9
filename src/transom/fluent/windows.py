"""Windows in Python: typed constructors, and the clauses of a SQL bracket as keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transom.column_names import WINDOW_END
from transom.errors import ConflictingClauses, MissingClause, NotALength, UnknownClause
from transom.fluent.functions.aggregated import column_name, column_names, operand
from transom.fluent.lengths import LengthLike, length_of
from transom.fluent.select_list import checked
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.semantics.length import Rows, Value
from transom.semantics.tuples import Rank

if TYPE_CHECKING:
    from transom.fluent.functions.aggregated import Operand
    from transom.spark.column_text import Column

    Attribute = str | Column
    """The name of a column, or a Column that is nothing but one; `"rank(ts)"` counts rows in the order of one."""
    Attributes = str | Column | Sequence[str | Column]

POINTS = ("origin", "since", "until", "band")
LENGTHS = ("range", "slide", "tumble", "offset", "lag", "max", "every", "gap")


@dataclass(frozen=True, repr=False)
class WindowSpec:
    """A window that can be put on streams: `stream.window(spec)`.

    >>> import transom as tr
    >>> tr.tumbling("5 minutes", wattr="ts")
    WindowSpec(tumble='5 minutes', wattr='ts')
    """

    clauses: tuple[tuple[str, Any], ...]

    def __repr__(self) -> str:
        return f"WindowSpec({', '.join(f'{name}={value!r}' for name, value in self.clauses)})"


def given(clauses: Mapping[str, Any]) -> dict[str, Any]:
    """The clauses that are not left out."""
    return {name: value for name, value in clauses.items() if value is not None}


def merged(spec: WindowSpec | None, clauses: Mapping[str, Any]) -> dict[str, Any]:
    """The clauses of a constructor and those beside it."""
    if spec is None:
        return given(clauses)
    if not isinstance(spec, WindowSpec):
        raise ConflictingClauses(
            "a window is given by one of the constructors, or by keywords",
            given=repr(spec),
            remedy='write window(tumbling("5 minutes")) or window(tumble="5 minutes")',
        )
    both = sorted(set(dict(spec.clauses)) & set(given(clauses)))
    if both:
        raise ConflictingClauses("a clause is given twice", given=", ".join(both), remedy="give it once")
    return dict(spec.clauses) | given(clauses)


def stamp_of(timestamp: str | None) -> str:
    """Which time a result has: its instant, or the smallest or largest of its tuples'."""
    if timestamp is None or str(timestamp).lower() == "now":
        return "instant"
    if str(timestamp).lower() not in ("min", "max"):
        raise UnknownClause(
            "the timestamp of a result is its instant, or the smallest or largest of its tuples'",
            given=f"timestamp={timestamp!r}",
            exists=["min", "max"],
            remedy="give one of the two, or leave it out",
        )
    return timestamp.lower()


def varies(name: str, value: Any) -> bool:
    """Whether a length is an expression over where the window ends."""
    return name == "range" and isinstance(value, str) and WINDOW_END in value.lower()


def clause(name: str, value: Any, plan: Node) -> Any:
    """A clause as a bracket takes it, over the columns of a stream."""
    if name == "where":
        return checked(value, plan).as_function()
    if varies(name, value):
        return Expression.of(value).as_function()
    if name in LENGTHS:
        return length_of(name, value)
    if name in POINTS:
        _check_points(name, value)
    if name in ("wattr", "rattr", "sattr") and not isinstance(value, Rank):
        named = column_name(name, value)
        return Rank(named[5:-1]) if name != "rattr" and named.startswith("rank(") else named
    return column_names(name, value) if name == "pattr" else value


def check_clause(name: str, value: Any) -> None:
    """Refuse what makes no sense, whatever the columns of the stream are."""
    if name in LENGTHS and not varies(name, value):
        length_of(name, value)
    elif name == "where" and not hasattr(value, "expression"):
        operand(value)
    elif name == "pattr":
        column_names(name, value)
    elif name in ("wattr", "rattr", "sattr") and not isinstance(value, Rank):
        column_name(name, value)
    elif name in POINTS:
        _check_points(name, value)


def _check_points(name: str, value: Any) -> None:
    if name == "band" and not (isinstance(value, list | tuple) and len(value) == 2):
        raise NotALength("a band has two bounds", given=repr(value)[:80], remedy="give band=(0, 100)")
    for one in value if name == "band" else [value]:
        if isinstance(one, bool) or not isinstance(one, Value):
            raise NotALength(
                f"{name} is a point, in time or a number", given=repr(value)[:80], remedy="give datetime(2026, 1, 1), or 100"
            )


def sliding(
    range: LengthLike,
    slide: LengthLike,
    *,
    wattr: Attribute | None = None,
    pattr: Attributes | None = None,
    offset: LengthLike | None = None,
    origin: Value | None = None,
    lag: LengthLike | None = None,
    partial: bool | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """Windows of a length, one every `slide`: of time, of numbers, or of rows.

    >>> import transom as tr
    >>> traffic = tr.stream({"seg_id": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tr.sliding("5 minutes", "1 minute")).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts]'
    >>> traffic.window(tr.sliding(tr.rows(100), tr.rows(10), pattr="seg_id")).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [RANGE 100 ROWS SLIDE 10 ROWS WATTR row_num PATTR seg_id]'
    """
    return _spec(**locals())


def tumbling(
    length: LengthLike,
    *,
    wattr: Attribute | None = None,
    pattr: Attributes | None = None,
    offset: LengthLike | None = None,
    origin: Value | None = None,
    lag: LengthLike | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """Windows of a length, one after the other.

    >>> import transom as tr
    >>> traffic = tr.stream({"ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tr.tumbling("5 minutes")).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]'
    """
    return _spec(tumble=length, wattr=wattr, pattr=pattr, offset=offset, origin=origin, lag=lag, where=where)


def session(
    gap: LengthLike, *, wattr: Attribute | None = None, pattr: Attributes | None = None, where: Operand | None = None
) -> WindowSpec:
    """Windows that end where nothing comes for longer than `gap`: with `group_by` those of each group, as in Spark.

    `pattr=()` cuts the whole stream instead, and groups each session after.

    >>> import transom as tr
    >>> clicks = tr.stream({"user": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="clicks")
    >>> clicks.window(tr.session("30 seconds", pattr="user")).select("user", n=tr.count()).sql()
    'SELECT user, COUNT(*) AS n FROM clicks [SESSION GAP 30 SECONDS WATTR ts PATTR user]'
    >>> clicks.window(tr.session("30 seconds")).group_by("user").agg(n=tr.count()).sql()
    'SELECT user, COUNT(*) AS n FROM clicks [SESSION GAP 30 SECONDS WATTR ts PATTR user] GROUP BY user'
    """
    return _spec(**locals())


def every_instant(
    range: LengthLike,
    *,
    wattr: Attribute | None = None,
    pattr: Attributes | None = None,
    lag: LengthLike | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """The last `range` at every instant, reported where it changes; of rows, after every row.

    >>> import transom as tr
    >>> traffic = tr.stream({"ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tr.every_instant("5 minutes")).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES WATTR ts]'
    """
    return _spec(**locals())


def by_tuple(
    range: LengthLike,
    slide: LengthLike = Rows(1),  # noqa: B008
    *,
    rattr: Attribute | None = None,
    sattr: Attribute | None = None,
    pattr: Attributes | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """The last `range` at every n-th tuple.

    >>> import transom as tr
    >>> traffic = tr.stream({"ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tr.by_tuple("5 minutes", tr.rows(10))).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES RATTR ts SLIDE 10 ROWS SATTR row_num]'
    """
    return _spec(**locals())


def landmark(
    slide: LengthLike,
    *,
    since: Value | None = None,
    until: Value | None = None,
    every: LengthLike | None = None,
    wattr: Attribute | None = None,
    pattr: Attributes | None = None,
    offset: LengthLike | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """Windows that begin at a point and grow: `since` it, `until` another, or begin anew `every` so often.

    >>> import transom as tr
    >>> traffic = tr.stream({"ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tr.landmark("5 minutes", every="1 hour")).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [LANDMARK EVERY 1 HOUR SLIDE 5 MINUTES WATTR ts]'
    """
    return _spec(landmark=True, **locals())


def band(
    lower: Value,
    upper: Value,
    slide: LengthLike,
    *,
    wattr: Attribute | None = None,
    pattr: Attributes | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """What is between two points, `lower` and `upper`, both included, as it grows.

    >>> import transom as tr
    >>> trip = tr.stream({"km": "INT"}, order_by="km", name="trip")
    >>> trip.window(tr.band(0, 100, 10)).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM trip [BAND 0 TO 100 SLIDE 10 WATTR km]'
    """
    return _spec(band=(lower, upper), slide=slide, wattr=wattr, pattr=pattr, where=where)


def now(*, wattr: Attribute | None = None, pattr: Attributes | None = None, where: Operand | None = None) -> WindowSpec:
    """The tuples of each instant.

    >>> import transom as tr
    >>> traffic = tr.stream({"ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tr.now()).agg(n=tr.count()).sql()
    'SELECT COUNT(*) AS n FROM traffic [NOW WATTR ts]'
    """
    return _spec(now=True, **locals())


def varying(
    range: str,
    slide: LengthLike,
    max: LengthLike,
    *,
    wattr: Attribute | None = None,
    pattr: Attributes | None = None,
    where: Operand | None = None,
) -> WindowSpec:
    """Windows whose length depends on where they end: SQL over `window_end`, and `max` bounds it.

    >>> import transom as tr
    >>> traffic = tr.stream({"ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> longer_at_night = "if(hour(window_end) < 6, INTERVAL '60' MINUTE, INTERVAL '5' MINUTE)"
    >>> traffic.window(tr.varying(longer_at_night, "5 minutes", "1 hour")).schema.names
    ['ts']
    """
    return _spec(**locals())


def _spec(**clauses: Any) -> WindowSpec:
    for name in ("range", "tumble", "gap", "slide", "max"):
        if name in clauses and clauses[name] is None:
            raise MissingClause("a window has a length", given=f"{name}=None", remedy='give it, for example "5 minutes"')
    for name, value in given(clauses).items():
        check_clause(name, value)
    return WindowSpec(tuple(given(clauses).items()))
