"""The same figures for OpenTelemetry, by its SDK: over OTLP, or to a meter provider that a program has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from transom.errors import NotSupported
from transom.monitor.board.board import Board
from transom.monitor.exports.exported_figures import FIGURES, Figure, latest


def export(board: Board, provider: Any = None) -> Callable[[], None]:
    """Export the figures of a board until the answer is called.

    Without a provider of your own they go to the OTLP endpoint that the environment names (`OTEL_EXPORTER_OTLP_ENDPOINT`), every
    `OTEL_METRIC_EXPORT_INTERVAL` milliseconds.
    """
    own = _otlp() if provider is None else provider
    meter = own.get_meter("transom")
    for figure in FIGURES:
        make = meter.create_observable_counter if figure.is_counter else meter.create_observable_gauge
        make(figure.name, callbacks=[_observe(board, figure)], description=figure.says)

    def stop() -> None:
        if provider is None:
            own.shutdown()

    return stop


def _observe(board: Board, figure: Figure) -> Callable[[Any], Iterable[Any]]:
    from opentelemetry.metrics import Observation

    def observe(options: Any) -> Iterable[Any]:
        for title, frame in latest(board):
            for labels, value in figure.read(frame):
                yield Observation(value, {"query": title, **labels})

    return observe


def _otlp() -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    except ImportError:
        raise NotSupported(
            "OpenTelemetry needs its SDK and the OTLP exporter",
            given="they are not installed",
            remedy="pip install 'transom[opentelemetry]'",
        ) from None
    return MeterProvider(metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter())])
