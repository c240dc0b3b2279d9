"""Delta Lake: what its page shows, run with its jars, holds each row once, also after a crash.

If no build fits this release of Spark, the newest release that has one runs the test, in an environment of its own.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import uuid
import venv
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyspark
import pytest

import transom as tr
from tests.spark.kafka_broker import CACHE, jars
from tests.spark.sinks.lakehouse_session import COLUMNS
from transom.reference import Arrival
from transom.reference.of_plan import lower
from transom.testing import ReferenceEngine

pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.long]

ROOT = Path(__file__).parents[3]
FILES, EACH = 3, 80
BUILDS = {
    "delta": ("io.delta:delta-spark_4.2_2.13:4.4.0", "4.2.1"),
}
"""The newest build of each, and the newest release of Spark that has Transom and may have the build."""
OWN_JARS = ("delta", "unitycatalog")
"""Of what the builds need, Spark has the rest."""


def readings(folder: Path) -> list[dict[str, Any]]:
    """Three files of readings in disorder; two of them come too late."""
    rng, start, rows = random.Random(5), datetime(2026, 1, 5, 14, tzinfo=UTC), []
    folder.mkdir()
    for number in range(FILES):
        own = []
        for n in range(EACH):
            back = 300 if (number, n) in ((1, 40), (2, 50)) else rng.choice([0, 20])
            at = start + timedelta(seconds=3 * (EACH * number + n) - back)
            own.append({"seg_id": rng.choice("ab"), "speed": round(rng.uniform(40, 130), 1), "ts": at})
        path = folder / f"part-{number}.json"
        path.write_text("".join(f"{json.dumps({**row, 'ts': row['ts'].isoformat()})}\n" for row in own))
        os.utime(path, (1e9 + number, 1e9 + number))
        rows += own
    return rows


def expected(rows: list[dict[str, Any]]) -> tuple[list[list[str]], int]:
    """The results, and how many readings are late."""
    schema = dict(one.split() for one in COLUMNS.split(", "))
    traffic = tr.stream(schema, order_by="ts", slack=tr.seconds(30), name="traffic")
    windows = traffic.window(range=tr.minutes(5), slide=tr.minutes(1)).group_by("seg_id")
    query = windows.agg("window_end", lo=tr.min("speed"), hi=tr.max("speed"))
    running = ReferenceEngine().start(*lower(query.plan))
    found = running.feed([Arrival(row) for row in rows])
    named = [[row["seg_id"], str(int(row["window_end"].timestamp())), str(row["lo"]), str(row["hi"])] for row in found]
    return sorted(named), running.counts().late


def interpreter(version: str) -> str:
    """A Python with that release of PySpark and this very Transom; this one if it is of that release."""
    if pyspark.__version__ == version:
        return sys.executable
    folder = CACHE / f"pyspark-{version}"
    if not folder.exists():
        made = CACHE / f".pyspark-{version}.{uuid.uuid4().hex}"
        venv.create(made, with_pip=True)
        needed = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line.strip() and line[0].isalpha()]
        wanted = [f"pyspark=={version}", *(line for line in needed if line.partition("==")[0] in NEEDED)]
        command = [str(made / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
        if subprocess.run(command, capture_output=True, timeout=600, check=False).returncode != 0:
            pytest.skip(f"PySpark {version} is not to be had")
        made.rename(folder)
    return str(folder / "bin" / "python")


NEEDED = ("click", "numpy", "pandas", "protobuf", "pyarrow", "pyyaml", "sqlglot")
"""What Transom needs besides PySpark."""


def held(python: str, page: str, names: list[Path], folder: Path) -> dict[str, Any]:
    """What the tables hold in the end, as a session of that interpreter finds it."""
    folder.mkdir()
    readings(folder / "readings")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment |= {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "PYSPARK_PYTHON": python, "TZ": "UTC"}
    command = [python, "-m", "tests.spark.sinks.lakehouse_session", str(ROOT / "docs" / f"{page}.md"), ",".join(map(str, names))]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-6000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("page", list(BUILDS))
def test_each_row_once(page: str, tmp_path: Path) -> None:
    build, fits = BUILDS[page]
    folder = jars(build.replace(":", "-"), build)
    if folder is None:
        pytest.skip(f"{build} is not to be had")
    names = [jar for jar in sorted(folder.glob("*.jar")) if jar.name.startswith(OWN_JARS)]
    found = held(sys.executable, page, names, tmp_path / "here")
    if "mismatch" in found:
        found = held(interpreter(fits), page, names, tmp_path / "there")
    if "mismatch" in found:
        pytest.skip(f"{build} fits neither Spark {pyspark.__version__} nor {fits}: {found['mismatch']}")
    rows = readings(tmp_path / "readings")
    results, late = expected(rows)
    assert results != expected(rows[: EACH * (FILES - 1)])[0]  # the micro-batch that comes again has results
    assert late == 2
    for table in ("hi_lo", "hi_lo_too", "hi_lo_by_spark"):
        assert found[f"{table} once"] == results
        assert found[f"{table} again"] == results
    assert len(found["missed once"]) == len(found["missed again"]) == late
