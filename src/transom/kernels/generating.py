"""Where the progress of an operator comes from: the record that the kernels get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transom.disorder.dratio.drop_ratio import DropRatio, grain
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat


@dataclass(frozen=True)
class Generating:
    """Where progress comes from.

    `slack` is a distance on the axis, `control` a generator that looks at the whole sequence, with the attribute's unit on
    the axis as its `step`, `timed` if that is time; `per` are the columns of ORDERED PER, `punctuated` the group columns of
    the source's own punctuation, with the declared `substreams`; `derived` takes the progress of the operator below, or of as
    many as it has `inputs`, tagged by `g:input`; with nothing, only the end of the input completes anything. With
    `moves_in_silence` the clock moves it while no tuple comes; after `idle_after` a silent substream is passed over, after
    `silent_after` the whole stream is idle, and an operator of several inputs goes on without it. If it is `stepped`, an operator
    of its own folds the sequence, and shards take the steps of the frontier from there.
    """

    slack: Any = None
    control: Generator | None = None
    step: int = 1
    timed: bool = False
    per: tuple[str, ...] | None = None
    punctuated: tuple[str, ...] | None = None
    substreams: tuple[tuple[Any, ...], ...] = ()
    derived: bool = False
    inputs: int = 1
    per_source: bool = False
    lasting_sources: bool = True
    idle_after: int | None = None
    silent_after: int | None = None
    moves_in_silence: bool = False
    stepped: bool = False

    @property
    def grain(self) -> int:
        """The unit of the sequence on the axis: DRATIO does not look at single microseconds."""
        return int(grain(self.step, timed=self.timed)) if self._is_quantile else 1

    @property
    def by_lateness(self) -> bool:
        """Whether latenesses are looked at, and not places."""
        return self._is_quantile or (isinstance(self.control, Heartbeat) and not self.control.average)

    @property
    def _is_quantile(self) -> bool:
        return isinstance(self.control, DropRatio) and not self.control.normal

    @property
    def hears_punctuation(self) -> bool:
        """Whether it matters which tuples came before a promise."""
        return self.per is not None or self.punctuated is not None

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns that promises to single groups speak of."""
        return self.per or self.punctuated or ()
