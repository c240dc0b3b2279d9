"""`make torture MINUTES=20`: a campaign, and its figures."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.torture.campaign import as_json, campaign, report
from tests.torture.victim import session


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description="Queries under faults, against undisturbed runs.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument(
        "--seed", type=int, default=int(time.time()) % 100_000, help="the campaign to run; printed, to run it again"
    )
    parser.add_argument("--figures", metavar="FILE", help="write the figures as JSON")
    given = parser.parse_args()
    print(f"seed {given.seed}, {given.minutes:g} minutes", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="transom-torture-", ignore_cleanup_errors=True) as folder:
        tally = campaign(session("local[1]"), Path(folder), minutes=given.minutes, seed=given.seed)
        print(report(tally, time.monotonic() - started), flush=True)
    if given.figures:
        Path(given.figures).write_text(as_json(tally) + "\n", encoding="utf-8")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
