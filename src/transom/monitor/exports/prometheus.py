"""An endpoint for Prometheus: the figures of all queries at the moment of a request, by Prometheus' own client library."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from transom.monitor.board.board import Board
from transom.monitor.exports.exported_figures import FIGURES, latest


def metrics_of(board: Board) -> PrometheusText | None:
    """The endpoint's text; None without the extra `transom[prometheus]`."""
    return PrometheusText(board) if find_spec("prometheus_client") is not None else None


class PrometheusText:
    """Figures as Prometheus reads them."""

    def __init__(self, board: Board) -> None:
        from prometheus_client import CollectorRegistry

        self._board = board
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> tuple[bytes, str]:
        """All of them, and the type of the text."""
        from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._registry), CONTENT_TYPE_LATEST

    def collect(self) -> Iterator[Any]:
        """One family for each figure; this is what the registry calls."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        known = list(latest(self._board))
        for figure in FIGURES:
            found = [({"query": title, **labels}, value) for title, frame in known for labels, value in figure.read(frame)]
            family = CounterMetricFamily if figure.is_counter else GaugeMetricFamily
            names = list(found[0][0]) if found else ["query"]
            made = family(figure.name, figure.says, labels=names)
            for labels, value in found:
                made.add_metric([labels[name] for name in names], value)
            yield made
