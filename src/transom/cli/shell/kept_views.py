"""Concrete views of the shell: queries that run beside it and keep a view each, until it ends."""

from __future__ import annotations

import shutil
import tempfile
from typing import TYPE_CHECKING

from transom.language.script_text import Stated

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession
    from transom.spark.running.running_query import RunningQuery


class KeptViews:
    """The queries that keep concrete views, and their checkpoints, which go with the session."""

    def __init__(self) -> None:
        self.running: list[RunningQuery] = []
        self._place: str | None = None

    def keep(self, one: Stated, spark: SparkSession) -> None:
        """Start the query of a view. Over an input that has an end it is computed once."""
        from transom.spark.running.write import Asked, write

        assert one.plan is not None
        self._place = self._place or tempfile.mkdtemp(prefix="transom-views-")
        self.running.append(write([one.plan], spark, Asked(f"{self._place}/{len(self.running)}")))

    def check(self) -> None:
        """Raise what made a query fail, once: its view is what it was then."""
        for running in list(self.running):
            error = running.exception()
            if error is not None:
                self.running.remove(running)
                raise error

    def stop(self) -> None:
        for running in self.running:
            running.stop()
        if self._place is not None:
            shutil.rmtree(self._place, ignore_errors=True)
