"""From `... OVER (...)` to a frame."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlglot import exp

from transom.errors import BadFrame, NotSupported, nearest
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import FRAME
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import Percent
from transom.plan.expression import Expression
from transom.plan.nodes.windowed import Frame
from transom.semantics.length import Length, Rows
from transom.semantics.look_back import check_frame


def frame_of(window: exp.Window, names: Resolver) -> Frame:
    """The frame of an OVER. Frames end at the current row."""
    extras: dict[str, Any] = window.meta.get(FRAME, {})
    spec = window.args.get("spec")
    if isinstance(extras.get("length"), Percent) or isinstance(extras.get("slide"), Percent):
        raise BadFrame("a frame is not a share of anything", given=window.sql("spark"), remedy="give ROWS or a length")
    if spec is None:
        raise BadFrame(
            "a frame says how far it reaches", given=window.sql("spark"), remedy="write ROWS n PRECEDING or RANGE r PRECEDING"
        )
    span = extras.get("span")
    with_span(span, lambda: _looks_back(spec))
    preceding, slide = with_span(span, lambda: _preceding(spec, extras)), extras.get("slide")
    with_span(span, lambda: check_frame(preceding, None))
    with_span(extras.get("slide_span"), lambda: check_frame(preceding, slide))
    made = partial(
        Frame,
        aggregate=_aggregate(window.this, names),
        preceding=preceding,
        partition_by=tuple(_column(item, names) for item in window.args.get("partition_by") or ()),
        order_by=_order(window.args.get("order"), names),
        slide=slide,
        peers=spec.args.get("kind") == "RANGE" and spec.args.get("start") == "UNBOUNDED",
        active=bool(extras.get("active_expiration")),
        unbounded_state=bool(extras.get("unbounded_state")),
    )
    return with_span(extras.get("active_span"), made)


def _looks_back(spec: exp.WindowSpec) -> None:
    if spec.args.get("exclude") is not None:
        raise BadFrame("a frame on a stream has no EXCLUDE", given=spec.sql("spark"), remedy="leave EXCLUDE out")
    sides = [spec.args.get("start_side"), spec.args.get("end_side")]
    ends_here = spec.args.get("end") in (None, "CURRENT ROW")
    if "FOLLOWING" in sides or not ends_here or (spec.args.get("start_side") is None and spec.args.get("start") != "CURRENT ROW"):
        raise BadFrame(
            "a frame on a stream ends at the current row",
            given=spec.sql("spark"),
            remedy="write ... PRECEDING, or BETWEEN ... PRECEDING AND CURRENT ROW",
        )


def _preceding(spec: exp.WindowSpec, extras: dict[str, Any]) -> Length | None:
    kind, start = spec.args.get("kind"), spec.args.get("start")
    if start == "UNBOUNDED":
        return None
    length = 0 if start == "CURRENT ROW" else extras.get("length")
    if kind == "RANGE":
        if isinstance(length, Rows):
            raise BadFrame("RANGE measures a distance", given=str(length), remedy="write ROWS n PRECEDING to count tuples")
        return length
    if isinstance(length, Rows):
        return length
    if not isinstance(length, int):
        raise BadFrame("ROWS counts tuples", given=str(length), remedy="write ROWS 49 PRECEDING, or RANGE for a distance")
    return Rows(length)


def _aggregate(tree: exp.Expr, names: Resolver) -> Expression:
    if tree.find(exp.Window) is not None:
        raise BadFrame("frames do not nest", given=tree.sql("spark"), remedy="put a frame over a query that has the inner one")
    aggregate = names.expression(tree)
    if isinstance(tree, exp.Anonymous) and not aggregate.is_aggregate:
        known = sorted(names.aggregates)
        name = str(tree.this).lower()
        raise BadFrame(f"there is no aggregate {name!r}", given=aggregate.text, exists=known, remedy=nearest(name, known))
    if not aggregate.is_aggregate:
        raise BadFrame(
            "only an aggregate stands over a frame", given=aggregate.text, remedy="aggregate it, or select it without OVER"
        )
    return aggregate


def _column(item: exp.Expr, names: Resolver) -> str:
    if not isinstance(item, exp.Column):
        raise NotSupported("PARTITION BY takes columns", given=item.sql("spark"), remedy="compute it in a derived stream first")
    return names.column(item).name


def _order(order: exp.Expr | None, names: Resolver) -> str | None:
    if order is None:
        return None
    by = order.expressions
    if len(by) != 1 or by[0].args.get("desc") or not isinstance(by[0].this, exp.Column):
        raise BadFrame(
            "a frame is ordered by one column, ascending", given=order.sql("spark").strip(), remedy="write ORDER BY ts"
        )
    return names.column(by[0].this).name
