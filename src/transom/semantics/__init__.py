"""The definitions: what each window contains, when it is complete, and what is late.

Independent of any algorithm, and small enough to check by eye against the papers. Everything else is tested
against them.
"""

from transom.semantics.band import Band
from transom.semantics.bracket import Bracket
from transom.semantics.buffered import Buffered
from transom.semantics.context import ContextClass, context_class
from transom.semantics.drop_ratio import DropRatio
from transom.semantics.every_instant import EveryInstant
from transom.semantics.filtered import Filtered
from transom.semantics.frontier import Frontier
from transom.semantics.function import Function
from transom.semantics.generator import Generator, Ordered, Slack
from transom.semantics.heartbeat import Heartbeat
from transom.semantics.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.length import Length, Rows, Unit, rows
from transom.semantics.monotonicity import Monotonicity, monotonicity
from transom.semantics.now import Now
from transom.semantics.partitioned import Partitioned
from transom.semantics.punctuation import Punctuation
from transom.semantics.row_window import RowWindow
from transom.semantics.session import Session
from transom.semantics.slide_by_tuple import SlideByTuple
from transom.semantics.sliding import Sliding, tumbling
from transom.semantics.time import Duration
from transom.semantics.tuples import Position, Rank, RowNum, Tuple, number_arrivals
from transom.semantics.varying import Varying
from transom.semantics.window import Window

__all__ = [
    "Band",
    "Bracket",
    "Buffered",
    "ContextClass",
    "DropRatio",
    "Duration",
    "EveryInstant",
    "Filtered",
    "Frontier",
    "Function",
    "Generator",
    "Heartbeat",
    "Landmark",
    "LandmarkEvery",
    "LandmarkUntil",
    "Length",
    "Monotonicity",
    "Now",
    "Ordered",
    "Partitioned",
    "Position",
    "Punctuation",
    "Rank",
    "RowNum",
    "RowWindow",
    "Rows",
    "Session",
    "Slack",
    "SlideByTuple",
    "Sliding",
    "Tuple",
    "Unit",
    "Varying",
    "Window",
    "context_class",
    "monotonicity",
    "number_arrivals",
    "rows",
    "tumbling",
]
