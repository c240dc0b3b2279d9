"""Draws the pictures of docs/concepts.md: kinds of windows, lateness, the drop ratio.

What is drawn is what runs: windows and late tuples are what `answer` gives, the delay is that of the generator itself.
`tests/test_picture.py` fails when a picture is not up to date.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import transom as tr
from experiments.delays import CHANGING, delayed
from experiments.waiting import SECOND, waiting
from tools.svg import box, circle, line, path, picture, text
from transom.cli.demo.traffic import readings
from transom.disorder import DropRatio
from transom.testing import answer

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"

TIMES = (1, 2, 4, 7, 8, 9, 13, 17, 18, 19)
"""Event times of the tuples under the kinds of windows, in order."""
KINDS = (
    "TUMBLE 5",
    "RANGE 10 SLIDE 5",
    "SESSION GAP 3",
    "RANGE 4 ROWS SLIDE 4 ROWS",
    "LANDMARK EVERY 10 SLIDE 5",
)


def windows_of(bracket: str) -> list[tuple[int, int, int]]:
    """Start, end and number of tuples of the windows of a bracket."""
    rows = "ROWS" in bracket
    ends = "min(at) AS s, max(at) + 1 AS e" if rows else "window_start AS s, window_end AS e"
    script = f"CREATE STREAM s (at INT) ORDER BY at; SELECT {ends}, count(*) AS n FROM s [{bracket}];"
    found = [(row["s"], row["e"], row["n"]) for row in answer(tr.sql(script), [(at,) for at in TIMES], end=True).rows]
    return found[3::4] if rows and len(found) > 4 else found


def kinds() -> str:
    """A row of extents for each kind of window over the same tuples."""
    width, left, right, top, row = 860, 210, 20, 64, 62
    span = 26

    def x(at: float) -> float:
        return left + (width - left - right) * (at + 6) / (span + 6)

    height = top + row * len(KINDS) + 10
    parts = [text(16, 20, "The same ten tuples in windows of five kinds, with the number of tuples in each", "title")]
    parts += [circle(x(at), 46, "tuple", 4) for at in TIMES]
    parts.append(text(16, 50, "tuples, by event time"))
    for number, bracket in enumerate(KINDS):
        y = top + row * number
        parts.append(line(16, y, width - right, y))
        parts.append(text(16, y + 34, f"[{bracket}]"))
        ends: list[float] = []
        for start, end, count in windows_of(bracket):
            lane = next((n for n, free in enumerate(ends) if free <= start), len(ends))
            ends[lane : lane + 1] = [end]
            place = y + 8 + lane * 17
            parts.append(box(x(start), place, x(end) - x(start), 14))
            parts.append(text((x(start) + x(end)) / 2, place + 11, str(count), anchor="middle"))
    return picture(width, height, parts)


SLACK = 20


def lateness() -> str:
    """How far each reading is behind the newest before it, and which of them SLACK finds late."""
    arrivals = readings(150)
    script = f"""
        CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK {SLACK} SECONDS;
        SELECT count(*) AS n FROM traffic [TUMBLE 1 MINUTE];
    """
    counts = answer(tr.sql(script), arrivals, end=True).counts
    behind, newest = [], arrivals[0]["ts"]
    for one in arrivals:
        newest = max(newest, one["ts"])
        behind.append((newest - one["ts"]).total_seconds())
    width, height, left, top, bottom = 860, 260, 64, 34, 40
    most = max(behind)

    def x(n: float) -> float:
        return left + (width - left - 20) * n / len(behind)

    def y(seconds: float) -> float:
        return height - bottom - (height - top - bottom) * seconds / most

    parts = [text(left, 20, "seconds behind the newest reading, in the order of arrival", "title")]
    for seconds in range(0, int(most) + 1, 30):
        parts += [line(left, y(seconds), width - 20, y(seconds)), text(left - 10, y(seconds) + 4, str(seconds), anchor="end")]
    parts.append(path([(x(0), y(SLACK)), (x(len(behind)), y(SLACK))]))
    parts += [circle(x(n), y(one), "late" if one > SLACK else "tuple", 3.5) for n, one in enumerate(behind)]
    words = f"SLACK {SLACK} SECONDS: {counts.late} of {len(arrivals)} readings are late; {counts.dropped} missed every window"
    parts.append(text(left, height - 14, words))
    return picture(width, height, parts)


TUPLES, SHOWN = 40_000, 400
RATIO = 0.01


def drop_ratio() -> str:
    """The delay that DRATIO finds where disorder grows and falls."""
    stream = delayed(CHANGING["up and down"], TUPLES, seed=1)
    found = waiting(DropRatio(RATIO), stream, first=0)
    part = TUPLES // SHOWN
    worst = stream.lateness.reshape(SHOWN, part).max(axis=1) / SECOND
    delay = found.delays.reshape(SHOWN, part)[:, -1]
    share = float(found.late[1_000:].mean())
    learning = int(np.argmax(delay < worst.max() * 4))
    width, height, left, top, bottom = 860, 260, 64, 34, 40
    most = float(max(worst.max(), delay[learning:].max()))

    def x(n: float) -> float:
        return left + (width - left - 20) * n / SHOWN

    def y(seconds: float) -> float:
        return height - bottom - (height - top - bottom) * min(seconds, most) / most

    parts = [
        text(left, 20, "seconds: the delay of DRATIO 1% (line), and the largest lateness among each 100 tuples (dots)", "title")
    ]
    for n in range(5):
        seconds = most * n / 4
        parts += [line(left, y(seconds), width - 20, y(seconds)), text(left - 10, y(seconds) + 4, f"{seconds:.1f}", anchor="end")]
    parts += [circle(x(n), y(float(one)), "tuple", 1.8) for n, one in enumerate(worst)]
    parts.append(path((x(n), y(float(one))) for n, one in enumerate(delay) if n >= learning))
    words = f"{TUPLES:,} tuples; {share:.2%} came late, of 1 % allowed; the mean delay is {found.delays[1_000:].mean():.2f} s"
    parts.append(text(left, height - 14, words))
    return picture(width, height, parts)


PICTURES: dict[str, Callable[[], str]] = {"kinds": kinds, "lateness": lateness, "drop_ratio": drop_ratio}


if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(drawn(), encoding="utf-8")
