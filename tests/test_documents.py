"""What the documents name exists, and they are written in plain words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "transom"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PUBLIC = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]
STIFF = re.compile(r"\b(tells?|told|is asked|are asked|so many|so much|gone on with)\b", re.IGNORECASE)
"""Words that read like a translation, and what one writes instead: reports, returns, N, unchanged, resumed."""


def paths_in(text: str) -> set[str]:
    """What stands in backquotes and is a path."""
    return {one for one in re.findall(r"`([\w./-]+)`", text) if "/" in one or one.endswith((".py", ".md"))}


def exists(path: str) -> bool:
    return any((place / path).exists() for place in (ROOT, PACKAGE))


@pytest.mark.parametrize("path", sorted(paths_in(ARCHITECTURE)))
def test_paths_in_the_architecture_exist(path: str) -> None:
    assert exists(path)


def test_a_path_that_does_not_exist_is_noticed() -> None:
    assert not exists("physical/stage.py")


def test_every_room_is_described() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    table = set(re.findall(r"^\| `([\w.]+)` \|", ARCHITECTURE, re.MULTILINE))
    assert rooms <= table


def test_decisions_are_numbered_without_a_gap() -> None:
    decisions = ARCHITECTURE.split("## Decisions")[1]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", decisions, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 30


@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: path.name)
def test_words_are_plain(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, start=1) if STIFF.search(line)] == []


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_in_its_first_line_what_it_is_for(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith('"""')
    assert not STIFF.search(first)
