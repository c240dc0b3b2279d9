"""`make torture MINUTES=20`: a campaign, and its figures."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.spark.kafka_broker import connector_jars
from tests.torture.campaign import campaign, report
from tests.torture.cycle import CYCLE
from tests.torture.victim import session


def connector() -> str:
    """The jars of Spark's Kafka connector; nothing where they cannot be had."""
    try:
        return ",".join(str(jar) for jar in connector_jars().glob("*.jar"))
    except pytest.skip.Exception:
        return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description="Queries under faults, against undisturbed runs.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument(
        "--seed", type=int, default=int(time.time()) % 100_000, help="the campaign to run; printed, to run it again"
    )
    parser.add_argument("--kills", type=int, default=0, help="go on until there were as many")
    parser.add_argument("--figures", metavar="FILE", help="write the figures as JSON after each round")
    parser.add_argument("--only", metavar="WHERE", choices=CYCLE, action="append", help=f"rounds there alone: {', '.join(CYCLE)}")
    given = parser.parse_args()
    print(f"seed {given.seed}, {given.minutes:g} minutes", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="transom-torture-", ignore_cleanup_errors=True) as folder:
        spark = session("local[1]", connector())
        figures = Path(given.figures) if given.figures else None
        cycle = {name: made for name, made in CYCLE.items() if not given.only or name in given.only}
        tally = campaign(
            spark, Path(folder), minutes=given.minutes, kills=given.kills, seed=given.seed, figures=figures, cycle=cycle
        )
        print(report(tally, time.monotonic() - started), flush=True)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
