"""The reference evaluator: slow, obvious, and right by the definitions. Engines are tested against it."""

from transom.reference.evaluate import evaluate
from transom.reference.history import Arrival, End, Item, Promise
from transom.reference.outcome import Fate, LateTuple, Outcome, OutcomeCounts, Result, Row
from transom.reference.query import Late, Over, Query, Stamp
from transom.reference.stream import ReferenceStream

__all__ = [
    "Arrival",
    "End",
    "Fate",
    "Item",
    "Late",
    "LateTuple",
    "Outcome",
    "OutcomeCounts",
    "Over",
    "Promise",
    "Query",
    "ReferenceStream",
    "Result",
    "Row",
    "Stamp",
    "evaluate",
]
