"""Relational operators on the rows of one state, by their definitions in SQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cmp_to_key
from itertools import takewhile
from typing import Any

import sqlglot
from sqlglot import exp

from transom.column_names import EVENT_TS, WINDOW_END
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Extend, Filter, Project, Sort, TableJoin
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.within_instant import Limit, Ranked, Ranking
from transom.reference.relations.held import Held, key_of
from transom.reference.rows import rows_of_group
from transom.scalar.evaluation import Scope, evaluate, holds
from transom.scalar.sql_values import compare, order_key
from transom.semantics.keys import key
from transom.semantics.length import Number
from transom.semantics.states import Instant

Tables = Mapping[str, Sequence[Mapping[str, Any]]]
"""The rows of ordinary tables, by name in lower case."""


def scope(row: Held) -> Scope:
    """What names mean for a row: its columns, and what is stamped on it."""
    return Scope({**row.stamps, **row.values})


def filtered(node: Filter, rows: list[Held]) -> list[Held]:
    """Rows for which a condition is true."""
    return [row for row in rows if holds(node.condition.text, scope(row))]


def projected(node: Project | Extend, rows: list[Held]) -> list[Held]:
    """A select list; the timestamps of rows, and what they are made of, stay."""
    made = []
    for row in rows:
        values = {name: evaluate(item.text, scope(row)) for name, item in node.items}
        made.append(replace(row, values={**row.values, **values} if isinstance(node, Extend) else values))
    return made


def aggregated(node: Aggregate, rows: list[Held], instant: Instant, value: Callable[[Number], Any]) -> list[Held]:
    """A row for each group, stamped by its window; a group without rows is none. Partitions of a window are groups, too."""
    if regroups(node):
        rows = [replace(row, partition=()) for row in rows]
    groups: dict[Any, list[Held]] = {}
    for row in _in_order(rows, node.input.schema.names):
        groups.setdefault((row.partition, tuple(key(scope(row).columns[name]) for name in node.group_by)), []).append(row)
    found = []
    users = {user.name.lower(): user for _, item in node.items for user in item.aggregates}
    users |= {user.name.lower(): user for user in (node.having.aggregates if node.having is not None else ())}
    items = {name: item.text for name, item in node.items}
    for (partition, keys), members in groups.items():
        first = members[0]
        fixed = {**first.stamps, EVENT_TS: value(instant.at)}
        fixed |= {name: scope(first).columns[name] for name in node.group_by}
        fixed |= {name: one for name, one in first.values.items() if partition and _shared(name, members)}
        inside = Scope(fixed, tuple({**scope(member).columns, EVENT_TS: value(instant.at)} for member in members))
        having = None if node.having is None else node.having.text
        for n, given in enumerate(rows_of_group(items, having, users, inside)):
            stamps = {**first.stamps, EVENT_TS: value(instant.at)}
            identity = ("group", partition, keys, n, *(key(one) for one in given.values()))
            found.append(Held(given, stamps, instant.at, identity, partition))
    return found


def regroups(node: Node) -> bool:
    """Whether groups are made of rows that are groups themselves, or that were compared with each other."""
    compared = Aggregate | Distinct | Limit | Ranked
    above = takewhile(lambda one: not isinstance(one, Cut), node.chain())
    made = [isinstance(one, Aggregate) for one in above if isinstance(one, compared)]
    return True in made[:-1]


def _in_order(rows: list[Held], names: list[str]) -> list[Held]:
    """Rows as aggregates see them: by the tuples that they are made of, others by their columns."""

    def by_columns(one: Held, other: Held) -> int:
        return _compare([], names, one, other)

    return sorted(sorted(rows, key=cmp_to_key(by_columns)), key=lambda row: row.order)


def _shared(name: str, members: list[Held]) -> bool:
    return all(key(member.values[name]) == key(members[0].values[name]) for member in members)


def distinct(node: Distinct, rows: list[Held]) -> list[Held]:
    """Of equal rows the most recent, or the earliest, whatever partitions they are in. Its timestamp is that of the row that is
    kept."""
    kept: dict[Any, Held] = {}
    names = node.schema.names
    for row in rows:
        other = kept.setdefault(key_of(row.values, names), row)
        newer = _age(row) > _age(other)
        if other is not row and newer is not node.keep_first and _age(row) != _age(other):
            kept[key_of(row.values, names)] = row
    return [replace(row, order=(), partition=()) for row in kept.values()]


def _age(row: Held) -> tuple[Any, ...]:
    return (row.ts is not None, row.ts if row.ts is not None else 0, row.identity)


def sorted_rows(node: Sort, rows: list[Held]) -> list[Held]:
    """Rows in an order; those that it leaves equal are in the order of the selected columns."""
    names = node.schema.names

    def order(one: Held, other: Held) -> int:
        return _compare(node.by, names, one, other)

    return sorted(rows, key=cmp_to_key(order))


def limited(node: Limit, rows: list[Held]) -> list[Held]:
    """The first rows."""
    return [replace(row, order=(), partition=()) for row in rows[: node.count]]


def ranked(node: Ranked, rows: list[Held]) -> list[Held]:
    """Rows with their numbers and ranks."""
    ranks = [_ranks(ranking, node.input.schema.names, rows) for ranking in node.rankings]
    texts = [ranking.text for ranking in node.rankings]
    return [
        replace(
            row, values={**row.values, **{text: each[n] for text, each in zip(texts, ranks, strict=True)}}, order=(), partition=()
        )
        for n, row in enumerate(rows)
    ]


def _ranks(ranking: Ranking, names: list[str], rows: list[Held]) -> list[int]:
    found = []
    for row in rows:
        peers = [other for other in rows if _partition(ranking, other) == _partition(ranking, row)]
        before = [other for other in peers if _compare(ranking.order_by, [], other, row) < 0]
        if ranking.function == "rank":
            found.append(1 + len(before))
        elif ranking.function == "dense_rank":
            found.append(1 + len({_order_values(ranking.order_by, other) for other in before}))
        else:
            earlier = [other for other in peers if _compare(ranking.order_by, names, other, row) < 0]
            same = [other for other in peers if _compare(ranking.order_by, names, other, row) == 0]
            found.append(1 + len(earlier) + [other.identity for other in same].index(row.identity))
    return found


def _partition(ranking: Ranking, row: Held) -> tuple[Any, ...]:
    known = {name.lower(): value for name, value in scope(row).columns.items()}
    return tuple(key(known[name.lower()]) for name in ranking.partition_by)


def _order_values(by: Sequence[Expression], row: Held) -> tuple[Any, ...]:
    return tuple(key(evaluate(_plain(item)[0], scope(row))) for item in by)


def _plain(item: Expression) -> tuple[str, bool, bool]:
    """An item of ORDER BY: what is compared, whether downwards, and whether NULLs come first."""
    tree = sqlglot.parse_one(item.text, into=exp.Ordered, read="spark")
    assert isinstance(tree, exp.Ordered)
    down = bool(tree.args.get("desc"))
    first = tree.args.get("nulls_first")
    return tree.this.sql("spark"), down, (not down) if first is None else bool(first)


def _compare(by: Sequence[Expression], names: list[str], one: Held, other: Held) -> int:
    for item in by:
        text, down, nulls_first = _plain(item)
        found = _compare_values(evaluate(text, scope(one)), evaluate(text, scope(other)), nulls_first=nulls_first, down=down)
        if found:
            return found
    for name in names:
        found = _compare_values(one.values[name], other.values[name], nulls_first=True, down=False)
        if found:
            return found
    return 0


def _compare_values(a: Any, b: Any, *, nulls_first: bool, down: bool) -> int:
    if a is None or b is None:
        return 0 if a is b else (-1 if (a is None) == nulls_first else 1)
    if compare(a, b, lambda x, y: bool(x < y)):
        return 1 if down else -1
    return 0 if order_key(a) == order_key(b) else (-1 if down else 1)


def set_operation(
    node: SetOperation, left: list[Held], right: list[Held], instant: Instant, value: Callable[[Number], Any]
) -> list[Held]:
    """k1 + k2, min(k1, k2) or max(0, k1 - k2) of equal rows; without ALL, one of those that are left."""
    names = node.schema.names
    sides = [[_renamed(side, names, row) for row in rows] for side, rows in zip(node.inputs, (left, right), strict=True)]
    one, other = (Counter(key_of(row, names) for row in rows) for rows in sides)
    if not node.every and node.operation != "UNION":
        one, other = Counter(dict.fromkeys(one, 1)), Counter(dict.fromkeys(other, 1))
    kept = {"UNION": one + other, "INTERSECT": one & other, "EXCEPT": one - other}[node.operation]
    if not node.every:
        kept = Counter(dict.fromkeys(kept, 1))
    shown = {key_of(row, names): row for rows in reversed(sides) for row in reversed(rows)}
    at = value(instant.at)
    stamps = {WINDOW_END: at, EVENT_TS: at}
    order = dict.fromkeys(key_of(row, names) for rows in sides for row in rows)
    return [Held(shown[each], stamps, instant.at, ("row", each, n)) for each in order for n in range(kept[each])]


def _renamed(side: Any, names: list[str], row: Held) -> dict[str, Any]:
    return {name: row.values[own] for name, own in zip(names, side.schema.names, strict=True)}


def with_table(node: TableJoin, rows: list[Held], tables: Tables) -> list[Held]:
    """Rows with those of an ordinary table."""
    found = []
    shared = {name.lower() for name in node.using}
    for row in rows:
        matches = []
        for n, other in enumerate(tables[node.table.lower()]):
            known = {name.lower(): value for name, value in scope(row).columns.items()}
            if node.using:
                same = [compare(known[name], _of(other, name), lambda a, b: bool(a == b)) for name in shared]
                agrees = all(one is True for one in same)
            else:
                agrees = holds(node.condition.text, Scope({**scope(row).columns, **other}))
            if agrees:
                added = {name: value for name, value in other.items() if name.lower() not in shared}
                matches.append(replace(row, values={**row.values, **added}, identity=(*row.identity, n)))
        if node.only_filters:
            found += [row] if bool(matches) == (node.kind == "SEMI") else []
            continue
        if not matches and node.kind == "LEFT":
            nulls = {column.name: None for column in node.columns if column.name.lower() not in shared}
            matches.append(replace(row, values={**row.values, **nulls}))
        found += matches
    return found


def _of(row: Mapping[str, Any], name: str) -> Any:
    return next(value for known, value in row.items() if known.lower() == name.lower())
