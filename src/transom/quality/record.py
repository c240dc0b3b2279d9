"""A record of a run: the progress reports of Spark, one to a line of JSON, each with the query it is of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from transom.errors import BadOption, BadRecord
from transom.quality.quality import Quality
from transom.quality.shard_reports import input_rows

KEPT = ("id", "runId", "name", "timestamp", "batchId", "numInputRows", "durationMs", "observedMetrics")
REMEDY = "write one with transom run FILE.sql --record RECORD"


class Recorder:
    """Writes reports as they come."""

    def __init__(self, path: str, *, anew: bool) -> None:
        self._path = Path(path)
        try:
            with self._path.open("w" if anew else "a", encoding="utf-8"):
                pass
        except OSError as error:
            raise BadOption("the record cannot be written", given=f"{path}: {error}", remedy="name another file") from None

    def describe(self, title: str, about: Mapping[str, Any]) -> None:
        """Say what a query is: its text, its plan."""
        self._add({"query": title, "about": dict(about)})

    def report(self, title: str, report: Mapping[str, Any]) -> None:
        """Add a report of a query."""
        kept = {name: report[name] for name in KEPT if name in report}
        self._add({"query": title, **kept, "inputRows": input_rows(report)})

    def end(self, title: str, error: str | None = None) -> None:
        """Say that a query has ended, and with which error."""
        self._add({"query": title, "ended": error})

    def _add(self, line: Mapping[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")


def record_lines(path: str) -> Iterator[dict[str, Any]]:
    """The lines of a record: what a query is (`about`), its reports, and that it has `ended`."""
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            yield _report(line, f"{path}, line {number}")


def title_of(line: Mapping[str, Any]) -> str:
    """The query that a line is of."""
    return str(line.get("query") or line.get("name") or line.get("id") or "query")


def read_record(path: str) -> list[Quality]:
    """The queries of a record. Lines that other programs have written of Spark's progress will do."""
    reports: dict[str, list[dict[str, Any]]] = {}
    texts: dict[str, tuple[str, ...]] = {}
    for line in record_lines(path):
        if "about" in line:
            texts[title_of(line)] = tuple(map(str, line["about"].get("sql") or ()))
        if "batchId" in line:
            reports.setdefault(title_of(line), []).append(line)
    if not reports:
        raise BadRecord("the record is empty", given=path, remedy=REMEDY)
    found = [_quality(title, each, path) for title, each in reports.items()]
    told = [replace(quality, sql=texts.get(quality.title, ())) for quality in found if quality.moments]
    if not told:
        raise BadRecord("the record has no line about windows", given=path, remedy="record a query that has one")
    return told


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecord("the record cannot be read", given=f"{path}: {error}", remedy=REMEDY) from None


def _report(line: str, where: str) -> dict[str, Any]:
    try:
        report = json.loads(line)
    except ValueError:
        report = None
    if not isinstance(report, dict) or not (
        "batchId" in report or ("query" in report and ("about" in report or "ended" in report))
    ):
        raise BadRecord("a line is no progress report of Spark", given=f"{where}: {line[:80]}", remedy=REMEDY)
    return report


def _quality(title: str, reports: list[dict[str, Any]], path: str) -> Quality:
    try:
        return Quality.of_reports(reports, title)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise BadRecord("the record was not written by Transom", given=f"{path}: {error}", remedy=REMEDY) from None
