"""Disorder control: when a stream promises that no earlier tuple will come (SLACK, HEARTBEAT, DRATIO, NORMAL, BFSIZE).

Each generator comes in two forms that stand side by side: `slack.py` is the definition, tuple by tuple, and `slack_arrays.py`
the same on arrays, which is what runs. Plain SLACK on an attribute needs no walk: `transom.kernels.progress` subtracts
it from the running maximum. Tests hold the two together.
"""

from transom.disorder.at_end import AtEnd
from transom.disorder.buffer_size import Buffered
from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack

__all__ = ["AtEnd", "Buffered", "DropRatio", "Generator", "Heartbeat", "Ordered", "Slack"]
