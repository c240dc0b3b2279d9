"""Watching the queries of a session over Spark Connect, which has no SparkContext: without Spark."""

from __future__ import annotations

from typing import Any

from transom.spark.watched import ALWAYS, CONF, NEVER, watch, watch_of


class Conf:
    """Settings of a session."""

    def __init__(self, **values: str) -> None:
        self.values = values

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.values.get(name, default)


class Remote:
    """A session over Connect."""

    def __init__(self, **values: str) -> None:
        self.conf = Conf(**values)

    @property
    def sparkContext(self) -> Any:  # noqa: N802
        raise AssertionError("a session over Connect has no SparkContext")


def test_nothing_of_the_jvm_is_asked() -> None:
    look_away = watch(Remote())  # type: ignore[arg-type]
    look_away()
    look_away()


def test_operators_report_what_the_setting_says() -> None:
    assert watch_of(Remote()) == NEVER
    assert watch_of(Remote(**{CONF: ALWAYS})) == ALWAYS
