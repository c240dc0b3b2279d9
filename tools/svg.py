"""Shapes for the pictures of the documents, and a style that suits light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable

STYLE = """
  text{font:12px system-ui,sans-serif;fill:#57606a} .title{font-weight:600;fill:#24292f}
  .grid{stroke:#d0d7de;stroke-width:1} .window{fill:#0969da;fill-opacity:.12;stroke:#0969da;stroke-opacity:.5}
  .tuple{fill:#0969da} .late{fill:#cf222e} .line{fill:none;stroke:#1a7f37;stroke-width:2}
  @media (prefers-color-scheme:dark){text{fill:#9198a1}.title{fill:#e6edf3}.grid{stroke:#30363d}}
"""


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def circle(x: float, y: float, kind: str, radius: float = 3) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def box(x: float, y: float, width: float, height: float, kind: str = "window") -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="3"/>'


def path(points: Iterable[tuple[float, float]]) -> str:
    return f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def picture(width: int, height: int, parts: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return f"{head}\n<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
