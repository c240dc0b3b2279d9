"""Lines and bars as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from transom.quality.scale import Scale, of_numbers

WIDTH, HEIGHT = 640, 190
LEFT, RIGHT, TOP, BOTTOM = 78, 14, 10, 24
MOST = 400
"""Of more points than this, only some are drawn."""


@dataclass(frozen=True)
class Line:
    """A line of a picture: its name, the colour by name in `look`, and its points; where there is no value, it has a gap."""

    name: str
    colour: str
    values: Sequence[float | None]
    dashed: bool = False


def lines(title: str, what: str, x: Sequence[float], along: Scale, up: Scale, drawn: Sequence[Line]) -> str:
    """A picture of lines over one axis, with its title and what each line is."""
    legend = "".join(
        f'<span class="key {line.colour}{" dashed" if line.dashed else ""}">{escape(line.name)}</span>' for line in drawn
    )
    body = _grid(up) + _below(along) + "".join(_line(line, x, along, up) for line in drawn)
    return _figure(title, what, legend, body)


def bars(title: str, what: str, named: Sequence[tuple[str, int]]) -> str:
    """A picture of counts."""
    up = of_numbers([count for _, count in named], whole=True)
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(named))
    every = -(-len(named) // 9)
    body = [_grid(up)]
    for n, (name, count) in enumerate(named):
        left, top = LEFT + n * wide, _y(up, count)
        tip = f"<title>{escape(name)}: {count:,}</title>"
        body.append(
            f'<rect class="bar" x="{left + 1:.1f}" y="{top:.1f}" width="{max(wide - 2, 1):.1f}" '
            f'height="{_y(up, 0) - top:.1f}">{tip}</rect>'
        )
        if n % every == 0:
            body.append(f'<text x="{left + wide / 2:.1f}" y="{HEIGHT - 7}" text-anchor="middle">{escape(name)}</text>')
    return _figure(title, what, "", "".join(body))


def _figure(title: str, what: str, legend: str, body: str) -> str:
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{body}</svg>'
    about = f'<span class="what">{escape(what)}</span>' if what else ""
    return f"<figure><figcaption><b>{escape(title)}</b>{about}{legend}</figcaption>{svg}</figure>"


def _x(scale: Scale, x: float) -> float:
    return LEFT + scale.at(x) * (WIDTH - LEFT - RIGHT)


def _y(scale: Scale, y: float) -> float:
    return HEIGHT - BOTTOM - scale.at(y) * (HEIGHT - TOP - BOTTOM)


def _grid(up: Scale) -> str:
    return "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(up, y):.1f}" y2="{_y(up, y):.1f}"/>'
        f'<text x="{LEFT - 6}" y="{_y(up, y) + 4:.1f}" text-anchor="end">{escape(text)}</text>'
        for y, text in up.marks
    )


def _below(along: Scale) -> str:
    return "".join(
        f'<text x="{min(_x(along, x), WIDTH - 26):.1f}" y="{HEIGHT - 7}" text-anchor="middle">{escape(text)}</text>'
        for x, text in along.marks
    )


def _line(line: Line, x: Sequence[float], along: Scale, up: Scale) -> str:
    style = f'class="line {line.colour}{" dashed" if line.dashed else ""}"'
    drawn = []
    for stretch in _stretches(x, line.values):
        points = [f"{_x(along, px):.1f},{_y(up, py):.1f}" for px, py in stretch]
        if len(points) > 1:
            drawn.append(f'<polyline {style} points="{" ".join(points)}"/>')
        else:
            left, top = points[0].split(",")
            drawn.append(f'<circle {style} cx="{left}" cy="{top}" r="2.5"/>')
    return "".join(drawn)


def _stretches(x: Sequence[float], values: Sequence[float | None]) -> list[list[tuple[float, float]]]:
    """The points between gaps; of very many, some, and always the last."""
    every = -(-len(values) // MOST)
    found: list[list[tuple[float, float]]] = [[]]
    for n, (px, py) in enumerate(zip(x, values, strict=True)):
        if py is None:
            found.append([])
        elif n % every == 0 or n + 1 == len(values):
            found[-1].append((px, py))
    return [stretch for stretch in found if stretch]
