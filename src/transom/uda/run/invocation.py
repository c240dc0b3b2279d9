"""Which version of an aggregate runs, and how, by the way it is called (seed 003, figure 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from transom.errors import BadFrame
from transom.semantics.length import Length, Rows, measure, unit_of

if TYPE_CHECKING:
    from transom.uda.definition import UserAggregate
    from transom.uda.run.python_aggregate import PythonAggregate

    AnyAggregate = UserAggregate | PythonAggregate


@dataclass(frozen=True)
class Invocation:
    """The way an aggregate is run, and why. `pane` is the number of rows of a pane, in a cascade."""

    kind: str
    reason: str
    pane: int = 0


def chosen(aggregate: AnyAggregate, preceding: Length | None, slide: Length | None, *, active: bool = False) -> Invocation:
    """How an aggregate is run over an OVER frame; `preceding` None is UNBOUNDED.

    >>> from transom.language import bind_script
    >>> last = bind_script('''CREATE AGGREGATE last_one(x INT) RETURNS INT {
    ...     TABLE state(v INT);
    ...     INITIALIZE: { INSERT INTO state VALUES (x); }
    ...     ITERATE: { UPDATE state SET v = x; }
    ...     TERMINATE: { INSERT INTO RETURN SELECT v FROM state; }
    ... };''').catalog.aggregates["last_one"]
    >>> chosen(last, Rows(9), None).reason
    'derived from the base version: there is no WINDOW AGGREGATE, so it is run over the window again for each tuple'
    """
    name = aggregate.name
    if active:
        return _active(aggregate, preceding, slide)
    if preceding is None:
        if aggregate.base is None:
            return Invocation("window", "only a WINDOW AGGREGATE is defined, and nothing expires")
        after = ", TERMINATE after each tuple" if aggregate.base.is_blocking else ""
        return Invocation("unbounded", f"the base version{after}")
    if slide is not None and _covers(slide, preceding):
        which = "base" if aggregate.base is not None else "window"
        return Invocation(
            "tumble", f"SLIDE >= RANGE: the {which} version is started anew for each slot, what cannot matter is skipped"
        )
    if slide is not None and isinstance(preceding, Rows) and isinstance(slide, Rows):
        pane = math.gcd(preceding.count + 1, slide.count)
        if pane > 1 and aggregate.can_combine:
            return Invocation(
                "combine", f"{name} has COMBINE: the base version on panes of {pane} rows, combined for each window", pane
            )
        if pane > 1 and aggregate.can_feed_itself:
            return Invocation(
                "feed",
                f"{name} is ALGEBRAIC: the base version on panes of {pane} rows, their results into the window version",
                pane,
            )
    only = " and gives results at yield tuples only" if slide is not None else ""
    if aggregate.window is not None:
        return Invocation("window", f"the WINDOW AGGREGATE {name} is kept up to date by deltas{only}")
    again = "at each yield tuple" if slide is not None else "for each tuple"
    return Invocation(
        "derived", f"derived from the base version: there is no WINDOW AGGREGATE, so it is run over the window again {again}"
    )


def _active(aggregate: AnyAggregate, preceding: Length | None, slide: Length | None) -> Invocation:
    if preceding is None or isinstance(preceding, Rows) or slide is not None:
        raise BadFrame(
            "ACTIVE EXPIRATION goes with a frame in time",
            given=f"{'UNBOUNDED' if preceding is None else preceding} PRECEDING" + ("" if slide is None else f" SLIDE {slide}"),
            remedy="write RANGE r PRECEDING ACTIVE EXPIRATION",
        )
    if aggregate.window is None or not aggregate.expires:
        raise BadFrame(
            f"ACTIVE EXPIRATION runs EXPIRE, which {aggregate.name} does not have",
            given=aggregate.name,
            remedy=f"write CREATE WINDOW AGGREGATE {aggregate.name} with an EXPIRE clause",
        )
    return Invocation("active", "EXPIRE runs when the time of a tuple is up, in the order of time with arrivals, also in silence")


def _covers(slide: Length, preceding: Length) -> bool:
    """Whether no tuple counts twice: n PRECEDING are n + 1 rows, but a stretch of time is as long as it says."""
    if isinstance(slide, Rows) and isinstance(preceding, Rows):
        return slide.count > preceding.count
    return unit_of(slide) is unit_of(preceding) and measure(slide) >= measure(preceding)
