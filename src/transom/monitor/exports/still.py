"""The windows of one moment as HTML that needs no script: the picture in a notebook's cell, while it moves and when it stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

STYLE = """
.transom-cell{--ink:#1b2129;--soft:#566270;--rule:#dfe4ea;--panel:#fff;--blue:#0b63ce;--red:#c4232f;--green:#187a37;
--grey:#7f8994;font:13px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--panel);border:1px solid var(--rule);
border-radius:8px;padding:10px 14px;max-width:900px;box-sizing:border-box}
[data-jp-theme-light=false] .transom-cell,.vscode-dark .transom-cell{--ink:#e7ecf2;--soft:#9aa5b1;--rule:#2b323b;--panel:#12171e;
--blue:#58a2ff;--red:#ff6a60;--green:#45c463}
.transom-cell .head{display:flex;flex-wrap:wrap;gap:2px 14px;align-items:baseline}
.transom-cell .soft{color:var(--soft);font-size:12px}
.transom-cell .live{color:var(--green);font-size:12px}.transom-cell .failed{color:var(--red);font-size:12px}
.transom-cell svg text{font:10.5px system-ui,sans-serif;fill:var(--soft)}
.transom-cell .frame{fill:var(--blue);fill-opacity:.06;stroke:var(--blue);stroke-opacity:.5}
.transom-cell .open{fill:var(--blue);fill-opacity:.42}.transom-cell .closed{fill:var(--blue);fill-opacity:.9}
.transom-cell .rule{stroke:var(--rule)}.transom-cell .frontier{stroke:var(--green);stroke-width:2}
.transom-cell svg text.at-frontier{fill:var(--green);font-weight:600}
.transom-cell .newest{stroke:var(--grey);stroke-width:1.5;stroke-dasharray:4 3}
.transom-cell .missed{fill:var(--red)}.transom-cell .late{fill:var(--panel);stroke:var(--red);stroke-width:1.5}
"""
"""Dark where the notebook is, and not where the system is: a notebook has a theme of its own."""

WIDE, LEFT, TOP, HEIGHT, LATE = 760, 48, 30, 96, 26
"""The picture, in pixels of its own: its width, the room beside and above it, that of the windows, and of late tuples."""


def still(title: str, frame: Mapping[str, Any] | None, *, ended: bool = False, error: str | None = None) -> str:
    """The windows of a frame. Text of the data is escaped."""
    state = ("failed", "failed") if error else ("soft", "ended") if ended else ("live", "live")
    head = f'<strong>{escape(title)}</strong><span class="{state[0]}">{state[1]}</span>'
    head += f"<span>{escape(str((frame or {}).get('says') or ''))}</span>"
    body = '<p class="soft">Nothing has arrived yet.</p>' if frame is None else _body(frame)
    reason = f'<p class="failed">{escape(error)}</p>' if error else ""
    return f'<div class="transom-cell"><style>{STYLE}</style><div class="head">{head}</div>{reason}{body}</div>'


def _body(frame: Mapping[str, Any]) -> str:
    every, reach = frame["windows"], frame.get("newest_right")
    last = None if reach is None else max(reach, frame.get("frontier") or reach)
    near = [window for window in every if last is None or window[1] <= last] or every
    newest = frame.get("newest") if len(near) == len(every) else reach
    marks = [("newest", newest, 11), ("frontier", frame.get("frontier"), 24)]
    known = [x for window in near for x in window[1:3]] + [x for _, x, _ in marks if x is not None]
    if not near or not known:
        return '<p class="soft">Windows of this kind depend on the tuples: they are known when they close.</p>'
    drawing = _Drawing(min(known), max(known), is_time=frame.get("is_time") is not False)
    opened, closed = (sum(bool(window[4]) is so for window in every) for so in (False, True))
    beyond = len(every) - len(near)
    more = (
        f" {beyond} windows lie beyond the right edge, to {drawing.at(frame['newest'])}: the clock of a substream is wrong."
        if beyond
        else ""
    )
    note = (
        f"{opened:,} window{'' if opened == 1 else 's'} open (pale), {closed:,} closed (dark).{more}"
        f" Dots are late tuples: filled ones missed a window.{' Times are UTC.' if drawing.is_time else ''}"
    )
    picture = drawing.windows(near) + drawing.late(frame.get("recent_late_tuples") or ()) + drawing.marks(marks)
    size = f'viewBox="0 0 {WIDE} {TOP + HEIGHT + LATE + 16}" width="100%" role="img" aria-label="windows over event time"'
    return f'<svg {size}>{picture}</svg><div class="soft">{escape(note)}</div>'


@dataclass(frozen=True)
class _Drawing:
    """The axis of a picture, and what is drawn along it."""

    low: float
    high: float
    is_time: bool

    def x(self, place: float) -> float:
        return LEFT + 4 + (place - self.low) / ((self.high - self.low) or 1) * (WIDE - LEFT - 12)

    def at(self, place: float) -> str:
        return datetime.fromtimestamp(place / 1000, UTC).strftime("%H:%M:%S") if self.is_time else f"{place:g}"

    def windows(self, windows: Sequence[Sequence[Any]]) -> str:
        """A bar for each, as full as its share of the tuples of the fullest; those that overlap have lanes of their own."""
        lanes, count = _lanes(windows)
        tall = HEIGHT / count
        most = max([1, *(window[3] or 0 for window in windows)])
        drawn = []
        for (_, low, high, tuples, closed), lane in zip(windows, lanes, strict=True):
            top, each = TOP + (count - 1 - lane) * tall, max(0.3, tall - (2 if tall > 6 else 0))
            wide = max(0.5, self.x(high) - self.x(low) - 1)
            level = float(closed) if tuples is None else max(0.03, tuples / most)
            tip = f"{self.at(low)} to {self.at(high)}, {'closed' if closed else 'open'}"
            tip += "" if tuples is None else f", {tuples:,} tuples"
            drawn.append(f"<g><title>{tip}</title>{_rect('frame', self.x(low), top, wide, each, 0.15 if tall < 4 else 1)}")
            drawn.append(
                _rect("closed" if closed else "open", self.x(low), top + each * (1 - level), wide, each * level) + "</g>"
            )
        if count == 1 and any(window[3] is not None for window in windows):
            for text, y in (("tuples", TOP - 4), (f"{most:,}", TOP + 10), ("0", TOP + HEIGHT)):
                drawn.append(_text(text, LEFT - 6, y, "end"))
        return "".join(drawn)

    def late(self, tuples: Sequence[Sequence[Any]]) -> str:
        """A dot for each late tuple, below the windows; those outside of the picture are left out."""
        base = TOP + HEIGHT
        drawn = [
            f'<line class="rule" x1="{LEFT}" x2="{WIDE}" y1="{base + 1}" y2="{base + 1}"/>',
            _text("late", LEFT - 6, base + 17, "end"),
        ]
        for place, _, _, fate in tuples:
            if self.low <= place <= self.high:
                kind = "missed" if fate == "missed" else "late"
                drawn.append(f'<circle class="{kind}" cx="{self.x(place):.1f}" cy="{base + 14}" r="3.5"/>')
        return "".join(drawn)

    def marks(self, marks: Sequence[tuple[str, float | None, int]]) -> str:
        """The newest event and the frontier, and where the axis begins and ends."""
        base, drawn = TOP + HEIGHT + LATE, []
        for name, place, y in marks:
            if place is None:
                continue
            x, right = self.x(place), self.x(place) > WIDE - 150
            drawn.append(f'<line class="{name}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{base}"/>')
            said = f"{'newest event' if name == 'newest' else name} {self.at(place)}"
            drawn.append(_text(said, x + (-4 if right else 4), y, "end" if right else "start", f"at-{name}"))
        return "".join([*drawn, _text(self.at(self.low), LEFT, base + 12), _text(self.at(self.high), WIDE - 4, base + 12, "end")])


def _lanes(windows: Sequence[Sequence[Any]]) -> tuple[list[int], int]:
    """The lane of each window, the lowest that is free, and how many there are."""
    ends: list[float] = []
    found = []
    for _, low, high, *_ in windows:
        lane = next((n for n, end in enumerate(ends) if end <= low + 1e-6), len(ends))
        ends[lane : lane + 1] = [high]
        found.append(lane)
    return found, max(1, len(ends))


def _rect(kind: str, x: float, y: float, wide: float, tall: float, stroke: float = 0) -> str:
    edge = f' stroke-width="{stroke}"' if stroke else ""
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.2f}" width="{wide:.1f}" height="{tall:.2f}"{edge}/>'


def _text(said: str, x: float, y: float, anchor: str = "start", kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'
