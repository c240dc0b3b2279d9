"""Which window the clauses between brackets mean.

SQL, Python and transcripts all say the same clauses; this is the one place that decides what they make together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from transom.column_names import IMPLICIT, ROW_NUM
from transom.errors import ConflictingClauses, MissingClause, UnknownClause, WrongUnit, nearest
from transom.semantics.function import Function
from transom.semantics.length import Length, Rows, Value
from transom.semantics.tuples import Position, Rank, RowNum
from transom.semantics.windows.band import Band
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window


@dataclass(frozen=True, kw_only=True)
class Bracket:
    """The clauses of one bracket, each None where it is left out. `order` is the stream's ORDER BY column."""

    order: str | None = None
    range: Length | Function | None = None
    slide: Length | None = None
    tumble: Length | None = None
    wattr: str | Rank | None = None
    rattr: str | None = None
    sattr: str | Rank | None = None
    offset: Length | None = None
    origin: Value | None = None
    lag: Length | None = None
    max: Length | None = None
    landmark: bool | None = None
    since: Value | None = None
    until: Value | None = None
    every: Length | None = None
    band: tuple[Value, Value] | None = None
    now: bool | None = None
    gap: Length | None = None
    partial: bool | None = None
    pattr: Sequence[str] | None = None
    where: Function | None = None

    @staticmethod
    def of(**clauses: Any) -> Bracket:
        """A bracket of clauses by name; one that no window has is refused."""
        known = [clause.name for clause in fields(Bracket)]
        for clause in clauses:
            if clause not in known:
                raise UnknownClause("no window has this clause", given=clause, exists=known, remedy=nearest(clause, known))
            if clause in ("landmark", "now", "partial") and clauses[clause] not in (None, True, False):
                raise ConflictingClauses(
                    f"{clause.upper()} is on or off",
                    given=repr(clauses[clause]),
                    remedy=f"write {clause}: true or {clause}: false",
                )
        return Bracket(**clauses)

    def window(self) -> Window:
        """The window.

        >>> from transom import minutes, rows
        >>> Bracket(range=rows(100)).window()
        RowWindow(range=Rows(count=100), slide=Rows(count=1), wattr=RowNum(), partial=True)
        >>> type(Bracket(range=minutes(5), order="ts").window()).__name__
        'EveryInstant'
        """
        window = self._kind()
        if self.pattr is not None and not self.pattr and self.gap is None:
            raise MissingClause(
                "a partitioned window needs columns to partition by",
                given="PATTR ()",
                remedy="name at least one, or leave PATTR out; only of a SESSION it means that the whole stream is cut",
            )
        if self.pattr:
            window = Partitioned(window, tuple(self.pattr))
        return window if self.where is None else Filtered(window, self.where)

    def _kind(self) -> Window:
        heads = [head for head in _HEADS if getattr(self, head) is not None and getattr(self, head) is not False]
        if len(heads) != 1:
            raise (ConflictingClauses if heads else MissingClause)(
                "a window is of one kind",
                given=" and ".join(head.upper() for head in heads) or "no kind at all",
                exists=[head.upper() for head in _HEADS],
                remedy="begin the bracket with one of them",
            )
        return _HEADS[heads[0]](self)

    def only(self, *allowed: str) -> None:
        """Refuse clauses that this kind of window does not have."""
        for clause in fields(self):
            name = clause.name
            if name not in {"order", "pattr", "where", *allowed} and getattr(self, name) is not None:
                raise ConflictingClauses(
                    f"{name.upper()} does not go with this window",
                    given=f"{name.upper()} {getattr(self, name)}",
                    exists=[clause.upper() for clause in (*allowed, "pattr", "where")],
                    remedy=f"leave {name.upper()} out",
                )

    def needs(self, clause: str, why: str) -> Any:
        """The value of a clause that this kind of window cannot do without."""
        value = getattr(self, clause)
        if value is None:
            raise MissingClause(f"{clause.upper()} is missing: {why}", remedy=f"add {clause.upper()}")
        return value

    def attribute(self) -> str:
        """The windowing attribute: WATTR, or the stream's ORDER BY column."""
        if isinstance(self.wattr, Rank):
            raise WrongUnit("a rank counts rows", given=f"WATTR {self.wattr}", remedy="give RANGE and SLIDE in ROWS")
        attribute = self.wattr or self.order
        if attribute is None:
            raise MissingClause(
                "the stream has no order column to window on", remedy="name one with WATTR, or use a window of ROWS"
            )
        return attribute


