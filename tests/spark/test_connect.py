"""Spark Connect: no Spark in the process that asks.

Any test of Spark runs over it with `TRANSOM_REMOTE="local[2]"`, but for those marked `classic`. Some do so here; `make test-all`
ends with `make test-connect`, which runs all that `make test` has.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spark.elsewhere import ROOT, UNSET, check, run_elsewhere, written

pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.classic]

SOME = (
    "test_over_windows.py",
    "test_union.py::test_as_a_batch_and_as_a_stream_it_is_what_the_definition_says",
    "test_together.py",
)


def test_over_connect(tmp_path: Path) -> None:
    """On one machine nothing has to be set: the first `python3` has no Transom, and no variable names another."""
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    items = written(tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "python3").chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    found = run_elsewhere("remote:local[2]", tmp_path, named=False, PATH=path)
    assert "connect" in found["session"]
    check(found, items)
    assert found["shipped"] == found["class"]
    assert found["schema given"] == [True] * 4


def test_some_of_each_capability() -> None:
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    own = {name: text for name, text in os.environ.items() if name not in (*UNSET, "PYTEST_XDIST_WORKER")}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-v",
            "-m",
            "not long",
            "-p",
            "no:cacheprovider",
            *(f"tests/spark/{one}" for one in SOME),
        ],
        cwd=ROOT,
        env={**own, "TRANSOM_REMOTE": "local[2]", "TZ": "UTC"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout.splitlines()[-1]
