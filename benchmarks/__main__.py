"""`python -m benchmarks`: measure, say how it compares with the floors, and write it down."""

from __future__ import annotations

import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from benchmarks.bench import Bench
from benchmarks.conditions import Conditions
from benchmarks.machine import machine
from benchmarks.part import Part
from benchmarks.parts import PARTS
from benchmarks.publish import DOCUMENT, RESULTS, fill, load, save
from benchmarks.report import floors, markdown


@click.command()
@click.option("--only", default=",".join(PARTS), show_default=True, help="The parts to run.")
@click.option("--rows", default=Conditions.rows, show_default=True, help="Rows of the data.")
@click.option("--repeats", default=Conditions.repeats, show_default=True, help="Runs of each contender after the warm-up.")
@click.option("--quick", is_flag=True, help="A look at everything: 200,000 rows, one repeat, the ends of each curve.")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write, instead of benchmarks/results.")
@click.option("--report", is_flag=True, help="Measure nothing; write tables and pictures anew from the results there are.")
def main(only: str, rows: int, repeats: int, quick: bool, out: Path | None, report: bool) -> None:
    """Measure Transom side by side with what one would use without it.

    Results of less than a full run (fewer than 4,000,000 rows or 3 repeats) go to the folder of the data and leave
    BENCHMARKS.md alone.
    """
    chosen = [name.strip() for name in only.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        raise click.BadParameter(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}", param_hint="--only")
    conditions = Conditions(rows=rows, repeats=repeats)
    if quick:
        conditions = replace(conditions, rows=min(rows, 200_000), repeats=1, quick=True)
    folder = out or (RESULTS if conditions.is_full or report else conditions.folder / "results")
    made = load(folder)
    if not report:
        made = _measure(chosen, conditions, folder, made)
    save(folder, made)
    if folder == RESULTS:
        fill(DOCUMENT, made)
    print(f"\n{markdown(made)}")
    print("\n".join(floors({name: made[name] for name in chosen if name in made})))
    if not conditions.is_full and not report:
        print("\nLess than a full run: starting a query takes longer than the rows do, and the verdicts mean nothing.")
    print(f"\nWritten to {folder}")


def _measure(chosen: list[str], conditions: Conditions, folder: Path, made: dict[str, Any]) -> dict[str, Any]:
    """Part by part, each written down as soon as it is done."""
    bench = Bench(conditions.session(), conditions)
    for name in chosen:
        print(f"\n== {name}", flush=True)
        before = machine(bench.spark, conditions)
        start = time.perf_counter()
        part = _attempt(name, bench)
        made[name] = {**part.to_json(), "machine": before, "minutes": round((time.perf_counter() - start) / 60, 1)}
        made = {key: made[key] for key in PARTS if key in made}
        save(folder, made)
    bench.spark.stop()
    return made


def _attempt(name: str, bench: Bench) -> Part:
    """A part that fails is reported, and the next one runs."""
    try:
        return PARTS[name](bench)
    except Exception:
        failure = traceback.format_exc(limit=-4)
        print(failure, flush=True)
        return Part(name, (PARTS[name].__module__.rsplit(".", 1)[-1]).replace("_", " "), failed=failure)


if __name__ == "__main__":
    main()
