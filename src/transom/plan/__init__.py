"""The logical plan: frozen nodes with derived schemas and properties. SQL and Python both build it."""

from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.heartbeat import Heartbeat
from transom.plan.expression import Expression
from transom.plan.nodes.disorder import Disorder, PunctuationClause, SlackPercent
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, LateOf, Project, Scan, Sort, TableJoin, TableScan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.types.schema import Column, Schema

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
