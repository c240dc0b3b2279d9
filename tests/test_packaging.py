"""The wheel holds all of the package, and works where there is no checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from transom.version import __version__

ROOT = Path(__file__).parents[1]
STARTED = "import sys; sys.path.insert(0, sys.argv.pop(1)); from transom.cli import main; main(prog_name='transom')"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built of a copy, so that nothing is left in the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    build = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", "out"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True, text=True)
    return next((folder / "out").glob("*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel: Path) -> Path:
    """A folder with the package and nothing else of this repository."""
    place = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


def transom(elsewhere: Path, folder: Path, *arguments: str) -> str:
    """What the command prints. Isolated (-I): neither the working directory nor PYTHONPATH leads to a package."""
    command = [sys.executable, "-I", "-c", STARTED, str(elsewhere), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    assert wheel.name == f"transom-{__version__}-py3-none-any.whl"
    package = ROOT / "src"
    there = {str(path.relative_to(package)) for path in (package / "transom").rglob("*") if path.is_file()}
    there = {name for name in there if "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as archive:
        assert there <= set(archive.namelist())


def test_a_first_project_works_away_from_the_repository(elsewhere: Path, tmp_path: Path) -> None:
    assert __version__ in transom(elsewhere, tmp_path, "--version")
    transom(elsewhere, tmp_path, "tutorial", "first")
    assert "5 statements, 2 queries" in transom(elsewhere, tmp_path / "first", "check", "speeds.sql")


def test_library_aggregates_are_found_away_from_the_repository(elsewhere: Path, tmp_path: Path) -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import transom; print(transom.__file__)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(elsewhere)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(str(elsewhere))
