"""A system clock that jumps back and forth, for the processes of a round alone: a small library tells them what time it is.

(libfaketime 0.9.10 does the same for one of them at a time: where a JVM runs with it, `time.sleep` of Python fails.)
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from tests.torture.queries import BY_THE_CLOCK
from tests.torture.surroundings import OutOfReach, Surroundings

SOURCE = Path(__file__).with_suffix(".c")
LENGTHS = (0.3, 2.0, 15.0, 100.0, 3_600.0, 90_000.0, 3_000_000.0)
"""Seconds of a jump, at most."""


def library(folder: Path) -> Path:
    """What stands between a process and the clock, compiled."""
    compiler, made = shutil.which("cc"), folder / "clock.so"
    if compiler is None:
        raise OutOfReach("a clock that jumps needs Linux and a C compiler (Debian: apt-get install gcc libc6-dev)")
    done = subprocess.run([compiler, "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl"], capture_output=True, check=False)
    if done.returncode != 0:
        raise OutOfReach(f"a clock that jumps did not compile: {done.stderr.decode(errors='replace')[-300:]}")
    return made


class Clock:
    """How far the clock of some processes is from the true one."""

    def __init__(self, folder: Path) -> None:
        self.library, self._file, self.seconds = library(folder), folder / "clock", 0.0
        self.set(0.0)

    @property
    def environment(self) -> dict[str, str]:
        """For a process, and those that it starts."""
        return {"LD_PRELOAD": str(self.library), "CLOCK_OFFSET": str(self._file)}

    def set(self, seconds: float) -> None:
        self._file.touch()
        with self._file.open("r+b", buffering=0) as out:  # the same file, which processes have mapped
            out.write(struct.pack("=q", round(seconds * 1e6)))
        self.seconds = seconds

    def jump(self, rng: random.Random) -> str:
        """To a month before or after the true time, at most."""
        before = self.seconds
        self.set(rng.choice((-1, 1)) * rng.uniform(0, rng.choice(LENGTHS)))
        return "clock jumps forth" if self.seconds > before else "clock jumps back"


@contextmanager
def jumping_clock(_: SparkSession, folder: Path, __: tuple[str, ...]) -> Iterator[Surroundings]:
    """Driver, JVM and Python workers hear of another time every now and then."""
    clock = Clock(folder)
    yield Surroundings(environment=clock.environment, fault=lambda rng, _: clock.jump(rng), often=0.5, kinds=BY_THE_CLOCK)
