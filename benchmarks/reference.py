"""How slow the slow evaluator is: tuples per second by window type and length of input.

For choosing sizes of tests; no engine is measured here.
"""

from __future__ import annotations

import statistics
import time

from transom import minutes, rows, seconds
from transom.cli.demo.traffic import readings
from transom.disorder import Slack
from transom.reference import End, Query, ReferenceStream, evaluate
from transom.semantics import Landmark, Partitioned, RowWindow, Session, SlideByTuple, Sliding, Window, tumbling

TRAFFIC = ReferenceStream(
    columns={"seg_id": "string", "speed": "double", "ts": "timestamp"}, order_by="ts", generator=Slack(seconds(20))
)
WINDOWS: dict[str, Window] = {
    "tumbling 1 minute": tumbling(minutes(1), "ts"),
    "sliding 5 minutes by 1": Sliding(range=minutes(5), slide=minutes(1), wattr="ts"),
    "last 10 rows per segment": Partitioned(RowWindow(range=rows(10), slide=rows(5)), ("seg_id",)),
    "slide by tuple, 1 minute": SlideByTuple(range=minutes(1), rattr="ts"),
    "landmark every minute": Landmark(slide=minutes(1), wattr="ts"),
    "sessions of 5 seconds": Session(gap=seconds(5), wattr="ts"),
}
SIZES = (50, 100, 200)
REPEATS = 3


def rate(window: Window, size: int) -> float:
    """The median of tuples per second over the repeats."""
    items = [*readings(size), End()]
    query = Query(window=window, select={"n": "count(*)", "hi": "max(speed)"})
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        evaluate(query, TRAFFIC, items)
        times.append(time.perf_counter() - start)
    return size / statistics.median(times)


def main() -> None:
    print(f"{'tuples/s of the reference':28}" + "".join(f"{size:>8} in" for size in SIZES))
    for name, window in WINDOWS.items():
        print(f"{name:28}" + "".join(f"{rate(window, size):>11,.0f}" for size in SIZES))


if __name__ == "__main__":
    main()