def _range(b: Bracket) -> Window:
    if isinstance(b.range, Function):
        b.only("range", "slide", "max", "wattr")
        return Varying(range=b.range, slide=b.needs("slide", _WHY_SLIDE), wattr=b.attribute(), max=b.max)
    if isinstance(b.range, Rows):
        return _rows(b, b.range)
    assert b.range is not None
    if isinstance(b.slide, Rows) or b.rattr is not None:
        return _slide_by_tuple(b, b.range)
    if b.slide is None:
        b.only("range", "wattr", "lag")
        return EveryInstant(range=b.range, wattr=b.attribute(), lag=b.lag)
    b.only("range", "slide", "wattr", "offset", "origin", "lag", "partial")
    return _sliding(b, b.range, b.slide)


def _sliding(b: Bracket, length: Length, slide: Length) -> Sliding:
    return Sliding(
        range=length,
        slide=slide,
        wattr=b.attribute(),
        offset=b.offset,
        origin=b.origin,
        lag=b.lag,
        partial=b.partial is not False,
    )


def _rows(b: Bracket, length: Rows) -> RowWindow:
    b.only("range", "slide", "wattr", "partial")
    counted: RowNum | Rank | Position
    if isinstance(b.wattr, Rank):
        counted = b.wattr
    else:
        counted = RowNum() if b.wattr in (None, *IMPLICIT) else Position(str(b.wattr))
    slide = Rows(1) if b.slide is None else b.slide
    return RowWindow(range=length, slide=slide, wattr=counted, partial=b.partial is not False)  # type: ignore[arg-type]


def _slide_by_tuple(b: Bracket, length: Length) -> SlideByTuple:
    b.only("range", "slide", "rattr", "sattr", "wattr")
    if b.rattr is not None and b.wattr not in (None, b.rattr):
        raise ConflictingClauses(
            "RATTR and WATTR name one attribute", given=f"RATTR {b.rattr} WATTR {b.wattr}", remedy="leave WATTR out"
        )
    if b.sattr not in (None, ROW_NUM) and not isinstance(b.sattr, Rank):
        raise ConflictingClauses(
            "tuples are counted by arrival or by rank", given=f"SATTR {b.sattr}", remedy="write SATTR row_num or SATTR rank(...)"
        )
    return SlideByTuple(
        range=length,
        rattr=b.rattr or b.attribute(),
        slide=Rows(1) if b.slide is None else b.slide,  # type: ignore[arg-type]
        sattr=b.sattr if isinstance(b.sattr, Rank) else RowNum(),
    )


def _tumble(b: Bracket) -> Window:
    assert b.tumble is not None
    if isinstance(b.tumble, Rows):
        return _rows(replace(b, tumble=None, range=b.tumble, slide=b.tumble), b.tumble)
    b.only("tumble", "wattr", "offset", "origin", "lag", "partial")
    return _sliding(b, b.tumble, b.tumble)


def _landmark(b: Bracket) -> Window:
    slide, attribute = b.needs("slide", _WHY_SLIDE), b.attribute()
    if b.until is not None:
        b.only("landmark", "until", "slide", "wattr", "offset")
        return LandmarkUntil(until=b.until, slide=slide, wattr=attribute, offset=b.offset)
    if b.every is not None:
        b.only("landmark", "every", "slide", "wattr", "offset")
        return LandmarkEvery(every=b.every, slide=slide, wattr=attribute, offset=b.offset)
    b.only("landmark", "since", "slide", "wattr", "offset")
    return Landmark(slide=slide, wattr=attribute, since=b.since, offset=b.offset)


def _band(b: Bracket) -> Window:
    b.only("band", "slide", "wattr")
    assert b.band is not None
    lower, upper = b.band
    return Band(lower=lower, upper=upper, slide=b.needs("slide", _WHY_SLIDE), wattr=b.attribute())


def _now(b: Bracket) -> Window:
    b.only("now", "wattr")
    return Now(wattr=b.attribute())


def _session(b: Bracket) -> Window:
    b.only("gap", "wattr")
    assert b.gap is not None
    return Session(gap=b.gap, wattr=b.attribute(), whole=b.pattr is not None and not b.pattr)


_WHY_SLIDE = "it says how often the window is reported"

_HEADS: dict[str, Callable[[Bracket], Window]] = {
    "range": _range,
    "tumble": _tumble,
    "landmark": _landmark,
    "band": _band,
    "now": _now,
    "gap": _session,
}
