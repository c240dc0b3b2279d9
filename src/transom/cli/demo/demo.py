"""`transom demo`: windows closing on Spark, live, over a stream of traffic that arrives out of order."""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from transom.cli.chatter import hushed
from transom.cli.console.observers import Observers
from transom.cli.console.serve import Where, live_console
from transom.cli.demo.feed import ReadingFeed
from transom.cli.demo.traffic import Reading
from transom.cli.spark import start_spark, stop_spark
from transom.cli.watching import Screen
from transom.errors import TransomError
from transom.language import bind_script
from transom.language.script_text import stated

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import DataFrame
    from transom.spark.running.jobs import QueryOutput
    from transom.spark.running.messages.progress_line import Tally

SQL = """\
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts SLACK 20 SECONDS
  SOURCE FILE '{folder}' FORMAT csv;

-- the lowest and highest speed of each segment over the past 5 minutes, every minute
CREATE STREAM hi_lo AS
  SELECT seg_id, min(speed) AS lo, max(speed) AS hi, count(*) AS n, window_end
  FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE] GROUP BY seg_id;
SELECT * FROM hi_lo;

-- what came too late for one of these windows
CREATE STREAM late AS LATE OF hi_lo;
SELECT * FROM late;

-- the average of the last 5 readings of each segment, after every 5 of them
SELECT seg_id, avg(speed) AS mean FROM traffic [RANGE 5 ROWS SLIDE 5 ROWS PATTR seg_id];
"""
READINGS = 150
DOT = "\u25cf"
SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
"""For tiny micro-batches: start soon, compile little."""
NEXT = """\
Windows that are still open stay so; `transom run --drain` closes them. Try next:
  transom shell             type the statements above, over files of your own
  transom run FILE.sql      the same from a file; --format jsonl, --once, --drain, --checkpoint DIR
  transom demo --console    the same, as a page of windows (extra: transom[console])
  transom explain FILE.sql  how a query is answered, and why"""


def play(seconds: float, *, with_console: bool = False) -> int:
    """Show it: at the pace of a person, or in one go; as a page too, if that is wanted. The exit code."""
    with tempfile.TemporaryDirectory(prefix="transom-", ignore_cleanup_errors=True) as folder:
        inside = Path(folder) / "traffic"
        inside.mkdir()
        click.echo(SQL.format(folder="traffic"))
        show = Show(inside, seconds)
        page: AbstractContextManager[Any] = nullcontext()
        if with_console:
            page = live_console(show.observers, "", Where(with_editor=False))
        with page:  # first of all, for what it lacks is said before Spark starts
            try:
                spark = _started()
            except TransomError as error:
                click.echo(str(error), err=True)
                return 1
            try:
                with hushed(debug=False):
                    return show.run(spark, Path(folder) / "checkpoint")
            finally:
                stop_spark(spark)


def _started() -> Any:
    start = time.monotonic()
    if not sys.stderr.isatty():
        click.echo("starting Spark ...", err=True)
    spark = start_spark("local[2]", SETTINGS)
    click.secho(f"Spark {spark.version} is up after {time.monotonic() - start:.0f} s. Readings arrive:", fg="bright_black")
    legend = {"green": "in order", "yellow": "behind others", "red": "more than 20 s behind"}
    click.echo("          " + "   ".join(f"{click.style(DOT, fg=colour)} {text}" for colour, text in legend.items()))
    return spark


class Show(Screen):
    """What a person sees; and when it is over."""

    def __init__(self, folder: Path, seconds: float) -> None:
        super().__init__()
        self._folder, self._seconds = folder, seconds
        self.observers = Observers()
        self._feed = ReadingFeed(folder, READINGS, seconds, self._arrived)
        self._late = 0

    def run(self, spark: Any, checkpoint: Path) -> int:
        from transom.spark.running.jobs import jobs_of, output_of
        from transom.spark.running.run_jobs import JobRunner

        sql = SQL.format(folder=self._folder)
        script = bind_script(sql)
        queries = [one for one in stated(script, sql) if one.is_query and one.plan is not None]
        jobs = jobs_of([output_of(number, one.text, one.plan) for number, one in enumerate(queries) if one.plan is not None])
        mode, observers = "stream" if self._seconds else "once", self.observers
        runner = JobRunner(spark, mode, self._show, self, lasting=False, note=observers.note)
        for number, job in enumerate(jobs):
            runner.add(job, str(checkpoint / str(number)), "demo")
        if self._seconds:
            self._feed.write_one()
        else:
            self._feed.write()
        texts = {number: one.sql(script) for number, one in enumerate(queries)}
        with self.interruptible(), observers.watching(spark, jobs, texts):
            well = runner.go()
        observers.end(runner.jobs)
        self._sum_up(runner.jobs[0].tally)
        return 0 if well else 1

    def tick(self, tallies: list[Tally], seconds: float) -> None:
        """More comes when the first readings have been seen; it is over when everything has been read."""
        if self._seconds and not self._feed.is_flowing and all(tally.rows_in for tally in tallies):
            self._feed.start()
        if all(tally.rows_in >= self._feed.count for tally in tallies):
            self._stop.set()

    def _arrived(self, arrivals: list[Reading], newest: datetime) -> None:
        marks = []
        for one in arrivals:
            behind = (newest - one["ts"]).total_seconds()
            marks.append(click.style(DOT, fg="red" if behind > 20 else "yellow" if behind > 0 else "green"))
            newest = max(newest, one["ts"])
        click.echo(f"{newest:%H:%M:%S}  {''.join(marks)}")

    def _show(self, output: QueryOutput, rows: DataFrame) -> int:
        found = rows.collect()
        if output.late is not None:
            lines = [(row.ts, f"  late  {row.ts:%H:%M:%S}  {row.seg_id}  {row.speed:5.1f}", "red") for row in found]
            self._late += len(found)
        elif "mean" in rows.columns:
            lines = [
                (row.seg_id, f"  last 5 of {row.seg_id}   average {row['mean']:6.1f}  {_bar(row['mean'])}", "cyan")
                for row in found
            ]
        else:
            lines = [((row.window_end, row.seg_id), _window(row), "green") for row in found]
        for _, line, colour in sorted(lines, key=lambda each: each[0]):
            click.secho(line, fg=colour)
        return len(found)

    def _sum_up(self, tally: Tally) -> None:
        click.echo(
            f"\n{tally.rows_in} readings in = {tally.since('used')} used + {tally.since('dropped')} dropped "
            f"+ {tally.since('outside')} outside; {tally.since('late')} came more than 20 s late, "
            f"{self._late} of them missed a window."
        )
        click.echo(NEXT)


def _window(row: Any) -> str:
    return f"  until {row.window_end:%H:%M}  {row.seg_id}   {row.lo:5.1f} to {row.hi:5.1f}  {_bar(row.hi, row.lo)}  of {row.n}"


def _bar(to: float, start: float = 0.0) -> str:
    first, last = round(start / 4), max(round(to / 4), round(start / 4) + 1)
    return (" " * first + "\u2588" * (last - first)).ljust(34)
