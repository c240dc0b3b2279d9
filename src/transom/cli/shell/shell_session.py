"""`transom shell`: statements one by one, and their answers."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

import click

from transom.cli.answers import answer
from transom.cli.chatter import hushed
from transom.cli.made_tables import tables
from transom.cli.printer import Printer
from transom.cli.shell.help_texts import asks_for_help, help_text
from transom.cli.shell.kept_views import KeptViews
from transom.cli.shell.keyboard import piped, typed
from transom.cli.shell.statement_lines import LEAVE
from transom.cli.spark import start_spark, stop_spark
from transom.errors import TransomError
from transom.explain import explain
from transom.language.catalog import Catalog
from transom.language.parse.syntax import Ask, Command, CreateTable, SelectStatement
from transom.language.script_text import Stated, stated
from transom.monitor.editing.checked import checked_script

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession


def shell(form: str, master: str | None, conf: Mapping[str, str], *, debug: bool = False, given: TextIO | None = None) -> int:
    """Read and answer until the input ends. From a pipe, the exit code of the worst statement."""
    source = given or sys.stdin
    session = ShellSession(form, master, conf, debug=debug)
    interactive = source.isatty()
    try:
        with hushed(debug=debug):
            for line, text in typed(lambda: session.catalog) if interactive else piped(source):
                if text.strip().lower() in LEAVE:
                    break
                session.take(text, line)
    finally:
        session.close()
    return 0 if interactive else session.worst


class ShellSession:
    """What has been defined so far, and Spark once it is needed."""

    def __init__(
        self,
        form: str,
        master: str | None,
        conf: Mapping[str, str],
        *,
        debug: bool = False,
        out: TextIO | None = None,
        spark: SparkSession | None = None,
    ) -> None:
        self._form, self._out = form, out or sys.stdout
        self._master, self._conf, self._debug = master, conf, debug
        self._spark = spark
        self.catalog = Catalog(spark_alone=True, one_time=True)
        self.views = KeptViews()
        self.worst = 0

    def take(self, text: str, line: int = 1) -> None:
        """Answer the statements of a text that begins in a line; tell what is wrong with it, and go on."""
        if asks_for_help(text):
            Printer("table", self._out).write(help_text(text).splitlines())
            return
        sql = "\n" * (line - 1) + text
        before = self.catalog.copy()
        try:
            for one in stated(checked_script(sql, self.catalog), sql):
                self._answer(one)
        except TransomError as error:
            self.catalog = before
            self._failed(error, error, 2)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
        except Exception as error:
            from transom.spark.running.messages.failures import failure

            self._failed(failure(error), error, 1)

    def _failed(self, told: TransomError, error: BaseException, code: int) -> None:
        click.echo(str(told), err=True)
        if self._debug:
            click.echo("".join(traceback.format_exception(error)), err=True)
        self.worst = max(self.worst, code)

    def _answer(self, one: Stated) -> None:
        printer = Printer(self._form, self._out)
        if isinstance(one.statement, Command):
            answer(one.statement, self.catalog, printer)
        elif isinstance(one.statement, Ask) and one.plan is not None:
            self._ask(one.statement.kind, one, printer)
        elif isinstance(one.statement, CreateTable) and one.plan is not None:
            self.views.keep(one, self.spark)
            click.echo(f"{one.statement.name} is kept while this shell runs: SELECT * FROM {one.statement.name}", err=True)
        elif isinstance(one.statement, SelectStatement) and one.plan is None:
            self._of_tables(one, printer)
        elif one.plan is not None:
            from transom.spark.running.bounded import answer_bounded

            text = answer_bounded(one.plan, self.spark, self._form)
            if text is not None:
                printer.rows(one, "", text.names, text.numeric, text.rows)
                told = "" if text.moment is None else f", {text.moment.summary()}"
                click.echo(f"{len(text.rows):,} rows{told}", err=True)
        elif isinstance(one.statement, CreateTable):
            tables(self.spark, [one])

    def _of_tables(self, one: Stated, printer: Printer) -> None:
        """A query over tables and concrete views is Spark's, once over what they hold now."""
        from transom.spark.running.messages.show import text_of

        self.views.check()
        text = text_of(self.spark.sql(one.text), self._form)
        printer.rows(one, "", text.names, text.numeric, text.rows)
        click.echo(f"{len(text.rows):,} rows", err=True)

    def _ask(self, kind: str, one: Stated, printer: Printer) -> None:
        assert one.plan is not None
        if kind == "check":
            click.echo("all well", err=True)
            return
        printer.write(explain(one.plan).splitlines())
        if kind == "analyze":
            from transom.spark.running.analyze import analyze

            printer.write(analyze(one.plan, self.spark))

    @property
    def spark(self) -> SparkSession:
        if self._spark is None:
            self._spark = start_spark(self._master, self._conf, debug=self._debug)
        return self._spark

    def close(self) -> None:
        self.views.stop()
        if self._spark is not None:
            stop_spark(self._spark)
