"""`transom run`: the queries of a SQL file, on Spark."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TextIO

from transom.cli.answers import answer
from transom.cli.chatter import hushed
from transom.cli.console.observers import Observers
from transom.cli.made_tables import tables
from transom.cli.printer import Printer
from transom.cli.spark import SHARDS, default_shards, start_spark, stop_spark
from transom.cli.watching import Screen
from transom.errors import BadQuery, TransomError
from transom.explain import explain
from transom.language import Script, bind_script
from transom.language.parse.syntax import Ask, Command
from transom.language.script_text import Stated, stated
from transom.monitor.editing.checked import checked_script
from transom.quality.record import Recorder

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import DataFrame, SparkSession
    from transom.spark.running.jobs import Job, QueryOutput

STATE = "spark.transom.state"
FRONTIER = "spark.transom.frontier"
ZONE = "spark.sql.session.timeZone"


@dataclass
class Request:
    """The arguments of `transom run`."""

    sql: str
    form: str = "table"
    mode: str = "stream"
    checkpoint: str | None = None
    master: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict)
    progress: bool = False
    debug: bool = False
    record: str | None = None
    observers: Observers = field(default_factory=Observers)
    out: TextIO = field(default_factory=lambda: sys.stdout)
    spark: SparkSession | None = None


def run(request: Request) -> int:
    """Run a script; the exit code. Errors go to stderr."""
    printer = Printer(request.form, request.out)
    screen = Screen(progress=request.progress, debug=request.debug, ended=lambda: printer.closed)
    printer.before = screen.clear
    try:
        script = checked_script(request.sql)
        statements = stated(script, request.sql)
        if not any(one.is_query or isinstance(one.statement, Ask | Command) for one in statements):
            raise BadQuery("there is nothing to run", given=f"{len(statements)} statements", remedy="add a SELECT or INSERT INTO")
        if request.record is not None:
            request.observers.each.append(Recorder(request.record, anew=request.checkpoint is None))
        with _checkpoint(request) as place, hushed(debug=request.debug):
            return _run(request, script, statements, place, printer, screen)
    except TransomError as error:
        screen.say(str(error))
        if request.debug:
            raise
        return 1 if error.name in ("MissingSession", "QueryFailed") else 2


@contextmanager
def _checkpoint(request: Request) -> Iterator[str]:
    """The folder that was named, or one for this run alone."""
    if request.checkpoint is not None:
        yield request.checkpoint
        return
    folder = tempfile.mkdtemp(prefix="transom-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(
    request: Request,
    script: Script,
    statements: list[Stated],
    place: str,
    printer: Printer,
    screen: Screen,
) -> int:
    from transom.spark.running.jobs import jobs_of, output_of

    queries = [one for one in statements if one.is_query]
    outputs = [output_of(number, one.text, one.plan) for number, one in enumerate(queries) if one.plan is not None]
    jobs = jobs_of(outputs)
    printer.titled = sum(output.target is None for output in outputs) > 1
    sql = {output.number: one.sql(script) for output, one in zip(outputs, queries, strict=True)}
    notes, shards = _notes(request, jobs, sql, place)
    _answer(statements, request.sql, printer)
    if not jobs and not any(isinstance(one.statement, Ask) and one.statement.kind == "analyze" for one in statements):
        return 0
    spark = request.spark or start_spark(request.master, {**request.conf, SHARDS: str(shards)}, debug=request.debug)
    try:
        with screen.interruptible():
            with_notes = list(zip(jobs, notes, strict=True))
            with request.observers.watching(spark, jobs, sql):
                return _on_spark(request, spark, statements, with_notes, place, printer, screen)
    finally:
        if request.spark is None:
            stop_spark(spark)


def _notes(request: Request, jobs: list[Job], sql: dict[int, list[str]], place: str) -> tuple[list[Any], int]:
    """What each checkpoint is to say, having seen that it does not say otherwise; and the number of shards."""
    from transom.spark.running import checkpoint
    from transom.spark.running.run_jobs import note_of

    checkpoint.check_names(place, [job.name for job in jobs])
    known = [checkpoint.known(checkpoint.location(place, job.name)) for job in jobs]
    kept = next((note.shards for note in known if note is not None), default_shards())
    text = request.conf.get(SHARDS, str(kept))
    if not text.isdecimal() or not int(text):
        raise BadQuery(f"{SHARDS} is a whole number above zero", given=text, remedy="give such a number")
    notes = []
    for job, old in zip(jobs, known, strict=True):
        statements = list(dict.fromkeys(text for output in job.outputs for text in sql[output.number]))
        zone = request.spark.conf.get(ZONE) if request.spark is not None else request.conf.get(ZONE)
        note = note_of(job, int(text), statements, request.conf.get(STATE, "inline"), zone or "UTC")
        note = replace(note, frontier=request.conf.get(FRONTIER, "shards"))
        if old is not None:
            checkpoint.check(note, old)
            note = replace(note, run=old.run)
        notes.append(note)
    return notes, int(text)


def _answer(statements: list[Stated], sql: str, printer: Printer) -> None:
    """What needs no Spark."""
    for one in statements:
        if isinstance(one.statement, Command):
            answer(one.statement, bind_script(sql[: one.statement.span.start]).catalog, printer)
        elif isinstance(one.statement, Ask) and one.statement.kind == "explain" and one.plan is not None:
            printer.write(explain(one.plan).splitlines())


def _on_spark(
    request: Request,
    spark: SparkSession,
    statements: list[Stated],
    jobs: list[tuple[Job, Any]],
    place: str,
    printer: Printer,
    screen: Screen,
) -> int:
    from transom.spark.running import checkpoint
    from transom.spark.running.run_jobs import JobRunner

    tables(spark, statements)
    lasting, heard = request.checkpoint is not None, request.observers.note
    runner = JobRunner(spark, request.mode, shower(printer), screen, lasting=lasting, note=heard)
    for job, note in jobs:
        runner.add(job, checkpoint.location(place, job.name), note.run)
    runner.check()
    for job, note in jobs:
        checkpoint.keep(checkpoint.location(place, job.name), note)
    well = _analyze(spark, statements, printer, screen) and (not jobs or runner.go())
    request.observers.end(runner.jobs)
    screen.warn([running.tally for running in runner.jobs])
    for running in runner.jobs:
        named = f"{running.tally.title}: " if len(jobs) > 1 else ""
        if not running.failed:
            screen.say(f"{named}{running.tally.summary()}")
    if screen.was_stopped and request.mode != "stream":
        return 130
    return 0 if well else 1


def _analyze(spark: SparkSession, statements: list[Stated], printer: Printer, screen: Screen) -> bool:
    from transom.spark.running.analyze import analyze
    from transom.spark.running.messages.failures import failure

    well = True
    for one in statements:
        if isinstance(one.statement, Ask) and one.statement.kind == "analyze" and one.plan is not None:
            try:
                printer.write([*explain(one.plan).splitlines(), *analyze(one.plan, spark)])
            except Exception as error:
                screen.say(str(failure(error)))
                well = False
    return well


def shower(printer: Printer) -> Any:
    """What shows rows of a DataFrame with a printer."""
    from transom.spark.running.messages.show import text_of

    def show(output: QueryOutput, rows: DataFrame) -> int:
        text = text_of(rows, printer.form)
        printer.rows(output.number, output.title, text.names, text.numeric, text.rows)
        return len(text.rows)

    return show
