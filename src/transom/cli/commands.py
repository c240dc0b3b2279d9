"""`transom`, and what it can do."""

from __future__ import annotations

import sys

import click

from transom import __version__
from transom.cli.demo import play
from transom.cli.doctor import everything


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="transom")
def main() -> None:
    """Continuous windows on Spark."""


@main.command()
@click.option("--seconds", default=12.0, show_default=True, help="How long to play. At once if this is not a terminal.")
def demo(seconds: float) -> None:
    """Watch windows close over a disordered stream of traffic."""
    play(seconds if sys.stdout.isatty() else 0.0)


@main.command()
def doctor() -> None:
    """Check Python, Java and the packages Transom needs."""
    findings = everything()
    for finding in findings:
        click.echo(f"{'no' if finding.remedy else 'ok'}  {finding}")
    sys.exit(1 if any(finding.remedy for finding in findings) else 0)
