"""The rows on each edge of a plan's graph, in a micro-batch and so far, from what operators reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from transom.monitor.board.frame import delay_of
from transom.quality.moment import Moment, observed
from transom.quality.shard_reports import input_rows

OUT = "transom_out"
"""The metric of `transom run` that counts the rows of results."""


class EdgeRows:
    """Adds up what has passed each edge since the first report."""

    def __init__(self, graph: Sequence[Mapping[str, Any]]) -> None:
        self._graph = graph
        self._one_source = sum(box["kind"] == "source" for box in graph) == 1
        self._so_far: Counter[tuple[int, int]] = Counter()

    def take(self, report: Mapping[str, Any], moment: Moment | None) -> list[list[dict[str, Any]]]:
        """Of each box, in the order of the graph, what came on each edge into it; nothing where that is not known."""
        metrics = observed(report)
        return [
            [self._edge((n, place), edge, metrics, report, moment) for place, edge in enumerate(box.get("edges", ()))]
            for n, box in enumerate(self._graph)
        ]

    def _edge(
        self,
        where: tuple[int, int],
        edge: Mapping[str, Any],
        metrics: Mapping[str, Mapping[str, Any]],
        report: Mapping[str, Any],
        moment: Moment | None,
    ) -> dict[str, Any]:
        n, place = where
        below = self._graph[self._graph[n]["reads"][place]]
        rows = _rows(edge, metrics)
        if rows is None and n == 0:
            rows = metrics.get(OUT, {}).get("rows")
        if rows is None and below["kind"] == "source" and self._one_source:
            rows = input_rows(report)
        if rows is None:
            return {}
        self._so_far[where] += rows
        found: dict[str, Any] = {"rows": rows, "so_far": self._so_far[where]}
        if "gave" in edge:
            found["delay"] = delay_of(edge["gave"], metrics, moment)
        return found


def _rows(edge: Mapping[str, Any], metrics: Mapping[str, Mapping[str, Any]]) -> int | None:
    if "gave" in edge:
        gave = metrics.get(edge["gave"], {}).get("gave")
        return None if gave is None else int(gave["late" if edge.get("late") else "results"])
    if "taken" in edge:
        name, number = edge["taken"]
        taken = metrics.get(name, {}).get("taken")
        return None if taken is None else int(taken[number])
    return None
