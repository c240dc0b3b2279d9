"""Draws docs/pictures/windows.svg: a stream that arrives out of order, its frontier, and when each window closes.

Everything drawn is what the reference evaluator answers. `tests/test_picture.py` fails when the picture is not up to date.
"""

from __future__ import annotations

import random
from pathlib import Path

import transom as tr
from transom.testing import answer

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "windows.svg"
MINUTE = 60
SLACK = 90
QUERY = """
    CREATE STREAM traffic (speed DOUBLE, at INT) ORDER BY at SLACK 90;
    SELECT avg(speed) AS mean, count(*) AS n, window_start, window_end FROM traffic [TUMBLE 240];
"""

TITLE = "event time in minutes against order of arrival: [TUMBLE 4 MINUTES], SLACK 90 SECONDS"
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 860, 380, 64, 30, 216, 44
STYLE = """
  text{font:12px system-ui,sans-serif;fill:#57606a} .title{font-weight:600;fill:#24292f}
  .grid{stroke:#d0d7de;stroke-width:1} .window{fill:#0969da;fill-opacity:.08;stroke:#0969da;stroke-opacity:.35}
  .closed{fill:#0969da;fill-opacity:.9} .frontier{fill:none;stroke:#1a7f37;stroke-width:2}
  .tuple{fill:#0969da} .late{fill:#cf222e} .close{stroke:#0969da;stroke-width:1.5;stroke-dasharray:4 3}
  @media (prefers-color-scheme:dark){text{fill:#9198a1}.title{fill:#e6edf3}.grid{stroke:#30363d}}
"""


def stream() -> list[tuple[float, int]]:
    """Speeds and event times in seconds, in the order in which they arrive."""
    draw = random.Random(7)
    made = []
    for n in range(64):
        lateness = draw.choice([0, 0, 5, 20, 45, 70])
        made.append((round(draw.uniform(40, 70), 1), max(0, 15 * n - lateness)))
    made[46] = (made[46][0], made[46][1] - 300)
    return made


def drawn() -> str:
    """The picture as SVG."""
    tuples = stream()
    outcome = answer(tr.sql(QUERY), tuples)
    late = {one.tuple.arrival - 1 for one in outcome.late}
    last = max(at for _, at in tuples) // 240 * 240 + 240

    def x(arrival: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * arrival / len(tuples)

    def y(seconds: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * seconds / last

    parts = [f'<text class="title" x="{LEFT}" y="18">{TITLE}</text>']
    for second in range(0, last + 1, 240):
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y(second):.1f}" x2="{WIDTH - RIGHT}" y2="{y(second):.1f}"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{y(second) + 4:.1f}" text-anchor="end">{second // MINUTE}</text>')
    for result in outcome.results:
        start, end, gone = result.row["window_start"], result.row["window_end"], x(result.left_at)
        parts.append(
            f'<rect class="window" x="{LEFT}" y="{y(end):.1f}" width="{gone - LEFT:.1f}" height="{y(start) - y(end):.1f}"/>'
        )
        parts.append(f'<line class="close" x1="{gone:.1f}" y1="{y(start):.1f}" x2="{gone:.1f}" y2="{y(end):.1f}"/>')
        middle = (y(start) + y(end)) / 2 + 4
        text = f"{start // MINUTE} to {end // MINUTE} min: n = {result.row['n']}, mean {result.row['mean']:.1f}"
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{middle:.1f}">{text}</text>')
    points, high = [], None
    for n, (_, at) in enumerate(tuples):
        if high is not None:
            points.append(f"{x(n):.1f},{y(max(0, high - SLACK)):.1f}")
        high = at if high is None else max(high, at)
        points.append(f"{x(n):.1f},{y(max(0, high - SLACK)):.1f}")
    parts.append(f'<polyline class="frontier" points="{" ".join(points)}"/>')
    for n, (_, at) in enumerate(tuples):
        kind = "late" if n in late else "tuple"
        parts.append(f'<circle class="{kind}" cx="{x(n):.1f}" cy="{y(at):.1f}" r="{4 if kind == "late" else 2.6}"/>')
    legend = [
        ("tuple", "a tuple, on time"),
        ("late", "late: its window has closed"),
        ("frontier", "the frontier (watermark)"),
    ]
    for n, (kind, text) in enumerate(legend):
        left, top = LEFT + 210 * n - (10 if n else 0), HEIGHT - 14
        mark = (
            f'<circle class="{kind}" cx="{left}" cy="{top - 4}" r="4"/>'
            if kind != "frontier"
            else (f'<polyline class="frontier" points="{left + 26},{top - 4} {left + 46},{top - 4}"/>')
        )
        parts.append(mark + f'<text x="{left + (52 if kind == "frontier" else 10)}" y="{top}">{text}</text>')
    body = "\n".join(parts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return f"{head}\n<style>{STYLE}</style>\n{body}\n</svg>\n"


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(drawn(), encoding="utf-8")
