"""What a session costs, read from /proc: memory of its JVM and its Python workers, and CPU seconds, dead processes included."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tests.torture.faults import is_python_worker

TICKS = os.sysconf("SC_CLK_TCK")


def descendants(root: int) -> dict[int, str]:
    """The processes that a process has started, and they in turn, with their command lines."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int(_status(int(entry.name))[1])
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except (OSError, ValueError):
                continue
    found, layer = {}, {root}
    while layer:
        layer = {number for number, parent in parents.items() if parent in layer}
        found |= {number: commands.get(number, "") for number in layer}
    return found


@dataclass(frozen=True)
class Memory:
    """Megabytes: the share of each process in physical memory (PSS), so what forked workers share counts once."""

    jvm: float
    workers: float


def memory(root: int) -> Memory:
    jvm = workers = 0.0
    for number, command in descendants(root).items():
        if is_python_worker(command):
            workers += _share(number)
        elif "java" in command.partition(" ")[0]:
            jvm += _share(number)
    return Memory(jvm, workers)


def cpu_seconds(root: int) -> float:
    """Of a process, all that it has started, and those of them that have ended."""
    total = 0.0
    for number in (root, *descendants(root)):
        try:
            total += sum(map(int, _status(number)[11:15])) / TICKS
        except (OSError, ValueError):
            continue
    return total


def _status(number: int) -> list[str]:
    """The fields of /proc/N/stat after the name, which may hold anything."""
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()


def _share(number: int) -> float:
    try:
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
