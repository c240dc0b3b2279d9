"""The rows on each edge of a plan's graph, in a micro-batch and so far, from what operators reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from transom.monitor.board.frame import OUT, delay_of, is_time_of, number, place_of
from transom.quality.moment import Moment, observed
from transom.quality.shard_reports import input_rows


class EdgeRows:
    """Adds up what has passed each edge since the first report."""

    def __init__(self, graph: Sequence[Mapping[str, Any]]) -> None:
        self._graph = graph
        self._one_source = sum(box["kind"] == "source" for box in graph) == 1
        self._readers = [box["operator"] for box in graph if "operator" in box and self._reads_stream(box)]
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
            found["delay"] = self._delay(edge["gave"], metrics, moment)
        return found

    def _delay(self, name: str, metrics: Mapping[str, Mapping[str, Any]], moment: Moment | None) -> float | None:
        """How far what an operator gives is behind the newest tuple of the streams: that of its own, if it reads one."""
        if name in self._readers:
            return delay_of(name, metrics, moment)
        places = [place_of(one, "newest", metrics) for one in self._readers]
        reached, newest = place_of(name, "frontier", metrics), max((place for place in places if place is not None), default=None)
        if moment is not None and moment.newest_by_right_clocks is not None:
            newest = number(moment.newest_by_right_clocks)
        if reached is None or newest is None or len({is_time_of(one, metrics) for one in (name, *self._readers)}) > 1:
            return None
        return max(newest - reached, 0.0)

    def _reads_stream(self, box: Mapping[str, Any]) -> bool:
        below = [self._graph[n] for n in box["reads"]]
        return any(one["kind"] == "source" or (one["kind"] == "step" and self._reads_stream(one)) for one in below)


def _rows(edge: Mapping[str, Any], metrics: Mapping[str, Mapping[str, Any]]) -> int | None:
    if "gave" in edge:
        gave = metrics.get(edge["gave"], {}).get("gave")
        return None if gave is None else int(gave["late" if edge.get("late") else "results"])
    if "taken" in edge:
        name, number = edge["taken"]
        taken = metrics.get(name, {}).get("taken")
        return None if taken is None else int(taken[number])
    return None
