"""Where statements come from: a pipe, or a person at a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import click

from transom.cli.shell.help_texts import asks_for_help
from transom.cli.shell.statement_lines import LEAVE, Pieces
from transom.language.catalog import Catalog

HISTORY = Path("~/.transom_history").expanduser()
WELCOME = """\
Statements end in ; and may take several lines: CREATE STREAM ..., then a SELECT, which is answered over what its files or
tables hold now. help lists statements, Ctrl-D or quit leaves."""
PLAIN = "For completion and colours: pip install 'transom[shell]'"


def piped(source: TextIO) -> Iterator[tuple[int, str]]:
    """The statements of a pipe, each with the line it begins in."""
    pieces = Pieces()
    for line in source:
        yield from pieces.take(line)
    yield from pieces.rest()


def typed(catalog: Callable[[], Catalog]) -> Iterator[tuple[int, str]]:
    """What a person types: with completion, where prompt_toolkit is installed."""
    click.echo(WELCOME, err=True)
    try:
        from transom.cli.shell.prompting import prompted
    except ModuleNotFoundError:
        click.echo(PLAIN, err=True)
        texts = _lines()
    else:
        texts = prompted(catalog)
    for text in texts:
        if text.strip().lower() in LEAVE:
            return
        yield from _statements(text)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements of a text; a word for the shell is one."""
    if asks_for_help(text):
        yield 1, text
        return
    pieces = Pieces()
    for _, one in [*pieces.take(text + "\n"), *pieces.rest()]:
        yield 1, one.strip()


def _lines() -> Iterator[str]:
    """Lines with editing; the history has whole statements."""
    import readline

    with contextlib.suppress(OSError):
        readline.read_history_file(HISTORY)
    readline.set_history_length(1000)
    readline.set_auto_history(False)
    pieces, typed = Pieces(), ""
    try:
        while True:
            try:
                line = input("      -> " if typed.strip() else "transom> ")
            except KeyboardInterrupt:
                click.echo("", err=True)
                pieces, typed = Pieces(), ""
                continue
            except EOFError:
                click.echo("", err=True)
                return
            if not typed.strip() and (line.strip().lower() in LEAVE or asks_for_help(line)):
                yield line
                continue
            typed += line + "\n"
            if list(pieces.take(line + "\n")) and pieces.is_empty:
                readline.add_history(" ".join(typed.split("\n")).strip())
                yield typed
                typed = ""
    finally:
        with contextlib.suppress(OSError):
            readline.write_history_file(HISTORY)
