"""`python -m experiments`: run them, print what was found, and write it down."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from experiments.parts import PARTS
from experiments.publish import PAGE, RESULTS, about, fill, markdown, save
from experiments.real import LOG
from experiments.size import FULL, QUICK


@click.command()
@click.option("--only", default=",".join(PARTS), show_default=True, help="The experiments to run.")
@click.option("--quick", is_flag=True, help="A look: fewer tuples and settings; nothing is written unless --out is given.")
@click.option("--log", type=click.Path(exists=True, dir_okay=False), help=f"The DNS log; also ${LOG}.")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write, instead of experiments/results.")
def main(only: str, quick: bool, log: str | None, out: Path | None) -> None:
    """Run the papers' experiments, and ours. A full run writes its tables into EXPERIMENTS.md."""
    chosen = [name.strip() for name in only.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        raise click.BadParameter(f"no experiment {', '.join(unknown)}; there are {', '.join(PARTS)}", param_hint="--only")
    if log is not None:
        os.environ[LOG] = log
    folder = out or (None if quick else RESULTS)
    for name in chosen:
        start = time.perf_counter()
        outcome = PARTS[name](QUICK if quick else FULL)
        made = about(time.perf_counter() - start)
        print(f"\n## {outcome.title}\n\n{markdown(outcome, made)}", flush=True)
        if folder is not None:
            save(folder, name, outcome, made)
        if folder == RESULTS:
            fill(PAGE, name, markdown(outcome, made, "experiments/results/"))


if __name__ == "__main__":
    main()
