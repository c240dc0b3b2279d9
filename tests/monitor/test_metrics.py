"""Figures for Prometheus and OpenTelemetry: those of the board, and those that the dashboard and the alerts ask for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.monitor.planted import SILENT
from tests.quality.reports import START, report
from transom.monitor.board.board import Board
from transom.monitor.exports import exported_figures as figures
from transom.monitor.exports.exported_figures import FIGURES
from transom.monitor.exports.otel import export
from transom.monitor.exports.prometheus import metrics_of
from transom.monitor.web.serving import Console

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"
NAMES = {figure.name + ("_total" if figure.is_counter else "") for figure in FIGURES}


def test_prometheus_reads_the_figures_of_the_last_frame(board: Board) -> None:
    pytest.importorskip("prometheus_client", reason="needs its extra: transom[prometheus]")
    pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")
    with Console(board, port=0, metrics=metrics_of(board)).start() as console:
        text = urllib.request.urlopen(f"{console.url}metrics", timeout=10).read().decode()
    frame = json.loads(board.frame("query 1") or "")
    assert f'transom_late_ratio{{query="query 1"}} {frame["ratio"]}' in text
    assert f'transom_tuples_total{{fate="used",query="query 1"}} {float(frame["used"])}' in text
    assert f'transom_substream_holds_back{{query="query 1",substream="{SILENT}"}} 1.0' in text
    assert 'transom_up{query="query 1"} 0.0' in text
    silent = re.search(rf'transom_substream_silent_seconds{{query="query 1",substream="{SILENT}"}} (\S+)', text)
    assert silent is not None
    assert float(silent[1]) > 5


def test_the_text_is_what_the_parser_of_prometheus_takes() -> None:
    """With names that need escapes, of several queries."""
    parser = pytest.importorskip("prometheus_client.parser", reason="needs its extra: transom[prometheus]")
    title = 'a "query"\\ with\nlines'
    board = Board()
    substreams = [{"name": 'x"}\n1', "newest": START, "frontier": START, "seen": 3, "late": 0}]
    board.report(title, report(0, 3, substreams=substreams))
    board.report("other", report(1, 3))
    metrics = metrics_of(board)
    assert metrics is not None
    text, kind = metrics.text()
    assert kind.startswith("text/plain")
    families = {family.name: family for family in parser.text_string_to_metric_families(text.decode())}
    assert set(families) == {figure.name for figure in FIGURES}
    used = {
        sample.labels["query"]: sample.value for sample in families["transom_tuples"].samples if sample.labels["fate"] == "used"
    }
    assert used == {title: 995.0, "other": 1995.0}
    (silent,) = families["transom_substream_silent_seconds"].samples
    assert silent.labels == {"query": title, "substream": 'x"}\n1'}


def test_opentelemetry_observes_the_same(board: Board) -> None:
    sdk = pytest.importorskip("opentelemetry.sdk.metrics", reason="needs its extra: transom[opentelemetry]")
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader

    reader: Any = InMemoryMetricReader()
    stop = export(board, sdk.MeterProvider(metric_readers=[reader]))
    data = json.loads(reader.get_metrics_data().to_json())
    found = {one["name"]: one["data"]["data_points"] for one in data["resource_metrics"][0]["scope_metrics"][0]["metrics"]}
    frame = json.loads(board.frame("query 1") or "")
    assert found["transom_delay_seconds"][0]["value"] == frame["behind_right_clocks"] / 1000
    assert frame["behind_right_clocks"] < frame["delay"]  # one clock is wrong
    assert found["transom_delay_seconds"][0]["attributes"] == {"query": "query 1"}
    assert {point["attributes"]["fate"] for point in found["transom_tuples"]} == {"used", "dropped", "outside", "late"}
    stop()


def test_on_an_axis_of_numbers_there_are_no_seconds() -> None:
    read = {figure.name: list(figure.read({"is_time": False, "delay": 5.0, "ended": False})) for figure in FIGURES}
    assert read["transom_delay_seconds"] == []
    assert list(figures.latest(Board())) == []


def test_the_dashboard_and_the_alerts_ask_for_figures_that_exist() -> None:
    dashboard = json.loads((Path(figures.__file__).parent / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    text = DOCS.read_text(encoding="utf-8")
    rules = yaml.safe_load(text.split("```yaml")[1].split("```")[0])["groups"][0]["rules"]
    asked += [rule["expr"] for rule in rules]
    used = set(re.findall(r"transom_\w+", " ".join(asked)))
    assert used <= NAMES
    assert {"PromiseBroken", "SilentSubstream", "FrontierStuck", "StateGrows"} <= {rule["alert"] for rule in rules}
    assert set(re.findall(r"transom_\w+", text)) >= NAMES


def test_prometheus_accepts_the_figures_the_alerts_and_the_dashboard(board: Board, tmp_path: Path) -> None:
    """Its own tool parses every expression, and knows no better name for a figure."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("no promtool: Debian's package prometheus gives one")
    pytest.importorskip("prometheus_client", reason="needs its extra: transom[prometheus]")
    rules = DOCS.read_text(encoding="utf-8").split("```yaml")[1].split("```")[0]
    dashboard = json.loads((Path(figures.__file__).parent / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"].replace("$query", ".*") for panel in dashboard["panels"] for target in panel["targets"]]
    shown = {"groups": [{"name": "dashboard", "rules": [{"record": f"shown:{n}", "expr": one} for n, one in enumerate(asked)]}]}
    for name, text in (("alerts.yml", rules), ("dashboard.yml", yaml.safe_dump(shown))):
        (tmp_path / name).write_text(text, encoding="utf-8")
        subprocess.run([promtool, "check", "rules", str(tmp_path / name)], check=True, capture_output=True)
    told = metrics_of(board)
    assert told is not None
    subprocess.run([promtool, "check", "metrics"], input=told.text()[0], check=True, capture_output=True)
