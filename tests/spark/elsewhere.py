"""The same simple query in another session, and what the reference says to it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.spark.simple_session import query
from tests.spark.simple_session import written as written_by_users
from transom.fluent.relation import Relation
from transom.reference import Arrival, End
from transom.reference.history import Item
from transom.reference.of_plan import lower
from transom.testing import ReferenceEngine

UNSET = ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON")
ROOT = Path(__file__).parents[2]
TYPES = {"k": pa.string(), "v": pa.int64(), "ts": pa.timestamp("us", "UTC")}


def written(folder: Path) -> list[Item]:
    """Two files of disordered tuples."""
    rng, clock = random.Random(3), 0
    items: list[Item] = []
    (folder / "in").mkdir(parents=True)
    for number in range(2):
        rows = []
        for _ in range(100):
            clock += rng.randint(0, 900_000)
            moment = datetime.fromtimestamp((clock - rng.choice([0, 0, 2_000_000, 9_000_000])) / 1e6, UTC)
            rows.append({"k": rng.choice(["a", "b", None]), "v": rng.randint(0, 9), "ts": moment})
        items += [Arrival(row) for row in rows]
        path = folder / "in" / f"part-{number}.parquet"
        pq.write_table(pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in TYPES.items()}), path)
        os.utime(path, (1e9 + number, 1e9 + number))
    return items


COLUMNS: Any = {"k": "STRING", "v": "BIGINT", "ts": "TIMESTAMP"}


def expected(items: list[Item], asked: Callable[[Any], Relation] = query) -> list[list[Any]]:
    rows = ReferenceEngine().start(*lower(asked(COLUMNS).plan)).feed(items)
    return sorted([[row["k"], round(row["e"].timestamp() * 1e6), row["n"], row["s"]] for row in rows], key=repr)


def run_elsewhere(master: str, folder: Path, *, named: bool = True, **environment: str) -> dict[str, Any]:
    """What the session of another process finds. `named`: the environment says which interpreter workers run."""
    own = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable} if named else {}
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.simple_session", master, str(folder)],
        cwd=ROOT,
        env={**{name: text for name, text in os.environ.items() if name not in UNSET}, **own, "TZ": "UTC", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def check(found: dict[str, Any], items: list[Item]) -> None:
    assert found["batch"] == expected([*items, End()])
    assert found["sql"] == found["class"] == expected([*items, End()], written_by_users)
    assert found["inline"] == found["blocks"] == expected(items)
    reference = ReferenceEngine().start(*lower(query(COLUMNS).plan))
    reference.feed(items)
    assert found["inline quality"] == found["blocks quality"] == [1, len(items), reference.counts().late, "0:00:03"]
    assert found["inline heard"] == found["blocks heard"] == ["started", "micro-batch 0", "micro-batch 1", "ended"]
