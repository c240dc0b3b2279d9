"""A round: queries side by side in one driver, which is killed and harassed, and what their rows are in the end."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from tests.torture import faults
from tests.torture.comparing import compared
from tests.torture.faults import Tally
from tests.torture.queries import KAFKA_TOPIC, write_files
from tests.torture.surroundings import Surroundings
from tests.torture.victim import folder_of
from transom.errors import RowsDiffer

ROOT = Path(__file__).parents[2]
PATIENCE = 900.0
"""Seconds until an undisturbed life must have ended."""


@dataclass
class Round:
    """Queries that one victim runs, and the faults of its lives."""

    spark: SparkSession
    seed: int
    folder: Path
    tally: Tally
    kinds: tuple[str, ...]
    where: Surroundings = field(default_factory=Surroundings)
    rng: random.Random = field(default_factory=random.Random)

    def place(self, kind: str) -> Path:
        return self.folder / folder_of(kind)

    def prepare(self, *, own_sink: str | None = None) -> None:
        for kind in self.kinds:
            if kind != KAFKA_TOPIC:
                write_files(self.place(kind) / "in", kind, self.seed)
        if own_sink is not None:
            (self.place(own_sink) / "own_sink").touch()

    def start(self) -> subprocess.Popen[bytes]:
        """A victim in a process group of its own."""
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        environment |= {"SPARK_HOME": os.environ.get("SPARK_HOME", ""), "SPARK_SCALA_VERSION": "2.13"}
        environment = {name: value for name, value in environment.items() if value} | self.where.environment
        given = [str(self.folder), str(self.seed), self.where.master, *self.kinds]
        command = [sys.executable, "-m", "tests.torture.victim", *given]
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
        """Kill its workers, take its sink away and give it back, and whatever else happens where it runs, for a while."""
        while victim.poll() is None and time.monotonic() < until:
            self.wait(victim, more=1, seconds=self.rng.uniform(0.1, 1.2))
            time.sleep(self.rng.uniform(0.0, 0.6))
            if self.where.fault is not None and self.rng.random() < self.where.often:
                done = self.where.fault(self.rng, victim.pid)
                self.tally.injected.update([done] if done else [])
            elif sink is not None and self.rng.random() < 0.15:
                (sink / "down").touch()
                time.sleep(self.rng.uniform(0.3, 1.5))
                (sink / "down").unlink()
                self.tally.injected["sink down"] += 1
            elif faults.kill_one([victim.pid, *self.where.leaders()], faults.is_python_worker, self.rng):
                self.tally.injected["kill -9 Python worker"] += 1

    def life(self, sink: Path | None) -> None:
        """A life that ends with a kill, if it does not end before."""
        victim = self.start()
        try:
            if self.wait(victim, more=1, seconds=PATIENCE):
                self.harass(victim, time.monotonic() + self.rng.uniform(20.0, 30.0), sink)
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
        before, noted = commits(place), failures(place)
        victim = self.start()
        until = time.monotonic() + 60
        while victim.poll() is None and time.monotonic() < until and not (place / "done").exists():
            if (place / "refused").exists() or (len(failures(place)) >= len(noted) + 3 and commits(place) == before):
                break
            time.sleep(0.1)
        faults.kill_all(victim)
        if commits(place) == before:
            self.tally.refused[(failures(place) or ["no error"])[-1].partition(":")[0]] += 1
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
            place = self.place(kind)
            self.tally.queries += 1
            self.tally.failures.update(line.partition(":")[0] for line in failures(place))
            try:
                if not (place / "done").exists():
                    raise RowsDiffer(f"the query has not ended: {failures(place)[-2:]}")
                self.tally.rows += compared(self.spark, kind, self.seed, place)
                self.tally.survived[kind.rstrip(" 123")] += 1
            except RowsDiffer as error:
                self.tally.wrong.append(f"seed {self.seed}, {kind}, {self.where.master}: {str(error)[:600]}")


def commits(place: Path) -> list[str]:
    return sorted(path.name for path in (place / "checkpoint" / "commits").glob("[0-9]*"))


def failures(place: Path) -> list[str]:
    notes = place / "failures"
    return notes.read_text().splitlines() if notes.exists() else []


def torture(one: Round, *, lives: int) -> None:
    """One round: some lives that end badly, one in peace, and the comparison."""
    own = one.rng.choice(one.kinds)
    one.prepare(own_sink=own)
    for number in range(lives):
        one.life(one.place(own))
        if number % 2:
            one.damaged_life()
    one.last_life()
    one.compare()
