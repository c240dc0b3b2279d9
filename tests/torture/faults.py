"""What is done to the victim: processes killed, files damaged, a disk mounted that can fill up; and the tally of it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Tally:
    """What has happened so far."""

    injected: Counter[str] = field(default_factory=Counter)
    survived: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    not_reached: set[str] = field(default_factory=set)
    queries: int = 0
    rows: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        return sum(count for name, count in self.injected.items() if name.startswith("kill"))


def processes_of(leader: int) -> dict[int, str]:
    """The processes of a session, with their command lines. (Python's daemon makes a group of its own.)"""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if os.getsid(int(entry.name)) == leader:
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except (OSError, ProcessLookupError):
                continue
    return found


def kill_one(leaders: list[int], what: Callable[[str], bool], rng: random.Random) -> bool:
    """Kill one process of some sessions, but for those that lead them; whether there was one."""
    found = {number: command for leader in leaders for number, command in processes_of(leader).items()}
    chosen = [number for number, command in found.items() if what(command) and number not in leaders]
    if not chosen:
        return False
    try:
        os.kill(rng.choice(chosen), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def is_python_worker(command: str) -> bool:
    return (
        "pyspark.daemon" in command or "pyspark/daemon" in command or "streaming/worker" in command or "pyspark.worker" in command
    )


def is_executor(command: str) -> bool:
    return "CoarseGrainedExecutorBackend" in command


def kill_all(process: subprocess.Popen[bytes]) -> None:
    """The driver with its JVM and its workers."""
    for number in processes_of(process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    process.wait()


def damage(checkpoint: Path, rng: random.Random) -> tuple[Path, bytes] | None:
    """Cut a file of a checkpoint short, or take it away; the file, and what was in it."""
    files = sorted(
        path
        for path in checkpoint.rglob("*")
        if path.is_file() and not path.name.endswith(".crc") and path.stat().st_size and path.name != "transom.json"
    )
    newest = sorted(files, key=lambda path: path.stat().st_mtime)[-12:]
    if not newest:
        return None
    path = rng.choice(newest)
    content = path.read_bytes()
    if rng.random() < 0.5:
        path.unlink()
    else:
        path.write_bytes(content[: rng.randrange(len(content))])
    return path, content


def mount(disk: Path) -> bool:
    """A disk of a few megabytes, in memory; whether the system allows it."""
    disk.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(disk)], capture_output=True, check=False)
    return done.returncode == 0


def unmount(disk: Path) -> None:
    subprocess.run(["umount", str(disk)], capture_output=True, check=False)
