"""The bodies of users' aggregates, interpreted: statement by statement, over lists of dicts, as the SQL says.

Slow and obvious. Compiled bodies are tested against this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cmp_to_key, partial
from typing import Any

from sqlglot import exp

from transom.errors import NotSupported
from transom.scalar.evaluation import Scope, value_of
from transom.scalar.exact_aggregates import AGGREGATES
from transom.scalar.sql_values import order_key
from transom.semantics.keys import key
from transom.semantics.time import parse_duration
from transom.uda.analyse.ranges import fits, too_large
from transom.uda.bind.kinds import kind_of
from transom.uda.definition import INWINDOW, UserAggregate, Version

Row = dict[str, Any]


@dataclass
class Entry:
    """A tuple in the window."""

    row: Row
    place: Any = None
    tuple: Any = None


@dataclass
class Body:
    """A running version: its tables, its window, and what it has returned."""

    version: Version
    aggregate: UserAggregate
    static: Mapping[str, list[Row]] = field(default_factory=dict)
    tables: dict[str, list[Row]] = field(default_factory=dict)
    window: list[Entry] = field(default_factory=list)
    returned: list[Any] = field(default_factory=list)
    started: bool = False
    values: Row = field(default_factory=dict)
    other: Body | None = None

    def __post_init__(self) -> None:
        self.tables = {table.name.lower(): [] for table in self.version.own_tables}

    # -- clauses ---------------------------------------------------------------------------------------------

    def arrive(self, values: Sequence[Any], place: Any = None, tuple_: Any = None) -> list[Any]:
        """A tuple comes: what is returned for it."""
        self.values = {name.lower(): value for (name, _), value in zip(self.version.arguments, values, strict=True)}
        if self.version.is_window:
            names = [name.lower() for name, _ in self.version.inwindow.columns]
            self.window.append(Entry(dict(zip(names, values, strict=True)), place, tuple_))
        clause, self.started = "ITERATE" if self.started else "INITIALIZE", True
        return self.execute(clause)

    def expire(self) -> list[Any]:
        """The oldest tuple leaves."""
        oldest = self.window[0]
        rows = self.execute("EXPIRE")
        self.window = [entry for entry in self.window if entry is not oldest]
        return rows

    def starts_with(self, number: int) -> bool:
        """Whether the oldest tuple of the window is that of this number."""
        return bool(self.window) and self.window[0].tuple == number

    def end(self) -> list[Any]:
        """The input is over: there is no tuple any more."""
        self.values = {}
        return self.execute("TERMINATE")

    def execute(self, clause: str, other: Body | None = None) -> list[Any]:
        self.returned = []
        for statement in self.version.clause(clause):
            self._statement(statement.tree, other)
        return self.returned

    # -- statements ------------------------------------------------------------------------------------------

    def _statement(self, tree: exp.Expr, other: Body | None) -> None:
        self.other = other
        if isinstance(tree, exp.Insert):
            self._insert(tree)
        elif isinstance(tree, exp.Update):
            rows = self._rows(tree.this)
            changes = []
            for row in rows:
                scope = self._scope([(_alias(tree.this), row)], {})
                if self._holds(tree.args.get("where"), scope):
                    changes.append(
                        (row, {item.this.name.lower(): self._value(item.expression, scope) for item in tree.expressions})
                    )
            for row, new in changes:
                row.update({name: self._fitted(tree.this.name, name, value) for name, value in new.items()})
        elif isinstance(tree, exp.Delete):
            gone = [
                row
                for row in self._rows(tree.this)
                if self._holds(tree.args.get("where"), self._scope([(_alias(tree.this), row)], {}))
            ]
            if tree.this.name.lower() == INWINDOW:
                self.window = [entry for entry in self.window if not any(entry.row is row for row in gone)]
            else:
                name = tree.this.name.lower()
                self.tables[name] = [row for row in self.tables[name] if not any(row is one for one in gone)]

    def _insert(self, tree: exp.Insert) -> None:
        into, names = tree.this, None
        if isinstance(into, exp.Schema):
            into, names = into.this, [column.name.lower() for column in into.expressions]
        inner = tree.expression
        if isinstance(inner, exp.Values):
            scope = self._scope([], {})
            rows = [[self._value(part, scope) for part in _parts(row)] for row in inner.expressions]
        else:
            rows = self._query(inner.this if isinstance(inner, exp.Subquery) else inner, {})
        target = into.name.lower()
        if target == "return":
            types = [sql_type for _, sql_type in self.version.returns]
            made = [tuple(_of_type(value, sql_type) for value, sql_type in zip(row, types, strict=True)) for row in rows]
            self.returned += [row[0] if len(row) == 1 else row for row in made]
            return
        table = next(table for table in self.version.tables if table.name.lower() == target)
        columns = [name.lower() for name, _ in table.columns]
        for values in rows:
            row: Row = dict.fromkeys(columns)
            row.update(zip(names or columns, values, strict=True))
            self.tables[target].append({name: self._fitted(target, name, value) for name, value in row.items()})

    def _fitted(self, table: str, column: str, value: Any) -> Any:
        declared = next(one for one in self.version.tables if one.name.lower() == table.lower())
        kinds = {name.lower(): kind for name, kind in declared.columns}
        return _as_kind(value, kind_of(kinds[column]))

    # -- queries ---------------------------------------------------------------------------------------------

    def _rows(self, tree: exp.Expr) -> list[Row]:
        name, holder = tree.name.lower(), str(tree.args.get("db") or "").lower()
        if holder == "other":
            assert self.other is not None
            return self.other.tables[name]
        if name == INWINDOW and self.version.is_window:
            return [entry.row for entry in self.window]
        if name not in self.tables and name not in self.static:
            raise NotSupported(
                "the reference has no ordinary tables",
                given=name,
                remedy="ask it on Spark, or use a table of the body",
            )
        return self.tables[name] if name in self.tables else self.static[name]

    def _query(self, tree: exp.Expr, outer: Row) -> list[list[Any]]:
        source = tree.args.get("from_")
        joins = [(join.this, join.args.get("on")) for join in tree.args.get("joins") or ()]
        tables = ([] if source is None else [source.this]) + [table for table, _ in joins]
        combinations: list[list[tuple[str, Row]]] = [[]]
        for table in tables:
            combinations = [[*some, (_alias(table), row)] for some in combinations for row in self._rows(table)]
        scopes = [self._scope(rows, outer) for rows in combinations]
        conditions = [tree.args.get("where"), *(on for _, on in joins)]
        scopes = [scope for scope in scopes if all(self._holds(condition, scope) for condition in conditions)]
        items = [item.unalias() for item in tree.expressions]
        rows: list[tuple[list[Any], Row, list[Row] | None]] = []
        if tree.args.get("group") or any(self._aggregates(item) for item in items):
            for members in self._groups(tree, scopes):
                fixed = members[0] if members else self._scope([], outer)
                for chosen in self._user_rows(items, members):
                    named = {**fixed, **chosen}
                    if tree.args.get("having") is None or self._value(tree.args["having"].this, named, members) is True:
                        rows.append(([self._value(item, named, members) for item in items], named, members))
        else:
            rows = [(self._selected(items, tables, scope), scope, None) for scope in scopes]
        return [row for row, _, _ in self._shaped(tree, rows)]

    def _selected(self, items: list[exp.Expr], tables: list[exp.Expr], scope: Row) -> list[Any]:
        made: list[Any] = []
        for item in items:
            if isinstance(item, exp.Star):
                made += [value for table in tables for value in scope[f"{_alias(table)}.*"].values()]
            else:
                made.append(self._value(item, scope))
        return made

    def _groups(self, tree: exp.Expr, scopes: list[Row]) -> list[list[Row]]:
        group = tree.args.get("group")
        if group is None:
            return [scopes]
        found: dict[Any, list[Row]] = {}
        for scope in scopes:
            found.setdefault(tuple(key(self._value(item, scope)) for item in group.expressions), []).append(scope)
        return list(found.values())

    def _user_rows(self, items: list[exp.Expr], members: list[Row]) -> list[Row]:
        """What users' aggregates return over the members, under the text of each call: all combinations."""
        calls = {node.sql("spark"): node for item in items for node in item.find_all(exp.Anonymous) if self._user(node)}
        chosen: list[Row] = [{}]
        for text, node in calls.items():
            tuples = [[self._value(arg, member) for arg in node.expressions] for member in members]
            user = self._user(node)
            assert user is not None
            results = run(user, tuples, self.static) if tuples else []
            chosen = [{**some, f"call {text}": result} for some in chosen for result in results]
        return chosen

    def _user(self, node: exp.Anonymous) -> UserAggregate | None:
        name = str(node.this).lower()
        known = {self.aggregate.name.lower(): self.aggregate, **{one.name.lower(): one for one in self.aggregate.uses}}
        return known.get(name)

    def _aggregates(self, tree: exp.Expr) -> bool:
        nodes = tree.walk(prune=lambda node: isinstance(node, exp.Query | exp.Subquery))
        return any(
            type(node) in AGGREGATES or (isinstance(node, exp.Anonymous) and self._user(node) is not None) for node in nodes
        )

    def _shaped(self, tree: exp.Expr, rows: list[Any]) -> list[Any]:
        if tree.args.get("distinct"):
            rows = list({tuple(key(value) for value in row[0]): row for row in reversed(rows)}.values())[::-1]
        order = tree.args.get("order")
        if order is not None:
            aliases = [item.alias.lower() for item in tree.expressions]

            def placed(row: Any, by: exp.Expr) -> Any:
                if isinstance(by, exp.Literal):
                    return row[0][int(by.this) - 1]
                if isinstance(by, exp.Column) and by.name.lower() in aliases:
                    return row[0][aliases.index(by.name.lower())]
                return self._value(by, row[1], row[2])

            for item in reversed(order.expressions):
                rows = sorted(rows, key=_sortable(partial(placed, by=item.this)), reverse=bool(item.args.get("desc")))
        limit = tree.args.get("limit")
        return rows if limit is None else rows[: int(limit.expression.this)]

    # -- values ----------------------------------------------------------------------------------------------

    def _scope(self, rows: list[tuple[str, Row]], outer: Row) -> Row:
        """What names mean: columns of the rows hide those of the query around, which hide arguments."""
        own = {f"{self.version.name.lower()}.{name}": value for name, value in self.values.items()}
        scope = {**self.values, **own, **outer}
        for alias, row in rows:
            scope |= {**row, **{f"{alias}.{name}": value for name, value in row.items()}, f"{alias}.*": row}
            newest = bool(self.window) and row is self.window[-1].row
            if any(row is entry.row for entry in self.window):
                scope["is newest"] = newest
        return scope

    def _holds(self, condition: exp.Expr | None, scope: Row) -> bool:
        inner = condition.this if isinstance(condition, exp.Where) else condition
        return inner is None or self._value(inner, scope) is True

    def _value(self, tree: exp.Expr, scope: Row, members: list[Row] | None = None) -> Any:
        given: Row = {}

        def name_of(value: Any) -> exp.Expr:
            label = f"given {len(given)}"
            given[label] = value
            return exp.column(label, quoted=True)

        def known(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.Exists):
                return name_of(bool(self._query(_select(node.this), scope)))
            if isinstance(node, exp.In) and node.args.get("query") is not None:
                options = [exp.paren(name_of(row[0])) for row in self._query(_select(node.args["query"]), scope)]
                return exp.In(this=node.this.transform(known), expressions=options) if options else exp.false()
            if isinstance(node, exp.Subquery):
                found = self._query(node.this, scope)
                return name_of(found[0][0] if found else None)
            if isinstance(node, exp.Dot):
                return name_of(self.window[0].row[node.expression.name.lower()] if self.window else None)
            if isinstance(node, exp.Anonymous):
                return self._anonymous(node, scope, name_of)
            if isinstance(node, exp.Interval):
                return name_of(timedelta(microseconds=parse_duration(f"{node.this.name} {node.args['unit'].name}").micros))
            if isinstance(node, exp.Column):
                return exp.column(self._label(node, scope, name_of), quoted=True)
            return node

        plain = tree.copy().transform(known)
        inner = None if members is None else tuple({**member, **given} for member in members)
        return value_of(plain, Scope({**scope, **given}, inner))

    def _anonymous(self, node: exp.Anonymous, scope: Row, name_of: Callable[[Any], exp.Expr]) -> exp.Expr:
        name = str(node.this).lower()
        if name == "is_newest":
            return name_of(scope["is newest"])
        if name == "oldest":
            return name_of(next(iter(self.window[0].row.values())) if self.window else None)
        return name_of(scope[f"call {node.sql('spark')}"])

    def _label(self, node: exp.Column, scope: Row, name_of: Callable[[Any], exp.Expr]) -> str:
        name, holder = node.name.lower(), node.table.lower()
        if holder == "other" and self.other is not None:
            tables = [rows for rows in self.other.tables.values() if rows and name in rows[0]]
            return str(name_of(tables[0][0][name]).name)
        return f"{holder}.{name}" if f"{holder}.{name}" in scope else name if not node.name.startswith("given ") else node.name


