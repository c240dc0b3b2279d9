"""The data: parquet files with rows in the order of arrival, the same bytes wherever they are generated."""

from __future__ import annotations

import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

START = 1_700_000_000_000_000
"""Microseconds: a multiple of every slide that is used here."""
SLIDE = 10
"""Seconds."""
SPAN = 400 * SLIDE
"""Seconds: what all rows together cover."""
SCHEMA = "k BIGINT, ts TIMESTAMP, v DOUBLE"
FORMAT = 1


@dataclass(frozen=True)
class Dataset:
    """So many rows, evenly over a span of time, with keys drawn at random. With a `delay`, rows arrive after their time: by so
    many seconds on average, exponentially."""

    rows: int
    keys: int
    files: int = 20
    span: int = SPAN
    delay: float = 0.0
    draw: int = 0
    """Another draw has the same times and other keys and values: the other side of a join."""

    def path(self, folder: Path) -> Path:
        """Where the files are; they are made if they are not there."""
        late = f"-{self.delay:g}-late" if self.delay else ""
        draw = f"-draw-{self.draw}" if self.draw else ""
        place = folder / f"v{FORMAT}-{self.rows}-rows-{self.keys}-keys-{self.files}-files-{self.span}-seconds{late}{draw}"
        if not place.exists():
            self._make(place)
        return place

    def _make(self, place: Path) -> None:
        unfinished = place.with_name(f"{place.name}-{uuid.uuid4().hex}")
        unfinished.mkdir(parents=True)
        for number in range(self.files):
            path = unfinished / f"part-{number:03}.parquet"
            pq.write_table(self._table(number), path)
            os.utime(path, (1e9 + number, 1e9 + number))  # Spark's file source goes by this
        try:
            unfinished.rename(place)
        except OSError:  # somebody else has made them meanwhile
            shutil.rmtree(unfinished)

    def _table(self, number: int) -> pa.Table:
        start, end = (self.rows * n // self.files for n in (number, number + 1))
        random = np.random.default_rng((self.keys, number, self.draw) if self.draw else (self.keys, number))
        ts = START + np.arange(start, end, dtype=np.int64) * self.span * 1_000_000 // self.rows
        if self.delay:
            ts -= (np.random.default_rng((self.rows, number)).exponential(self.delay, end - start) * 1e6).astype(np.int64)
        columns = {
            "k": pa.array(random.integers(0, self.keys, end - start)),
            "ts": pa.array(ts, pa.timestamp("us", "UTC")),
            "v": pa.array(random.normal(100.0, 15.0, end - start)),
        }
        return pa.table(columns)
