"""What more workers cost: CPU seconds per million rows, with 1 to 4 of them on one machine.

`python -m tests.torture.workers --minutes 15` runs a query over the same files on `local-cluster` and on a standalone cluster,
each worker with one core and an executor of its own. CPU seconds are those of all processes, the driver's and the workers', from
the start of the query to its end; a small query before it has started them and warmed them up.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.standalone import cluster
from tests.torture.victim import session
from tests.torture.watching import cpu_seconds, descendants

ROOT = Path(__file__).parents[2]
FILES, TOGETHER, SHARDS, KEYS = 8, 4, 4, 10_000
QUERY = "SELECT k, window_end AS e, count(*) AS n, sum(v) AS total FROM s [RANGE 60 SECONDS SLIDE 10 SECONDS] GROUP BY k"
WHERE = ("local-cluster", "standalone")


def write(folder: Path, rows: int) -> None:
    """Files in order, each with a minute of rows."""
    folder.mkdir(parents=True)
    for number in range(FILES):
        rng, each = np.random.default_rng(number), rows // FILES
        at = (np.sort(rng.uniform(60 * number, 60 * (number + 1), each)) * 1e6).astype(np.int64)
        columns = {"k": rng.integers(0, KEYS, each), "v": np.arange(each) % 100}
        table = pa.table({**columns, "ts": pa.array(at).cast(pa.timestamp("us", "UTC"))})
        path = folder / f"part-{number}.parquet"
        pq.write_table(table, path)
        os.utime(path, (1e9 + number, 1e9 + number))


def run(spark: SparkSession, folder: Path, name: str) -> int:
    """The query over the files of a folder; how many rows it gave."""
    read = spark.readStream.option("maxFilesPerTrigger", TOGETHER).schema("k BIGINT, v BIGINT, ts TIMESTAMP")
    rows = tr.sql(QUERY, s=tr.stream(read.parquet(str(folder)), order_by="ts", name="s", slack=tr.seconds(2))).to_df()
    given: list[int] = []
    writer = rows.writeStream.option("checkpointLocation", str(folder.parent / f"checkpoint-{name}")).trigger(availableNow=True)
    writer.foreachBatch(lambda frame, _: given.append(frame.count())).start().awaitTermination()
    return sum(given)


def measured(master: str, folder: Path, leaders: list[int]) -> dict[str, Any]:
    """In this process: what the query costs there."""
    spark = session(master)
    spark.conf.set("spark.sql.shuffle.partitions", str(SHARDS))
    run(spark, folder / "few", "few")
    before, began = [cpu_seconds(one) for one in (os.getpid(), *leaders)], time.monotonic()
    given = run(spark, folder / "in", "in")
    seconds = time.monotonic() - began
    spent = [cpu_seconds(one) - was for one, was in zip((os.getpid(), *leaders), before, strict=True)]
    executors = sum(
        "CoarseGrainedExecutorBackend" in text for one in (os.getpid(), *leaders) for text in descendants(one).values()
    )
    return {"rows": given, "seconds": seconds, "cpu": sum(spent), "executors": executors}


@contextmanager
def place(where: str, count: int, folder: Path) -> Iterator[tuple[str, list[int]]]:
    """The master of so many workers, and the processes that are not the driver's."""
    if where == "local-cluster":
        yield f"local-cluster[{count},1,700]", []
    else:
        with cluster(folder, workers=count) as made:
            yield made.address, [one.pid for one in made.workers]


def apart(where: str, count: int, folder: Path) -> dict[str, Any]:
    """The same in a process of its own."""
    with place(where, count, folder / f"{where}-{count}") as (master, leaders), (folder / "log").open("ab") as log:
        command = [sys.executable, "-m", "tests.torture.workers", "--there", master, str(folder), *map(str, leaders)]
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        environment["SPARK_LOCAL_IP"] = "127.0.0.1"
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, check=False, timeout=900)
    for one in folder.glob("checkpoint-*"):
        shutil.rmtree(one)
    if done.returncode != 0:
        raise SystemExit(f"{where} with {count}: {(folder / 'log').read_text(errors='replace')[-3000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="workers", description="CPU seconds per million rows, with 1 to 4 workers.")
    parser.add_argument("--minutes", type=float, default=15, help="begin no other measurement after that")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--there", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.there:
        master, folder, *leaders = given.there
        print(json.dumps(measured(master, Path(folder), [int(one) for one in leaders])))
        return
    until = time.monotonic() + 60 * given.minutes
    print("| cluster | workers | CPU s per million rows | seconds | results |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="transom-workers-", ignore_cleanup_errors=True) as folder:
        write(Path(folder) / "in", given.rows)
        write(Path(folder) / "few", given.rows // 50)
        for count in given.workers:
            for where in WHERE:
                if time.monotonic() < until:
                    found = apart(where, count, Path(folder))
                    assert found["executors"] == count, found
                    cost = found["cpu"] / given.rows * 1e6
                    print(f"| {where} | {count} | {cost:.2f} | {found['seconds']:.0f} | {found['rows']:,} |", flush=True)


if __name__ == "__main__":
    main()
