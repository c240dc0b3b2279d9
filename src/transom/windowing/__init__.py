"""Windows for people who write operators (seed 004): containers with policies fire events. See `docs/windowing.md`."""

from transom.windowing.clock import ByTicks, Clock, SystemClock
from transom.windowing.containers.container import Container
from transom.windowing.containers.saved import Saved
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.graph import Graph, Inlet, Node, Stream, node_of
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.operator_run import OperatorRun, SavedRun
from transom.windowing.operator.outlets import PUNCTUATION
from transom.windowing.operator.ports import Output, Port, preserving
from transom.windowing.policies.limits import partition_age, partition_count, tuple_count
from transom.windowing.policies.policy import count, delta, punct, time
from transom.windowing.tumbling_and_sliding import WindowKind, sliding, tumbling

__all__ = [
    "PUNCTUATION",
    "ByTicks",
    "Clock",
    "Container",
    "Graph",
    "Inlet",
    "Node",
    "Operator",
    "OperatorRun",
    "Output",
    "Port",
    "Saved",
    "SavedRun",
    "Stream",
    "Subwindow",
    "SystemClock",
    "WindowKind",
    "count",
    "delta",
    "node_of",
    "partition_age",
    "partition_count",
    "preserving",
    "punct",
    "sliding",
    "time",
    "tumbling",
    "tuple_count",
]
