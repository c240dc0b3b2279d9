"""The logical plan: frozen nodes with derived schemas and properties. SQL and Python both build it."""

from transom.plan.disorder import Disorder, PunctuationClause, SlackPercent
from transom.plan.expression import Expression
from transom.plan.join import Join
from transom.plan.node import Node
from transom.plan.relational import Derived, Distinct, Extend, Filter, LateOf, Project, Scan, Sort, TableJoin, TableScan
from transom.plan.schema import Column, Schema
from transom.plan.sink import Insert
from transom.plan.stream import Endpoint, StreamDefinition
from transom.plan.union import Union
from transom.plan.windowed import Aggregate, Cut, Frame, Frames
from transom.semantics.drop_ratio import DropRatio
from transom.semantics.heartbeat import Heartbeat

__all__ = [
    "Aggregate",
    "Column",
    "Cut",
    "Derived",
    "Disorder",
    "Distinct",
    "DropRatio",
    "Endpoint",
    "Expression",
    "Extend",
    "Filter",
    "Frame",
    "Frames",
    "Heartbeat",
    "Insert",
    "Join",
    "LateOf",
    "Node",
    "Project",
    "PunctuationClause",
    "Scan",
    "Schema",
    "SlackPercent",
    "Sort",
    "StreamDefinition",
    "TableJoin",
    "TableScan",
    "Union",
]
