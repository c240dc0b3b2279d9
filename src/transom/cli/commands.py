"""`transom`, and what it can do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click

from transom.cli.demo import play
from transom.cli.doctor import everything
from transom.errors import BadQuery, TransomError
from transom.explain import explain
from transom.language import Script, bind_script
from transom.version import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="transom")
def main() -> None:
    """Continuous windows on Spark."""


@main.command()
@click.option(
    "--seconds",
    default=12.0,
    show_default=True,
    type=click.FloatRange(0, 600),
    help="How long to play. At once if this is not a terminal.",
)
def demo(seconds: float) -> None:
    """Watch windows close over a disordered stream of traffic."""
    play(seconds if sys.stdout.isatty() else 0.0)


@main.command()
@click.argument("file", type=click.Path())
def check(file: str) -> None:
    """Bind and check the statements of a SQL file without running anything."""
    script = _bound(file)
    if not script.statements:
        _fail(BadQuery("the file has no statement", given=file, remedy="write one"))
    click.echo(f"{len(script.statements)} statements, {len(script.queries)} queries: all well", err=True)


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
        return bind_script(Path(file).read_text(encoding="utf-8"))
    except TransomError as error:
        _fail(error)
    except (OSError, UnicodeDecodeError) as error:
        _fail(BadQuery("the file cannot be read", given=f"{file}: {error}", remedy="name a readable UTF-8 file"))


def _fail(error: TransomError) -> NoReturn:
    """A bad query: told on stderr, exit code 2."""
    click.echo(str(error), err=True)
    sys.exit(2)


@main.command()
def doctor() -> None:
    """Check Python, Java and the packages Transom needs."""
    findings = everything()
    for finding in findings:
        click.echo(f"{'no' if finding.remedy else 'ok'}  {finding}")
    sys.exit(1 if any(finding.remedy for finding in findings) else 0)