def _parts(row: exp.Expr) -> list[exp.Expr]:
    return list(row.expressions) if isinstance(row, exp.Tuple) else [row.this if isinstance(row, exp.Paren) else row]


def _select(tree: exp.Expr) -> exp.Expr:
    return tree.this if isinstance(tree, exp.Subquery) else tree


def _alias(table: exp.Expr) -> str:
    return str(table.alias_or_name).lower()


def _as_kind(value: Any, kind: str | None) -> Any:
    return float(value) if kind == "double" and value is not None else value


def _of_type(value: Any, sql_type: str) -> Any:
    return _as_kind(value, kind_of(sql_type)) if fits(value, sql_type) else too_large(value, sql_type)


def _sortable(place: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """NULL is the smallest."""

    def compared(a: Any, b: Any) -> int:
        x, y = place(a), place(b)
        if x is None or y is None:
            return (x is not None) - (y is not None)
        return (order_key(x) > order_key(y)) - (order_key(x) < order_key(y))

    return cmp_to_key(compared)


def run(user: UserAggregate, tuples: Sequence[Sequence[Any]], static: Mapping[str, list[Row]]) -> list[Any]:
    """All that the base version returns over these tuples."""
    assert user.base is not None
    body = Body(user.base, user, static)
    rows = [row for values in tuples for row in body.arrive(values)]
    return rows + (body.end() if tuples else [])
