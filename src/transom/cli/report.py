"""`transom report`: a page of a record."""

from __future__ import annotations

from pathlib import Path

import click

from transom.errors import BadOption
from transom.quality.page import page
from transom.quality.record import read_record


def report(record: str, output: str | None) -> None:
    """Write the page, and tell in a line for each query how it stands."""
    queries = read_record(record)
    made = page(queries)
    if output == "-":
        click.echo(made, nl=False)
        return
    place = Path(record).with_suffix(".html") if output is None else Path(output)
    try:
        place.write_text(made, encoding="utf-8")
    except OSError as error:
        raise BadOption("the page cannot be written", given=f"{place}: {error}", remedy="name another file with -o") from None
    for quality in queries:
        click.echo(str(quality), err=True)
    click.echo(f"written: {place}", err=True)
