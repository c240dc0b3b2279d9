"""Processes that run streams from files into files, and are killed: how to start them, and what they have left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 120


def run(module: str, data: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A process with a group of its own: Spark and its workers are in it."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    command = [sys.executable, "-m", module, str(data), str(folder)]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)


def commits(folder: Path, names: Sequence[str]) -> int:
    return sum(len(numbers(folder / name / "checkpoint" / "commits")) for name in names)


def numbers(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.glob("*") if path.name.isdecimal()) if folder.exists() else []


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def killed_after(module: str, data: Path, folder: Path, names: Sequence[str], least: Sequence[int]) -> None:
    """Lives of one process after the other, each killed some time after so many micro-batches have been committed."""
    chance = random.Random()
    for wanted in least:
        process = run(module, data, folder)
        until = time.monotonic() + PATIENCE
        while process.poll() is None and commits(folder, names) < wanted and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(chance.random())
        kill(process) if process.poll() is None else None
        assert commits(folder, names) >= wanted, (folder / "log").read_text()[-4000:]
    assert not (folder / "done").exists()


def finished(module: str, data: Path, folder: Path) -> None:
    """The life in which all comes to an end."""
    process = run(module, data, folder)
    try:
        assert process.wait(PATIENCE) == 0, (folder / "log").read_text()[-4000:]
    finally:
        if process.poll() is None:
            kill(process)


def forget_last(checkpoint: Path, *logs: Path) -> None:
    """As if the process had died before it wrote about the last micro-batch it began."""
    last = numbers(checkpoint / "offsets")[-1]
    for log in (checkpoint / "commits", *logs):
        (log / str(last)).unlink(missing_ok=True)
        (log / f".{last}.crc").unlink(missing_ok=True)
