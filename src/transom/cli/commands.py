"""`transom`, and what it can do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click

from transom.cli.console.serve import Where, console, live_console
from transom.cli.demo.demo import play
from transom.cli.doctor import everything
from transom.cli.report import report
from transom.cli.run import Request, run
from transom.cli.shell import shell
from transom.cli.spark import session_lacks
from transom.cli.state import rescale_checkpoint, show_state
from transom.cli.tutorial import make_project
from transom.errors import BadQuery, TransomError
from transom.explain import explain
from transom.language import Script
from transom.monitor.editing.checked import checked_script
from transom.version import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="transom")
def main() -> None:
    """Continuous windows on Spark."""


def _settings(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """K=V, each of them."""
    pairs = [text.partition("=") for text in given]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise click.BadParameter(f"write K=V, not {name!r}")
    return {name: value for name, _, value in pairs}


_format = click.option(
    "--format", "form", type=click.Choice(["table", "jsonl", "csv"]), default="table", show_default=True, help="How rows look."
)
_master = click.option("--master", metavar="URL", help="Spark's master.  [default: local[*]]")
_conf = click.option("--conf", metavar="K=V", multiple=True, callback=_settings, help="A setting for Spark; may be given again.")
_debug = click.option("--debug", is_flag=True, help="Show tracebacks, and what Spark has to say.")


_host = click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where to listen. Another machine's page needs the token."
)
_port = click.option("--port", type=click.IntRange(0, 65535), help="The port.  [default: 8017, or any that is free]")
_token = click.option(
    "--token", envvar="TRANSOM_TOKEN", help="What every request must carry.  [default: made, if --host is not loopback]"
)


_editor = click.option("--editor/--no-editor", default=True, show_default=True, help="Whether queries can be typed on the page.")


@main.command("run")
@click.argument("file", type=click.Path())
@_format
@click.option("--once", is_flag=True, help="Read what is there and stop. Open windows stay in the checkpoint.")
@click.option("--drain", is_flag=True, help="Read what is there, close all windows and stop.")
@click.option("--checkpoint", metavar="DIR", help="Where to keep what is needed to go on.  [default: a temporary folder]")
@_master
@_conf
@click.option("--record", metavar="FILE", help="Write progress there, for transom report. With --checkpoint it is added to.")
@click.option("--console", "with_console", is_flag=True, help="Show the run as a page while it goes on.")
@_host
@_port
@_token
@_editor
@click.option("--opentelemetry", is_flag=True, help="With --console: export its figures over OTLP, as the environment says.")
@click.option("--progress", is_flag=True, help="Show progress on stderr even if it is no terminal.")
@_debug
def run_command(
    file: str,
    form: str,
    once: bool,
    drain: bool,
    checkpoint: str | None,
    master: str | None,
    conf: dict[str, str],
    record: str | None,
    with_console: bool,
    host: str,
    port: int | None,
    token: str | None,
    editor: bool,
    opentelemetry: bool,
    progress: bool,
    debug: bool,
) -> None:
    """Run the queries of a SQL file on Spark.

    INSERTs write to their targets, a bare SELECT shows its rows. Without --once or --drain it runs until Ctrl-C.
    """
    if once and drain:
        raise click.UsageError("--once and --drain exclude each other")
    mode = "once" if once else "drain" if drain else "stream"
    request = Request(_text(file), form, mode, checkpoint, master, conf, progress, debug, record)
    try:
        if not with_console:
            sys.exit(run(request))
        checked_script(request.sql)
        with live_console(request.observers, request.sql, Where(host, port, token, editor, opentelemetry)):
            sys.exit(run(request))
    except TransomError as error:
        _fail(error)
    except KeyboardInterrupt:
        sys.exit(130)


@main.command("report")
@click.argument("record", type=click.Path())
@click.option("-o", "--output", metavar="FILE", help="The page; - is stdout.  [default: RECORD with .html]")
def report_command(record: str, output: str | None) -> None:
    """Make a page of a run's record: late tuples against what is allowed, delay, waiting tuples.

    RECORD is what transom run --record has written, also while it still runs.
    """
    try:
        report(record, output)
    except TransomError as error:
        _fail(error)


@main.command("state")
@click.argument("checkpoint", type=click.Path())
@_format
@_master
@_conf
@_debug
def state_command(checkpoint: str, form: str, master: str | None, conf: dict[str, str], debug: bool) -> None:
    """Show what the state in a checkpoint holds: per operator and shard the frontier, open windows, keys, rows and bytes.

    The query may run meanwhile. CHECKPOINT is the folder that it was given.
    """
    try:
        show_state(checkpoint, form, master, conf, debug=debug)
    except TransomError as error:
        _fail(error)


@main.command("console")
@click.argument("record", type=click.Path(), required=False)
@_host
@_port
@_token
@_editor
@_master
@_conf
def console_command(
    record: str | None,
    host: str,
    port: int | None,
    token: str | None,
    editor: bool,
    master: str | None,
    conf: dict[str, str],
) -> None:
    """Show a run as a page: its windows, its progress, its late tuples; and try queries there.

    RECORD is what transom run --record has written, or still writes: the page plays it back, and follows it.

    The editor needs Java: it starts Spark with the first query that is typed, on this machine or at --master. Relative paths in
    a query are those of the folder in which this command was started.
    """
    try:
        console(record, Where(host, port, token, editor), master, conf)
    except TransomError as error:
        _fail(error)


@main.command("rescale")
@click.argument("checkpoint", type=click.Path())
@click.option("--shards", type=int, required=True, metavar="N", help="How many shards, and partitions, the query is to have.")
@_master
@_conf
@_debug
def rescale_command(checkpoint: str, shards: int, master: str | None, conf: dict[str, str], debug: bool) -> None:
    """Give a stopped query another number of shards: its state is split and merged by key, and answers stay the same.

    CHECKPOINT is the folder that the query was given. It is replaced at once, and the old one is kept beside it.
    """
    try:
        rescale_checkpoint(checkpoint, shards, master, conf, debug=debug)
    except TransomError as error:
        _fail(error)


@main.command("shell")
@_format
@_master
@_conf
@_debug
def shell_command(form: str, master: str | None, conf: dict[str, str], debug: bool) -> None:
    """Type statements and see their answers. Reads from a pipe too."""
    sys.exit(shell(form, master, conf, debug=debug))


@main.command()
@click.option(
    "--seconds",
    default=15.0,
    show_default=True,
    type=click.FloatRange(0, 600),
    help="How long readings arrive. All at once if this is not a terminal.",
)
@click.option("--console", "with_console", is_flag=True, help="Show them as a page too, as long as readings arrive.")
def demo(seconds: float, with_console: bool) -> None:
    """Watch windows close on Spark over a disordered stream of traffic."""
    try:
        sys.exit(play(seconds if with_console or sys.stdout.isatty() else 0.0, with_console=with_console))
    except TransomError as error:
        _fail(error)


@main.command()
@click.argument("folder", default="first_transom", type=click.Path(path_type=Path))
def tutorial(folder: Path) -> None:
    """Put a first project into a folder: a query, its data, its tests.  [default: first_transom]"""
    try:
        made = make_project(folder)
    except TransomError as error:
        _fail(error)
    for path in made:
        click.echo(f"  {path}")
    click.echo(f"Next: cd {folder}, and read README.md.")


@main.command()
@click.argument("file", type=click.Path())
def check(file: str) -> None:
    """Bind and check the statements of a SQL file without running anything."""
    script = _bound(file)
    if not script.statements:
        _fail(BadQuery("the file has no statement", given=file, remedy="write one"))
    queries = "1 query" if len(script.queries) == 1 else f"{len(script.queries)} queries"
    statements = "1 statement" if len(script.statements) == 1 else f"{len(script.statements)} statements"
    click.echo(f"{statements}, {queries}: all well", err=True)


@main.command("explain")
@click.argument("file", type=click.Path())
def explain_command(file: str) -> None:
    """Explain the queries of a SQL file."""
    plans = [plan for _, plan in _bound(file).statements if plan is not None]
    if not plans:
        _fail(BadQuery("the file has no query to explain", given=file, remedy="add a SELECT"))
    click.echo("\n\n".join(explain(plan) for plan in plans))


def _bound(file: str) -> Script:
    try:
        return checked_script(_text(file))
    except TransomError as error:
        _fail(error)


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8-sig")  # some editors begin with a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        _fail(BadQuery("the file cannot be read", given=f"{file}: {error}", remedy="name a readable UTF-8 file"))


def _fail(error: TransomError) -> NoReturn:
    """A bad query: its error on stderr, exit code 2."""
    click.echo(str(error), err=True)
    sys.exit(2)


@main.command()
@click.option("--session", "with_session", is_flag=True, help="Check the settings of a session, too.")
@_master
@click.option("--remote", metavar="URL", help="The Spark Connect server of that session: sc://host, or local.")
@_conf
@_debug
def doctor(with_session: bool, master: str | None, remote: str | None, conf: dict[str, str], debug: bool) -> None:
    """Check Python, Java and the packages Transom needs.

    With --session, also the session that SparkSession.builder makes here, which reads spark-defaults.conf: the settings that it
    lacks, and what each would bring. --master, --remote and --conf say where it runs and what it has.
    """
    findings = everything()
    for finding in findings:
        click.echo(f"{'no' if finding.remedy else 'ok'}  {finding}")
    if any(finding.remedy for finding in findings):
        sys.exit(1)
    if with_session or master or remote or conf:
        try:
            lacking = session_lacks(master, remote, conf, debug=debug)
        except TransomError as error:
            _fail(error)
        for line in lacking or ["ok  the session has every setting that Transom profits from"]:
            click.echo(line)
