"""A line chart as SVG. With both axes logarithmic, growth shows as slope, and no growth as a level line."""

from __future__ import annotations

import math
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 76, 16, 40, 84
COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a")
Points = list[tuple[float, float]]


class Axis:
    """Powers of ten around some values, on a length of paper."""

    def __init__(self, values: list[float], start: float, end: float) -> None:
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(math.ceil(math.log10(max(values)) - 1e-9), self.low + 1)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        return [10.0**n for n in range(self.low, self.high + 1)]


class Linear(Axis):
    """Round numbers from zero up to the largest value."""

    def __init__(self, values: list[float], start: float, end: float) -> None:
        most = max(max(values), 1e-9)
        size = 10.0 ** math.floor(math.log10(most))
        self.step = next(size * part for part in (0.2, 0.5, 1, 2) if size * part * 6 >= most)
        self.count = math.ceil(most / self.step - 1e-9)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + value / (self.step * self.count) * (self.end - self.start)

    def ticks(self) -> list[float]:
        return [n * self.step for n in range(self.count + 1)]


def short(value: float) -> str:
    """1200000 as 1.2 M."""
    for size, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{name}"
    return f"{value:g}"


def line_chart(title: str, x: str, y: str, lines: dict[str, Points], *, log_x: bool = True, log_y: bool = True) -> str:
    """The lines, each with its points and its name. What is not above zero has no place on a logarithmic axis."""
    lines = {name: [(a, b) for a, b in points if (a > 0 or not log_x) and (b > 0 or not log_y)] for name, points in lines.items()}
    points = [point for each in lines.values() for point in each]
    parts = [_text(WIDTH / 2, 22, title, "middle", size=15)]
    if points:
        across = (Axis if log_x else Linear)([a for a, _ in points], LEFT, WIDTH - RIGHT)
        up = (Axis if log_y else Linear)([b for _, b in points], HEIGHT - BOTTOM, TOP)
        parts += _grid(across, up)
        apart = min(180.0, (WIDTH - LEFT) / max(1, len(lines)))
        parts += [part for n, each in enumerate(lines.items()) for part in _line(n, *each, across, up, apart)]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 36, x, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<g transform="translate(16 {middle:.1f}) rotate(-90)">{_text(0, 0, y, "middle")}</g>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
    head += 'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>'
    return "\n".join([head, *parts, "</svg>", ""])


def _grid(across: Axis, up: Axis) -> list[str]:
    parts = []
    for tick in across.ticks():
        at = across(tick)
        parts.append(_rule(at, TOP, at, HEIGHT - BOTTOM))
        parts.append(_text(at, HEIGHT - BOTTOM + 17, short(tick), "middle"))
    for tick in up.ticks():
        at = up(tick)
        parts.append(_rule(LEFT, at, WIDTH - RIGHT, at))
        parts.append(_text(LEFT - 6, at + 4, short(tick), "end"))
    return parts


def _line(number: int, name: str, points: Points, across: Axis, up: Axis, apart: float) -> list[str]:
    colour = COLOURS[number % len(COLOURS)]
    places = [(across(a), up(b)) for a, b in points]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for (a, b), (_, value) in zip(places, points, strict=True):
        parts.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"><title>{escape(short(value))}</title></circle>')
    left = LEFT + number * apart
    parts.append(f'<circle cx="{left:.0f}" cy="{HEIGHT - 18}" r="5" fill="{colour}"/>')
    parts.append(_text(left + 10, HEIGHT - 14, name, "start"))
    return parts


def _rule(*ends: float) -> str:
    a, b, c, d = ends
    return f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="#d0d7de"/>'


def _text(x: float, y: float, text: str, anchor: str, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#1f2328">{escape(text)}</text>'
