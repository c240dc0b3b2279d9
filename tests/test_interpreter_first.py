"""`python3` is the interpreter that has Transom, in what a program starts."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from transom.interpreter import find_own_python


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An interpreter of a virtual environment that is not activated."""
    for folder in ("venv", "system"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "python3").write_text("#!/bin/sh\n")
        (tmp_path / folder / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "system"))
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    return tmp_path / "venv" / "python3"


def test_it_comes_first_and_once(own: Path) -> None:
    find_own_python(str(own))
    find_own_python(str(own))
    assert shutil.which("python3") == str(own)
    assert os.environ["PATH"].count(str(own.parent)) == 1


def test_what_was_named_stays(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "mine")
    before = os.environ["PATH"]
    find_own_python(str(own))
    assert os.environ["PATH"] == before


def test_an_interpreter_of_another_name_changes_nothing(own: Path) -> None:
    before = os.environ["PATH"]
    find_own_python(str(own.parent.parent / "elsewhere" / "python"))
    find_own_python("")
    assert os.environ["PATH"] == before
