"""A campaign: rounds of random queries under random faults, and what came of them."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from tests.spark.on_spark import rows_of
from tests.torture import faults
from tests.torture.faults import Tally
from tests.torture.queries import KINDS, write_files
from tests.torture.victim import folder_of, run
from transom.testing import assert_same_rows
from transom.testing.compare import RowsDiffer

ROOT = Path(__file__).parents[2]
LOCAL, CLUSTER = "local[2]", "local-cluster[2,1,700]"
PATIENCE = 240.0
"""Seconds until an undisturbed life must have ended."""


@dataclass
class Round:
    """Queries that one victim runs, and the faults of its lives."""

    spark: SparkSession
    seed: int
    folder: Path
    tally: Tally
    kinds: tuple[str, ...]
    master: str = LOCAL
    rng: random.Random = field(default_factory=random.Random)

    def place(self, kind: str) -> Path:
        return self.folder / folder_of(kind)

    def prepare(self, *, own_sink: str | None = None) -> None:
        for kind in self.kinds:
            write_files(self.place(kind) / "in", kind, self.seed)
        if own_sink is not None:
            (self.place(own_sink) / "own_sink").touch()

    def start(self) -> subprocess.Popen[bytes]:
        """A victim in a process group of its own."""
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        environment |= {"SPARK_HOME": os.environ.get("SPARK_HOME", ""), "SPARK_SCALA_VERSION": "2.13"}
        environment = {name: value for name, value in environment.items() if value}
        command = [sys.executable, "-m", "tests.torture.victim", str(self.folder), str(self.seed), self.master, *self.kinds]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)

    def progress(self) -> int:
        return sum(len(list((self.place(kind) / "checkpoint" / "commits").glob("[0-9]*"))) for kind in self.kinds)

    def wait(self, victim: subprocess.Popen[bytes], *, more: int, seconds: float) -> bool:
        """Until some micro-batches more have ended; whether the victim still lives."""
        wanted, until = self.progress() + more, time.monotonic() + seconds
        while victim.poll() is None and time.monotonic() < until and self.progress() < wanted:
            time.sleep(0.05)
        return victim.poll() is None

    def harass(self, victim: subprocess.Popen[bytes], until: float, sink: Path | None) -> None:
        """Kill its workers and executors, and take its sink away and give it back, for a while."""
        while victim.poll() is None and time.monotonic() < until:
            time.sleep(self.rng.uniform(0.1, 0.6))
            if self.master == CLUSTER and self.rng.random() < 0.3:
                if faults.kill_one(victim.pid, faults.is_executor, self.rng):
                    self.tally.injected["kill -9 executor"] += 1
            elif sink is not None and self.rng.random() < 0.2:
                (sink / "down").touch()
                time.sleep(self.rng.uniform(0.3, 1.5))
                (sink / "down").unlink()
                self.tally.injected["sink down"] += 1
            elif faults.kill_one(victim.pid, faults.is_python_worker, self.rng):
                self.tally.injected["kill -9 Python worker"] += 1

    def life(self, sink: Path | None) -> None:
        """A life that ends with a kill, if it does not end before."""
        victim = self.start()
        try:
            if self.wait(victim, more=1, seconds=PATIENCE):
                self.harass(victim, time.monotonic() + self.rng.uniform(5.0, 12.0), sink)
        finally:
            if victim.poll() is None:
                self.tally.injected["kill -9 driver"] += 1
            faults.kill_all(victim)

    def damaged_life(self) -> None:
        """A file of a checkpoint is cut short or missing: the query goes on, or is refused until the file is back."""
        left = [kind for kind in self.kinds if not (self.place(kind) / "done").exists()]
        kind = self.rng.choice(left or [self.kinds[0]])
        place = self.place(kind)
        done = faults.damage(place / "checkpoint", self.rng)
        if done is None or (place / "done").exists():
            return
        path, content = done
        self.tally.injected["checkpoint file cut or missing"] += 1
        before, noted = _commits(place), _failures(place)
        victim = self.start()
        until = time.monotonic() + 60
        while victim.poll() is None and time.monotonic() < until and not (place / "done").exists():
            if (place / "refused").exists() or (len(_failures(place)) >= len(noted) + 3 and _commits(place) == before):
                break
            time.sleep(0.1)
        faults.kill_all(victim)
        if _commits(place) == before:
            self.tally.refused[(_failures(place) or ["no error"])[-1].partition(":")[0]] += 1
            path.write_bytes(content)
            (place / "refused").unlink(missing_ok=True)

    def last_life(self) -> None:
        """Nothing happens any more."""
        for kind in self.kinds:
            (self.place(kind) / "down").unlink(missing_ok=True)
        victim = self.start()
        try:
            victim.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass
        finally:
            faults.kill_all(victim)

    def compare(self) -> None:
        """The rows of each query with those of an undisturbed run."""
        for kind in self.kinds:
            calm = self.folder / "calm" / folder_of(kind)
            calm.mkdir(parents=True)
            (calm / "in").symlink_to(self.place(kind) / "in")
            run(self.spark, kind, self.seed, calm, own_sink=False)
            want = rows_of(self.spark.read.parquet(str(calm / "out")))
            self.tally.queries += 1
            self.tally.failures.update(line.partition(":")[0] for line in _failures(self.place(kind)))
            try:
                if not (self.place(kind) / "done").exists():
                    raise RowsDiffer(f"the query has not ended: {_failures(self.place(kind))[-2:]}")
                got = rows_of(self.spark.read.parquet(str(self.place(kind) / "out")).drop("batch"))
                assert_same_rows(got, want, rel_tol=1e-9)
                self.tally.rows += len(want)
                self.tally.survived[kind.rstrip(" 123")] += 1
            except RowsDiffer as error:
                self.tally.wrong.append(f"seed {self.seed}, {kind}, {self.master}: {str(error)[:600]}")


def _commits(place: Path) -> list[str]:
    return sorted(path.name for path in (place / "checkpoint" / "commits").glob("[0-9]*"))


def _failures(place: Path) -> list[str]:
    notes = place / "failures"
    return notes.read_text().splitlines() if notes.exists() else []


def full_disk(spark: SparkSession, seed: int, folder: Path, tally: Tally, rng: random.Random) -> None:
    """A checkpoint and a sink on a disk that is full for a while."""
    one = Round(spark, seed, folder, tally, (rng.choice(["sliding", "in blocks", "user aggregate"]),), rng=rng)
    folder.mkdir(parents=True)
    disk = one.place(one.kinds[0])
    if not faults.fill(disk):
        return
    try:
        one.prepare()
        ballast = disk / "ballast"
        victim = one.start()
        try:
            one.wait(victim, more=2, seconds=PATIENCE)
            with ballast.open("wb") as out:
                try:
                    while True:
                        out.write(bytes(4096))
                        out.flush()
                except OSError:
                    tally.injected["disk full"] += 1
            time.sleep(rng.uniform(2, 5))
        finally:
            faults.kill_all(victim)
        tally.injected["kill -9 driver"] += 1
        ballast.unlink()
        one.last_life()
        one.compare()
    finally:
        faults.empty(disk)


def campaign(spark: SparkSession, folder: Path, *, minutes: float, seed: int) -> Tally:
    """Rounds until the time is over."""
    tally, until, number = Tally(), time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until and not tally.wrong:
        rng = random.Random(seed * 1000 + number)
        place = folder / f"round-{number}"
        if number % 6 == 5:
            full_disk(spark, seed * 1000 + number, place, tally, rng)
        else:
            one = Round(spark, seed * 1000 + number, place, tally, tuple(rng.sample(KINDS, 4)), rng=rng)
            one.master = CLUSTER if number % 4 == 2 else LOCAL
            torture(one, lives=3)
        if not tally.wrong:
            shutil.rmtree(place, ignore_errors=True)
        number += 1
        print(f"round {number}: {tally.kills} kills, {sum(tally.injected.values())} faults, {tally.queries} queries", flush=True)
    return tally


def torture(one: Round, *, lives: int) -> None:
    """One round: some lives that end badly, one in peace, and the comparison."""
    own = one.rng.choice([*one.kinds, None, None])
    one.prepare(own_sink=own)
    sink = None if own is None else one.place(own)
    for number in range(lives):
        one.life(sink)
        if number % 2 and one.rng.random() < 0.6:
            one.damaged_life()
    one.last_life()
    one.compare()


def report(tally: Tally, seconds: float) -> str:
    """What is printed at the end."""
    lines = [f"{seconds / 60:.0f} minutes, {sum(tally.injected.values())} faults injected, {tally.kills} of them kills"]
    lines += [f"  {count:6} {name}" for name, count in tally.injected.most_common()]
    lines += [f"{tally.queries} queries, {sum(tally.survived.values())} survived, {tally.rows} rows compared, 0 twice or missing"]
    lines += [f"  {count:6} {name}" for name, count in sorted(tally.survived.items())]
    lines += [f"{sum(tally.refused.values())} times refused until the file was back: {dict(tally.refused)}"]
    lines += [f"{sum(tally.failures.values())} failures that a restart answered: {dict(tally.failures.most_common(6))}"]
    lines += [f"WRONG: {one}" for one in tally.wrong]
    return "\n".join(lines).replace(", 0 twice or missing", "" if tally.wrong else ", 0 twice or missing")


def as_json(tally: Tally) -> str:
    """The figures as data."""
    return json.dumps(
        {name: dict(value) if isinstance(value, Counter) else value for name, value in vars(tally).items()}, indent=1
    )
