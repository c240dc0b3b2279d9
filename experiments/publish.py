"""Where results go: data and pictures in a folder, tables into the page, whose prose is written by hand."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.chart import line_chart
from benchmarks.report import table
from experiments.outcome import Outcome

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "experiments" / "results"
PAGE = ROOT / "EXPERIMENTS.md"


def begin(name: str) -> str:
    return f"<!-- generated, {name}: begin -->"


def end(name: str) -> str:
    return f"<!-- generated, {name}: end -->"


def save(folder: Path, name: str, outcome: Outcome, about: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    kept = {"about": about, **outcome.to_json()}
    (folder / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for one in outcome.curves:
        drawn = line_chart(one.title, one.x, one.y, one.lines, log_x=one.log_x, log_y=one.log_y)
        (folder / f"{one.name}.svg").write_text(drawn, encoding="utf-8")


def markdown(outcome: Outcome, about: str, pictures: str = "") -> str:
    """Tables, pictures and notes."""
    lines = []
    for one in outcome.tables:
        formats = list(one.head.values())
        rows = [[cell(value, how) for value, how in zip(row, formats, strict=True)] for row in one.rows]
        lines += [f"{one.title}:", "", *table(list(one.head), rows), ""]
    lines += [f"![{one.title}]({pictures}{one.name}.svg)" for one in outcome.curves] + [""]
    lines += [f"- {note}" for note in outcome.notes] + [""]
    return "\n".join([*lines, about]).strip() + "\n"


def cell(value: Any, how: str) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, str) else format(value, how)


def fill(page: Path, name: str, section: str) -> None:
    """Write one generated section anew."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(begin(name), 1)
    after = rest.split(end(name), 1)[1]
    page.write_text(f"{before}{begin(name)}\n\n{section}\n{end(name)}{after}", encoding="utf-8")


def about(seconds: float) -> str:
    """When and on what."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pyarrow"))
    made = datetime.now(UTC).strftime("%Y-%m-%d")
    return f"*{made}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}; {seconds:.0f} s.*"
