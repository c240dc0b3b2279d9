"""Controllers: the array form of every generator, over pieces of a sequence that may be cut anywhere.

A controller sees the whole sequence of its substream, in every shard. The frontier before each tuple depends on that sequence
alone: sums are exact, or added up in the order of arrival, and a delay is chosen anew at places that the sequence decides.
"""

from __future__ import annotations

from transom.disorder.arrays.controller import Controller
from transom.disorder.buffer_size import Buffered
from transom.disorder.buffer_size_arrays import BufferedController
from transom.disorder.dratio.drop_ratio import DropRatio, grain
from transom.disorder.dratio.drop_ratio_arrays import DropRatioController
from transom.disorder.dratio.normal_arrays import NormalController
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.heartbeat_arrays import AverageController, HeartbeatController
from transom.disorder.slack import Slack
from transom.disorder.slack_arrays import SlackController, SortBufferController
from transom.kernels.columns.axis import Axis
from transom.semantics.length import Rows, measure

__all__ = ["Controller", "controller_of", "is_never_ahead", "needs_arrival"]


def controller_of(generator: Generator, axis: Axis, step: int = 1, *, timed: bool = False) -> Controller:
    """The array form of a generator. `step` is the attribute's unit on the axis; `timed` if the attribute is time."""
    if isinstance(generator, Buffered):
        other = controller_of(generator.generator, axis, step, timed=timed)
        return BufferedController(axis, step, other, generator.size)
    if isinstance(generator, Heartbeat):
        return AverageController(axis, step) if generator.average else HeartbeatController(axis)
    if isinstance(generator, DropRatio) and generator.normal:
        return NormalController(axis, step, generator.ratio)
    if isinstance(generator, DropRatio):
        return DropRatioController(axis, grain(step, timed=timed), generator.ratio)
    assert isinstance(generator, Slack)
    if isinstance(generator.slack, Rows):
        return SortBufferController(axis, step, generator.slack.count)
    return SlackController(axis, step, axis.number(measure(generator.slack)))


def is_never_ahead(generator: Generator) -> bool:
    """Whether the frontier is never above the newest tuple. It can be with BFSIZE, which promises more than what has left the
    buffer, and with NORMAL, which goes by the time of arrival."""
    return isinstance(generator, Heartbeat | Slack) or (isinstance(generator, DropRatio) and not generator.normal)


def needs_arrival(generator: Generator | None) -> bool:
    """Whether a generator looks at arrival times."""
    if isinstance(generator, Buffered):
        return needs_arrival(generator.generator)
    return isinstance(generator, DropRatio) and generator.normal
