"""Scripts over a folder of traffic, run inside of the tests' own session."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from transom.cli.run import Request, run

TRAFFIC = """\
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 30 SECONDS
  SOURCE FILE '{folder}/in' FORMAT csv OPTIONS (maxFilesPerTrigger '1');
"""
HI_LO = """\
SELECT seg_id, min(speed) AS lo, max(speed) AS hi, window_end
FROM traffic [RANGE 2 MINUTES SLIDE 1 MINUTE] GROUP BY seg_id"""

FIRST = ["s1,55.0,14:00:10", "s1,65.0,14:01:20", "s2,45.0,14:00:55", "s1,50.0,14:02:40", "s1,99.0,14:00:58"]
SECOND = ["s2,70.0,14:02:50", "s1,20.0,14:04:10", "s2,10.0,14:00:01"]


def put(folder: Path, name: str, lines: list[str]) -> None:
    """A file of readings."""
    (folder / "in").mkdir(exist_ok=True)
    dated = (line.rpartition(",") for line in lines)
    text = "".join(f"{values},2026-01-05T{time}Z\n" for values, _, time in dated)
    (folder / "in" / name).write_text(text, encoding="utf-8")


def ran(spark: Any, folder: Path, sql: str, mode: str = "once", form: str = "jsonl", **more: Any) -> tuple[int, str]:
    """The exit code, and what went to stdout."""
    out = io.StringIO()
    text = (TRAFFIC + sql).format(folder=folder)
    return run(Request(text, form, mode, out=out, spark=spark, **more)), out.getvalue()


def rows(text: str) -> list[dict[str, Any]]:
    """Lines of JSON, in an order of their own."""
    return sorted((json.loads(line) for line in text.splitlines()), key=str)


def written(folder: Path) -> list[dict[str, Any]]:
    """The rows of a folder of JSON."""
    return rows("".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("part-*.json"))))
