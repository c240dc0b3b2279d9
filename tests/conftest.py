"""Property tests without deadlines, since the machine may be shared; one Spark session; and all tests of it on one worker.

`make test` draws 20 examples for each property, `make test-all` (TRANSOM_ALL=1) 100.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from transom.fluent.python_aggregates import REGISTERED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REMOTE = os.environ.get("TRANSOM_REMOTE")
"""A Spark Connect server, `local[2]` for one of our own: the tests of Spark then run over it, but for those marked `classic`."""

EXAMPLES = 100 if os.environ.get("TRANSOM_ALL") else 20

settings.register_profile("default", deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of Spark share one session, so one worker runs them. (Groups get their names in hooks that come after this one.)

    pytest-xdist 3.8 writes the group into the node id, which pytest computes anew from 9.2 on: then every worker would start a
    session. So pytest stays below 9.2 (`tests/test_project.py` has a look).
    """
    for item in items:
        if item.get_closest_marker("spark") or item.get_closest_marker("server"):
            item.add_marker(pytest.mark.xdist_group("spark"))
        if REMOTE and item.get_closest_marker("classic"):
            item.add_marker(pytest.mark.skip(reason="needs a classic session, and this one is Spark Connect"))


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """Aggregates that a test registers are gone after it."""
    before = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(before)


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Tuned for many tiny jobs: no adaptive plans, no generated code, a compiler that stops early."""
    if _java() is None:
        pytest.skip("Spark needs Java: neither JAVA_HOME nor PATH leads to one")
    from pyspark.sql import SparkSession

    from tests.spark.connect_server import over_connect
    from transom.spark.settings import tune

    scratch = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYSPARK_PYTHON", sys.executable)
        environment.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        builder = (
            (over_connect(SparkSession.builder, REMOTE) if REMOTE else SparkSession.builder.master("local[2]"))
            .appName("transom-tests")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.local.dir", str(scratch / "local"))
            .config("spark.sql.warehouse.dir", str(scratch / "warehouse"))
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        )
        session = tune(builder).getOrCreate()
        yield session
        session.stop()
