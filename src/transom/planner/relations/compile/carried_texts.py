"""What an operator carries of its input: columns by what they stand for, as Spark SQL."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from transom.column_names import EVENT_TS, STAMP, WINDOW_END
from transom.errors import NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Cut
from transom.plan.quoted import quoted
from transom.plan.relations.stamps import stamps_of
from transom.planner.relations.inputs import Carried, substituted
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.row_window import RowWindow

INSTANT = {WINDOW_END: EVENT_TS, EVENT_TS: EVENT_TS}
"""What says when a row of a relation was seen: both are the instant."""

PARTITION = "__partition"
"""How the parts begin that are the columns which partition the window of rows."""

Parts = Mapping[str, str]
"""What columns stand for, by their names in lower case."""


class KnownParts(dict[str, str]):
    """Columns of a window; what its window would stamp on, and changes from one instant to the next, is refused."""

    def __missing__(self, name: str) -> str:
        raise NotSupported(
            "a join or a set operation has one instant for all of its inputs, and none of their own",
            given=name,
            remedy="select window_end or event_ts of the result",
        )


def known(item: Expression, parts: Parts) -> Parts:
    """What the columns of an expression stand for: all of them stand for something that Spark knows."""
    for column in item.columns:
        if column.lower() not in parts:
            KnownParts()[column]
        if parts[column.lower()].startswith(STAMP) and not isinstance(item.tree, exp.Column):
            raise NotSupported(
                "what a window stamps on is not computed with below a join or a set operation",
                given=item.text,
                remedy="select the bare column, and compute with it above",
            )
    return parts


def standing_for(item: Expression, parts: Parts) -> str:
    """An expression over what columns stand for; one that is a stamp stays that."""
    found = known(item, parts)
    if isinstance(item.tree, exp.Column) and found[item.tree.name.lower()].startswith(STAMP):
        return found[item.tree.name.lower()]
    return substituted(item, found)


def rows_of(names: list[str], parts: Parts) -> Carried:
    """Rows that are equal if all of their columns are."""
    columns = tuple((name, parts[name.lower()]) for name in names)
    return Carried(keys=columns, columns=columns)


def typed(own: Mapping[str, str], types: Mapping[str, tuple[str, str]], parts: Parts) -> Carried:
    """Columns by their place, in the type that both sides have in common."""
    columns = []
    for name, there in own.items():
        text, (given, wanted) = parts[there.lower()], types[name]
        same = given == wanted or "UNKNOWN" in (given, wanted) or text.startswith(STAMP)
        columns.append((name, text if same else f"CAST({text} AS {wanted})"))
    return Carried(keys=tuple(columns), columns=tuple(columns))


def with_instant(items: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A select list with window_end and event_ts, which are the instant, where they are not named."""
    named = {name.lower() for name, _ in items}
    return [*items, *((name, EVENT_TS) for name in (WINDOW_END, EVENT_TS) if name not in named)]


def instant_of(item: Expression) -> str:
    return substituted(item, {WINDOW_END: EVENT_TS})


def everything(node: Node) -> Project:
    return Project(node, tuple((name, Expression.of(exp.column(name, quoted=True))) for name in node.schema.names))


def by_name(names: list[str]) -> dict[str, str]:
    return {name.lower(): quoted(name) for name in names}


def check_stamps(node: Node, what: str) -> None:
    """Refuse what cannot be stamped on rows that are compared from one instant to the next: all but the instant."""
    counted = any(isinstance(one, Cut) and isinstance(base_of(one.window), RowWindow) for one in node.chain())
    known = (EVENT_TS,) if counted else tuple(INSTANT)
    unknown = [name for name, stamp in stamps_of(node).items() if stamp not in known]
    if unknown:
        raise NotSupported(
            f"{what} are stamped with the instant alone",
            given=", ".join(unknown),
            exists=known,
            remedy="select event_ts, and compute the rest of it",
        )
