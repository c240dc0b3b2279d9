"""The reference evaluator: slow, obvious, and right by the definitions. Engines are tested against it."""

from transom.reference.evaluate import evaluate
from transom.reference.history import Arrival, End, Item, Promise
from transom.reference.outcome import Counts, Fate, LateTuple, Outcome, Result, Row
from transom.reference.query import Late, Over, Query, Stamp
from transom.reference.stream import Stream

__all__ = [
    "Arrival",
    "Counts",
    "End",
    "Fate",
    "Item",
    "Late",
    "LateTuple",
    "Outcome",
    "Over",
    "Promise",
    "Query",
    "Result",
    "Row",
    "Stamp",
    "Stream",
    "evaluate",
]
