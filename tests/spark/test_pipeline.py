"""The pipeline of examples/, run by `spark-pipelines`: what its windows give is what the definitions say."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pyspark
import pytest

import transom as tr
from transom.reference import Arrival
from transom.reference.of_plan import lower
from transom.testing import ReferenceEngine

pytestmark = [pytest.mark.spark, pytest.mark.server]

ROOT = Path(__file__).parents[2]
COLUMNS = {"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}


def readings(folder: Path) -> list[dict[str, Any]]:
    """Ten minutes of readings in disorder, none of them more than 30 seconds late, as lines of JSON."""
    rng, start = random.Random(5), datetime(2026, 1, 5, 14, tzinfo=UTC)
    rows = [
        {
            "seg_id": rng.choice("ab"),
            "speed": round(rng.uniform(40, 130), 1),
            "ts": start + timedelta(seconds=3 * n - rng.choice([0, 0, 10, 29])),
        }
        for n in range(200)
    ]
    folder.mkdir()
    lines = (json.dumps({**row, "ts": row["ts"].isoformat()}) for row in rows)
    (folder / "readings.json").write_text("".join(f"{line}\n" for line in lines))
    return rows


def expected(query: tr.Relation, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    found = ReferenceEngine().start(*lower(query.plan)).feed([Arrival(row) for row in rows])
    return sorted(tuple(row.values()) for row in found)


def table(folder: Path) -> list[tuple[Any, ...]]:
    found = pq.read_table([str(part) for part in folder.glob("*.parquet")]).to_pylist()
    return sorted(tuple(_moment(value) for value in row.values()) for row in found)


def _moment(value: Any) -> Any:
    """Spark's timestamps in Parquet are in UTC, and do not say so."""
    return value.to_pydatetime().replace(tzinfo=UTC) if isinstance(value, pd.Timestamp) else value


def test_a_pipeline_with_windows(tmp_path: Path) -> None:
    pytest.importorskip("pyspark.pipelines", reason="declarative pipelines came with Spark 4.1")
    pytest.importorskip("grpc", reason="pipelines run over Spark Connect, which needs grpcio")
    rows = readings(tmp_path / "in")
    project = tmp_path / "pipeline"
    shutil.copytree(ROOT / "examples" / "pipeline", project)
    spec = (project / "spark-pipeline.yml").read_text().replace("/tmp/transom-pipeline", str(tmp_path / "storage"))
    (project / "spark-pipeline.yml").write_text(spec)
    home = Path(pyspark.__file__).parent
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.warehouse.dir": tmp_path / "tables",
    }
    (tmp_path / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    done = subprocess.run(
        [home / "bin" / "spark-pipelines", "run", "--spec", "spark-pipeline.yml"],
        cwd=project,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("SPARK_")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_HOME": str(home),
            "SPARK_CONF_DIR": str(tmp_path),
            "READINGS": str(tmp_path / "in"),
            "TZ": "UTC",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    traffic = tr.stream(COLUMNS, order_by="ts", slack=tr.seconds(30))
    windows = traffic.window(range=tr.minutes(5), slide=tr.minutes(1)).group_by("seg_id")
    hi_lo = expected(windows.agg("window_end", lo=tr.min("speed"), hi=tr.max("speed")), rows)
    assert table(tmp_path / "tables" / "hi_lo") == hi_lo
    assert hi_lo
    minutes = traffic.window(tumble=tr.minutes(1)).group_by("seg_id").agg(top=tr.max("speed"), window_end="window_end")
    fast = [row for row in expected(minutes, rows) if row[1] > 120]
    assert table(tmp_path / "tables" / "alerts") == fast
    counts = {segment: sum(row[0] == segment for row in fast) for segment in {row[0] for row in fast}}
    assert dict(table(tmp_path / "tables" / "busiest")) == counts
