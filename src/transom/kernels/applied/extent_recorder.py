"""The operator that runs in the containers of a window with policies: it notes which tuples each processed window holds."""

from __future__ import annotations

from typing import Any, NamedTuple

from transom.windowing import Operator, Output, Port


class Processed(NamedTuple):
    """A window that was processed: its partition, its first and last tuple, the number of the tuple that caused it, None if
    the clock did, and the time on the clock."""

    partition: Any
    oldest: Any
    newest: Any
    cause: int | None
    now: int


class ExtentRecorder(Operator):
    """Windows are contiguous in their partition, so the first and the last tuple say it all."""

    takes = Port()
    gives = Output("n BIGINT", punctuation="free")

    def __init__(self) -> None:
        self.processed: list[Processed] = []
        self.cause: list[int | None] = [None]

    def clock(self) -> int:
        """The instant for which the container does what is due; tuples come at that of their micro-batch."""
        return self._running.container().now

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.processed.append(Processed(partition, window.oldest, window.newest, self.cause[0], self.clock()))
