"""A standalone cluster with two workers: executors are processes of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spark.elsewhere import check, run_elsewhere, written
from tests.spark.standalone import cluster

pytestmark = [pytest.mark.spark, pytest.mark.server]


def test_on_two_workers(tmp_path: Path) -> None:
    items = written(tmp_path)
    with cluster(tmp_path) as made:
        found = run_elsewhere(made.address, tmp_path, SPARK_LOCAL_IP="127.0.0.1")
    assert found["executors"] == 2
    check(found, items)
