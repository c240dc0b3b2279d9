"""Functions over a stream without a frame: what SQL means by row_number, lag, first_value and last_value, as frames."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import BadFrame, NotSupported
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import FRAME

FUTURE = (exp.Lead, exp.Ntile, exp.PercentRank, exp.CumeDist, exp.NthValue)
"""Functions whose value depends on rows that are still to come."""

AS_FRAMES = (exp.RowNumber, exp.Lag, exp.FirstValue, exp.LastValue)


def with_frames(tree: exp.Select, names: Resolver) -> exp.Select:
    """The query with functions that have no frame of their own written as aggregates over the frames that SQL gives them."""
    if not any(_is_given(window) for item in tree.expressions for window in item.find_all(exp.Window)):
        return tree
    made = tree.copy()
    for item in made.expressions:
        if isinstance(item, exp.Window):
            item.replace(exp.alias_(item.copy(), item.this.sql("spark").lower(), quoted=True))
    for window in [one for item in made.expressions for one in item.find_all(exp.Window)]:
        if _is_given(window):
            window.replace(_framed(window, names))
    return made


def _is_given(window: exp.Window) -> bool:
    return isinstance(window.this.find(*FUTURE, *AS_FRAMES, exp.Rank, exp.DenseRank), exp.Expr) and not window.args.get("spec")


def _framed(window: exp.Window, names: Resolver) -> exp.Expr:
    function = window.this
    if isinstance(function, exp.IgnoreNulls | exp.RespectNulls):
        raise NotSupported(
            "NULLs count like other values here",
            given=function.sql("spark"),
            remedy="filter them in a derived stream first",
            span=names.span(window),
        )
    if isinstance(function, FUTURE):
        remedy = "turn it round: lag(x) looks at the row before" if isinstance(function, exp.Lead) else "rank within a window"
        raise BadFrame(
            f"{type(function).__name__.lower()} needs rows that are still to come",
            given=function.sql("spark").lower(),
            remedy=remedy,
            span=names.span(window),
        )
    if isinstance(function, exp.Rank | exp.DenseRank):
        raise BadFrame(
            "on a stream, ranks would change with every row",
            given=window.sql("spark")[:80],
            remedy="put a window behind the stream and PARTITION BY window_end, or number rows with row_number()",
            span=names.span(window),
        )
    if isinstance(function, exp.RowNumber):
        return _over(window, exp.Count(this=exp.Star()), "ROWS", "UNBOUNDED")
    if isinstance(function, exp.FirstValue):
        return _over(window, exp.First(this=function.this.copy()), "RANGE", "UNBOUNDED")
    if isinstance(function, exp.LastValue):
        return _over(window, exp.Last(this=function.this.copy()), "RANGE", "UNBOUNDED")
    assert isinstance(function, exp.Lag)
    return _lagged(window, function, names)


def _lagged(window: exp.Window, function: exp.Lag, names: Resolver) -> exp.Expr:
    """The first of the last n + 1 rows, if there are so many."""
    offset = function.args.get("offset")
    if offset is not None and not (isinstance(offset, exp.Literal) and offset.is_int):
        raise BadFrame(
            "lag looks a fixed number of rows back",
            given=function.sql("spark").lower(),
            remedy="write lag(x, 1)" if not isinstance(offset, exp.Neg) else "lag looks back, lead ahead",
            span=names.span(window),
        )
    count = 1 if offset is None else int(offset.name)
    enough = exp.GT(this=_over(window, exp.Count(this=exp.Star()), "ROWS", count), expression=exp.Literal.number(count))
    first = _over(window, exp.First(this=function.this.copy()), "ROWS", count)
    default = function.args.get("default")
    return exp.Case(ifs=[exp.If(this=enough, true=first)], default=None if default is None else default.copy())


def _over(window: exp.Window, aggregate: exp.Expr, kind: str, start: str | int) -> exp.Window:
    made = window.copy()
    made.set("this", aggregate)
    side = {"start_side": "PRECEDING", "end": "CURRENT ROW"}
    made.set("spec", exp.WindowSpec(kind=kind, start=start if start == "UNBOUNDED" else exp.Var(this=str(start)), **side))
    made.meta[FRAME] = {} if start == "UNBOUNDED" else {"length": int(start)}
    return made
