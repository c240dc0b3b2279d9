"""Lives of README.md's example: drivers that can be killed, what they read, and a stored checkpoint that they resume.

`python -m tests.spark.lives` stores a checkpoint in the format of now, before a release.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[2]
STORED = ROOT / "tests" / "upgrades" / "hi_lo_format_12.tar.xz"
HERE = "/the/folder"
"""What stands for the folder of a checkpoint in its logs."""
FILES, EACH = 100, 40
PATIENCE = 180
"""Seconds without a micro-batch until a life has failed, however busy the machine is."""


def readings(folder: Path) -> None:
    """Readings in disorder, some of them too late, and at last one that completes every window of the others."""
    rng, start, at = random.Random(2612), datetime(2026, 1, 5, 14, tzinfo=UTC), 0.0
    folder.mkdir(parents=True)
    for number in range(FILES):
        lines = []
        for _ in range(EACH):
            at += rng.uniform(0, 2)
            moment = start + timedelta(seconds=at - rng.choice([0, 0, 0, 5, 25, 90]))
            lines.append({"seg_id": f"s{rng.randrange(12)}", "speed": round(rng.uniform(40, 130), 1), "ts": moment.isoformat()})
        if number == FILES - 1:
            lines.append({"seg_id": "end", "speed": 0.0, "ts": (start + timedelta(seconds=at + 3600)).isoformat()})
        path = folder / f"part-{number:03}.json"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        os.utime(path, (1e9 + number, 1e9 + number))


def commits(folder: Path) -> int:
    return len(list((folder / "checkpoint" / "commits").glob("[0-9]*")))


class Life:
    """A driver with its JVM and workers, in a group of its own."""

    def __init__(self, master: str, folder: Path, shards: int) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
        environment |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, "TZ": "UTC"}
        command = [sys.executable, "-m", "tests.spark.whole_way_session", master, str(folder), str(shards)]
        self.folder = folder
        with (folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)

    def until(self, condition: Callable[[], bool]) -> None:
        seen, end = -1, 0.0
        while self.process.poll() is None and not condition():
            if commits(self.folder) != seen:
                seen, end = commits(self.folder), time.monotonic() + PATIENCE
            assert time.monotonic() < end, (self.folder / "log").read_text()[-4000:]
            time.sleep(0.02)

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def finish(master: str, folder: Path, shards: int) -> None:
    life = Life(master, folder, shards)
    try:
        life.until((folder / "done").exists)
        life.process.wait(PATIENCE)
    finally:
        life.kill()
    assert (folder / "done").exists(), (folder / "log").read_text()[-4000:]


def restore(archive: Path, folder: Path) -> None:
    """A stored checkpoint and its files, with the folder that they are in now in Spark's logs."""
    with tarfile.open(archive, "r:xz") as stored:
        stored.extractall(folder, filter="data")
    for path in folder.rglob("*"):
        if path.is_file() and HERE.encode() in (content := path.read_bytes()):
            path.write_bytes(content.replace(HERE.encode(), str(folder).encode()))


def store(folder: Path, path: Path) -> None:
    """Pack what a version has left in a folder, for `restore`: `checkpoint` and `out`."""
    with tarfile.open(path, "w:xz") as archive:
        for one in sorted(one for name in ("checkpoint", "out") for one in (folder / name).rglob("*") if one.is_file()):
            if one.name.endswith(".crc"):
                continue
            content = one.read_bytes().replace(str(folder).encode(), HERE.encode())
            entry = tarfile.TarInfo(str(one.relative_to(folder)))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def main(path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="transom-") as place:
        folder = Path(place)
        readings(folder / "in")
        for one in sorted((folder / "in").iterdir())[FILES // 10 :]:
            one.unlink()
        finish("local[2]", folder, 2)
        store(folder, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else STORED)
