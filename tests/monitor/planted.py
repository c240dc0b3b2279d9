"""A planted stream of five devices: the clock of one is wrong, and one falls silent and holds results back."""

from __future__ import annotations

import random
from pathlib import Path

START = 1_767_621_600
"""2026-01-05 14:00:00 in seconds."""
FAST_CLOCK, SILENT = "pump-4", "pump-2"
DEVICES = ("pump-1", "pump-2", "pump-3", "pump-4", "pump-5")
AHEAD = 45 * 60
"""How far the clock of one device is ahead, in seconds."""

SCRIPT = """\
CREATE STREAM readings (device STRING, pressure DOUBLE, at TIMESTAMP)
  ORDER BY at DRATIO 1% PER SOURCE (device)
  SOURCE FILE '{folder}' FORMAT csv OPTIONS (maxFilesPerTrigger '1');

-- the highest pressure of each device, every minute
SELECT device, max(pressure) AS highest, count(*) AS n, window_start, window_end
FROM readings [TUMBLE 1 MINUTE] GROUP BY device;
"""


def rows(minutes: int = 20, seed: int = 3) -> list[tuple[str, float, float]]:
    """Readings in the order of arrival, four a second of each device: mostly a few seconds late, now and then a minute."""
    draw = random.Random(seed)
    found = []
    for tick in (n / 4 for n in range(minutes * 240)):
        for device in DEVICES:
            if device == SILENT and tick > minutes * 60 * 0.6:
                continue
            lateness = draw.expovariate(1 / 2) if draw.random() > 0.004 else draw.uniform(30, 70)
            at = START + tick - lateness + (AHEAD if device == FAST_CLOCK else 0)
            found.append((device, round(draw.gauss(5, 0.4), 2), round(at, 3)))
    return found


def write(folder: Path, files: int = 20, minutes: int = 20) -> None:
    """The stream as files, each one a micro-batch."""
    from datetime import UTC, datetime

    folder.mkdir(parents=True, exist_ok=True)
    every = rows(minutes)
    size = -(-len(every) // files)
    for n in range(files):
        lines = (f"{d},{p},{datetime.fromtimestamp(at, UTC).isoformat()}\n" for d, p, at in every[n * size : (n + 1) * size])
        (folder / f"readings-{n:03}.csv").write_text("".join(lines), encoding="utf-8")
