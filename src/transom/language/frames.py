"""From `... OVER (...)` to a frame."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from transom.errors import BadFrame, NotSupported
from transom.language.parser import FRAME
from transom.plan.expression import Expression
from transom.plan.windowed import Frame
from transom.semantics.length import Length, Rows


def frame_of(window: exp.Window) -> Frame:
    """The frame of an OVER. Frames end at the current row."""
    extras: dict[str, Any] = window.meta.get(FRAME, {})
    if extras.get("active_expiration"):
        raise NotSupported("ACTIVE EXPIRATION is not supported yet", given="ACTIVE EXPIRATION", remedy="leave it out")
    spec = window.args.get("spec")
    if spec is None:
        raise BadFrame(
            "a frame says how far it reaches", given=window.sql("spark"), remedy="write ROWS n PRECEDING or RANGE r PRECEDING"
        )
    _looks_back(spec)
    return Frame(
        aggregate=Expression.of(window.this),
        preceding=_preceding(spec, extras),
        partition_by=tuple(_column(item) for item in window.args.get("partition_by") or ()),
        order_by=_order(window.args.get("order")),
        slide=extras.get("slide"),
        peers=spec.args.get("kind") == "RANGE" and spec.args.get("start") == "UNBOUNDED",
    )


def _looks_back(spec: exp.WindowSpec) -> None:
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
        return length
    if isinstance(length, Rows):
        return length
    if not isinstance(length, int):
        raise BadFrame("ROWS counts tuples", given=str(length), remedy="write ROWS 49 PRECEDING, or RANGE for a distance")
    return Rows(length)


def _column(item: exp.Expr) -> str:
    if not isinstance(item, exp.Column):
        raise NotSupported("PARTITION BY takes columns", given=item.sql("spark"), remedy="compute it in a derived stream first")
    return str(item.name)


def _order(order: exp.Expr | None) -> str | None:
    if order is None:
        return None
    by = order.expressions
    if len(by) != 1 or by[0].args.get("desc") or not isinstance(by[0].this, exp.Column):
        raise BadFrame(
            "a frame is ordered by one column, ascending", given=order.sql("spark").strip(), remedy="write ORDER BY ts"
        )
    return str(by[0].this.name)
