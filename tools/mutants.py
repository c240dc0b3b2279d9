"""Change each inequality and each +1 or -1 of the definitions, one by one, and see that a test fails.

    python tools/mutants.py [--jobs 2] [file ...]

Prints a line for each mutant with the test that caught it, and exits with 1 if any survived. A survivor is either a
gap in the tests or a change that makes no difference; the latter are listed below with the reason.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "transom"
FILES = [
    *sorted((PACKAGE / "semantics").glob("*.py")),
    *(PACKAGE / "reference" / name for name in ("lateness.py", "evaluate.py", "over.py", "history.py", "query.py")),
]
TESTS = ["tests/test_transcripts.py", "tests/semantics", "tests/reference", "tests/testing"]

SWAPPED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
SYMBOL = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}

EQUIVALENT: dict[str, str] = {
    "semantics/frontier.py: p.x > punctuation.x  ->  p.x >= punctuation.x": "of two equal promises either may be kept",
    "semantics/session.py: last <= a  ->  last < a": "an equal value leaves the last value what it is",
    "semantics/session.py: b <= a  ->  b < a": "an equal value leaves the first value what it is",
    "semantics/varying.py: a < self.instant(w)  ->  a <= self.instant(w)": "the bounds decide; the search may begin one id early",
}
"""Changes that make no difference: the file and the change, and why."""


@dataclass(frozen=True)
class Mutant:
    """One change: a span of one line of a file, replaced."""

    path: Path
    line: int
    before: str
    after: str
    text: str

    @property
    def change(self) -> str:
        return f"{self.path.relative_to(PACKAGE)}: {self.before}  ->  {self.after}"

    def __str__(self) -> str:
        return f"line {self.line} of {self.change}"


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a file."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            for position, operator in enumerate(node.ops):
                if type(operator) in SWAPPED:
                    changed = [*node.ops]
                    changed[position] = SWAPPED[type(operator)]()
                    yield _replaced(path, source, node, ast.Compare(node.left, changed, node.comparators))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _is_one(node.right):
            yield _replaced(path, source, node, node.left)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _replaced(path: Path, source: str, node: ast.expr, instead: ast.expr) -> Mutant:
    before, after = ast.get_source_segment(source, node) or "", ast.unparse(instead)
    lines = source.splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
    text = source[:start] + f"({after})" + source[start + len(before) :]
    return Mutant(path, node.lineno, " ".join(before.split()), after, text)


def caught_by(mutant: Mutant) -> str | None:
    """The first test that fails with the mutant in place; None if none does."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(PACKAGE, Path(scratch) / "transom", ignore=shutil.ignore_patterns("__pycache__"))
        (Path(scratch) / "transom" / mutant.path.relative_to(PACKAGE)).write_text(mutant.text, encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": scratch, "PYTHONDONTWRITEBYTECODE": "1", "CI": "true"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", "--timeout=120", *TESTS]
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if run.returncode != 0 and not failed:
        raise SystemExit(f"the tests did not run for {mutant}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return failed[0].split(" - ")[0].split(" ", 1)[1] if failed else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    untouched = Mutant(FILES[0], 0, "nothing", "nothing", FILES[0].read_text(encoding="utf-8"))
    if (red := caught_by(untouched)) is not None:
        raise SystemExit(f"the tests fail without any mutant: {red}")
    every = [mutant for path in arguments.files or FILES for mutant in mutants(path.resolve())]
    survivors = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for mutant, test in zip(every, pool.map(caught_by, every), strict=True):
            verdict = test or EQUIVALENT.get(mutant.change, "SURVIVED")
            survivors += verdict == "SURVIVED"
            print(f"{mutant}\n    {verdict}", flush=True)
    print(f"{len(every)} mutants, {survivors} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
