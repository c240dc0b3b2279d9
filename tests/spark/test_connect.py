"""Spark Connect: no Spark in the process that asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spark.elsewhere import check, run_elsewhere, written

pytestmark = [pytest.mark.spark, pytest.mark.server]


def test_over_connect(tmp_path: Path) -> None:
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    items = written(tmp_path)
    found = run_elsewhere("remote:local[2]", tmp_path)
    assert "connect" in found["session"]
    check(found, items)
