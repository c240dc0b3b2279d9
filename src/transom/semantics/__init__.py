"""The definitions: what each window contains, when it is complete, and what is late.

Independent of any algorithm, and small enough to check by eye against the papers. Everything else is tested
against them.
"""

from transom.semantics.bracket import Bracket
from transom.semantics.classes.context import ContextClass, context_class
from transom.semantics.classes.monotonicity import Monotonicity, monotonicity
from transom.semantics.function import Function
from transom.semantics.length import Length, Rows, Unit, rows
from transom.semantics.progress.frontier import Frontier
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.time import Duration
from transom.semantics.tuples import Position, Rank, RowNum, Tuple, number_arrivals
from transom.semantics.windows.band import Band
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding, tumbling
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window

__all__ = [
    "Band",
    "Bracket",
    "ContextClass",
    "Duration",
    "EveryInstant",
    "Filtered",
    "Frontier",
    "Function",
    "Landmark",
    "LandmarkEvery",
    "LandmarkUntil",
    "Length",
    "Monotonicity",
    "Now",
    "Partitioned",
    "Position",
    "Punctuation",
    "Rank",
    "RowNum",
    "RowWindow",
    "Rows",
    "Session",
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
