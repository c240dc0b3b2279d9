"""From a version as it was written to a bound one; what is wrong is shown where it stands in the body."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from transom.errors import BadAggregate, NotSupported, Span, TransomError, TypeMismatch, UnknownColumn, nearest
from transom.uda.analyse.ranges import fits
from transom.uda.bind.body_scope import BodyScope, Names
from transom.uda.bind.calls import BUILT_IN
from transom.uda.bind.expressions import ExpressionBinder
from transom.uda.bind.kinds import NAMES
from transom.uda.definition import INWINDOW, RETURN, Columns, Statement, Version
from transom.uda.ir import BoundStatement, BoundVersion, Const, Delete, Expr, Field, InsertRows, SelectQuery, TableRef, Update

SELECT_PARTS = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "distinct"}


def bind_version(version: Version, uses: Mapping[str, Version], reads: Mapping[str, Columns]) -> BoundVersion:
    """Bind all statements of a version. `uses` are the base versions that it may call, by name in lower case."""
    check_parts(version)
    names = Names(version, uses, reads)
    clauses: dict[str, tuple[BoundStatement, ...]] = {}
    for clause, statements in version.clauses:
        names.clause = clause
        clauses[clause] = tuple(_Statement(names, statement).bind() for statement in statements)
    names.clause = ""
    return BoundVersion(
        version.name,
        version.is_window,
        tuple(names.arguments),
        tuple(name for name, _ in version.arguments),
        tuple(sql_type for _, sql_type in version.returns),
        tuple(names.tables),
        names.inwindow,
        clauses,
        tuple(names.used),
    )


def check_parts(version: Version) -> None:
    """Refuse a version whose parts do not go together."""
    present = {name for name, _ in version.clauses}
    if "INITIALIZE" not in present or "ITERATE" not in present:
        missing = next(name for name in ("INITIALIZE", "ITERATE") if name not in present)
        raise BadAggregate(
            f"{version.name} has no {missing}", given=version.name, remedy=f"add {missing}: {{ ... }}", span=version.span
        )
    if not version.is_window and "EXPIRE" in present:
        raise BadAggregate(
            "only a WINDOW AGGREGATE has EXPIRE",
            given="EXPIRE",
            remedy="write CREATE WINDOW AGGREGATE",
            span=_where(version, "EXPIRE"),
        )
    if version.is_window and "COMBINE" in present:
        raise BadAggregate(
            "COMBINE belongs to the base version", given="COMBINE", remedy="move it there", span=_where(version, "COMBINE")
        )
    if version.is_window and "TERMINATE" in present:
        raise BadAggregate(
            "a WINDOW AGGREGATE has no end at which TERMINATE would run",
            given="TERMINATE",
            remedy="return rows in INITIALIZE, ITERATE and EXPIRE",
            span=_where(version, "TERMINATE"),
        )
    if "COMBINE" in present and not version.is_blocking:
        raise BadAggregate(
            "what is combined gives its result in TERMINATE",
            given="COMBINE",
            remedy="add TERMINATE",
            span=_where(version, "COMBINE"),
        )
    _check_tables(version)


def _check_tables(version: Version) -> None:
    names = [table.name.lower() for table in version.tables]
    for table in version.tables:
        given = [column.lower() for column, _ in table.columns]
        if names.count(table.name.lower()) > 1 or table.name.lower() in (RETURN, "other"):
            raise BadAggregate("a table needs a name of its own", given=table.name, remedy="choose another name", span=table.span)
        if len(set(given)) < len(given):
            raise BadAggregate("two columns have the same name", given=", ".join(given), remedy="rename one", span=table.span)
    if INWINDOW not in names:
        return
    inwindow = version.inwindow
    if not version.is_window:
        raise BadAggregate(
            "only a WINDOW AGGREGATE has inwindow", given=INWINDOW, remedy="write CREATE WINDOW AGGREGATE", span=inwindow.span
        )
    mine, given_types = [kind for _, kind in version.arguments], [kind for _, kind in inwindow.columns]
    if mine != given_types:
        raise TypeMismatch(
            "the columns of inwindow have the types of the arguments",
            given=", ".join(given_types),
            exists=mine,
            remedy="declare one column for each argument, with its type",
            span=inwindow.span,
        )


def _where(version: Version, clause: str) -> Span | None:
    statements = version.clause(clause)
    return statements[0].span if statements else version.span


class _Statement:
    """Binds one statement."""

    def __init__(self, names: Names, statement: Statement) -> None:
        self.names, self.statement = names, statement
        names.statement = statement
        self.values = ExpressionBinder(names, self.query)

    def bind(self) -> BoundStatement:
        tree, about = self.statement.tree, (self.names.clause, self.statement.text, self.statement.span)
        try:
            if isinstance(tree, exp.Insert):
                return InsertRows(*about, *self._insert(tree))
            if isinstance(tree, exp.Update):
                return self._update(tree, about)
            if isinstance(tree, exp.Delete):
                source = self.names.source(self.names.target(tree.this, deletes=True))
                scope = BodyScope([(_alias(tree.this), source)])
                return Delete(*about, source, self._where(tree, scope))
        except TransomError as error:
            error.span = error.span or self.statement.span
            raise
        raise NotSupported(
            "a body has INSERT, UPDATE and DELETE",
            given=self.statement.text[:80],
            remedy="write INSERT INTO RETURN SELECT ... to return rows",
            span=self.statement.span,
        )

    # -- statements ------------------------------------------------------------------------------------------

    def _insert(self, tree: exp.Insert) -> tuple[TableRef, tuple[SelectQuery, ...]]:
        into, columns = tree.this, None
        if isinstance(into, exp.Schema):
            into, columns = into.this, [str(column.name) for column in into.expressions]
        target = self.names.returns if str(into.name).lower() == RETURN else self.names.target(into)
        places = self._places(target, columns, tree)
        inner = tree.expression
        if isinstance(inner, exp.Values):
            made = [SelectQuery(tuple(self._row(row))) for row in inner.expressions]
        elif isinstance(inner, exp.Subquery | exp.Select):
            made = [self.query(inner.this if isinstance(inner, exp.Subquery) else inner, None)]
        else:
            raise NotSupported("INSERT takes VALUES or a SELECT", given=self.statement.text[:80], remedy="write one of them")
        return target, tuple(self._placed(query, places, target, inner) for query in made)

    def _row(self, row: exp.Expr) -> list[Expr]:
        parts = row.expressions if isinstance(row, exp.Tuple) else [row.this if isinstance(row, exp.Paren) else row]
        return [self.values.bind(part, None) for part in parts]

    def _places(self, target: TableRef, columns: list[str] | None, tree: exp.Expr) -> list[int]:
        if columns is None:
            return list(range(len(target.columns)))
        return [self._at(target, column, tree) for column in columns]

    def _at(self, target: TableRef, column: str, tree: exp.Expr) -> int:
        for at, known in enumerate(target.columns):
            if known.lower() == column.lower():
                return at
        raise UnknownColumn(
            f"{target.name} has no column {column!r}",
            given=column,
            exists=target.columns,
            remedy=nearest(column, target.columns),
            span=self.names.span(tree),
        )

    def _check_range(self, value: Expr, sql_type: str, tree: exp.Expr) -> None:
        if isinstance(value, Const) and not fits(value.value, sql_type):
            raise TypeMismatch(
                f"{value.value} does not fit into {sql_type}",
                given=tree.sql("spark")[:80],
                remedy="return a wider type",
                span=self.names.span(tree),
            )

    def _placed(self, query: SelectQuery, places: list[int], target: TableRef, tree: exp.Expr) -> SelectQuery:
        """The query with a value for each column of the target, of its kind."""
        if len(query.outputs) != len(places):
            raise TypeMismatch(
                f"{target.name} takes {len(places)} values",
                given=f"{len(query.outputs)} values: {tree.sql('spark')[:80]}",
                exists=[f"{name} {NAMES[kind]}".strip() for name, kind in zip(target.columns, target.kinds, strict=True)],
                remedy="give one for each column",
                span=self.names.span(tree),
            )
        outputs: list[Expr] = [Const("null", None)] * len(target.columns)
        for at, value in zip(places, query.outputs, strict=True):
            what = f"column {target.columns[at]!r} of {target.name}" if target.columns[at] else "what it returns"
            outputs[at] = self.values.fitted(value, target.kinds[at], tree, what)
            if target is self.names.returns:
                self._check_range(outputs[at], self.names.version.returns[at][1], tree)
        return SelectQuery(
            tuple(outputs),
            query.sources,
            query.where,
            query.group,
            query.aggregates,
            query.having,
            query.order,
            query.limit,
            query.distinct,
        )

    def _update(self, tree: exp.Update, about: tuple[str, str, Span | None]) -> Update:
        target = self.names.target(tree.this)
        source = self.names.source(target)
        scope = BodyScope([(_alias(tree.this), source)])
        assignments = []
        for item in tree.expressions:
            if not isinstance(item, exp.EQ) or not isinstance(item.this, exp.Column):
                raise BadAggregate("SET gives columns values", given=item.sql("spark"), remedy="write SET column = value")
            at = self._at(target, item.this.name, item.this)
            value = self.values.bind(item.expression, scope)
            fitted = self.values.fitted(
                value, target.kinds[at], item.expression, f"column {target.columns[at]!r} of {target.name}"
            )
            assignments.append((at, fitted))
        return Update(*about, source, tuple(assignments), self._where(tree, scope))

    def _where(self, tree: exp.Expr, scope: BodyScope) -> tuple[Expr, ...]:
        where = tree.args.get("where")
        return () if where is None else self._conjuncts(where.this, scope)

    def _conjuncts(self, tree: exp.Expr, scope: BodyScope) -> tuple[Expr, ...]:
        while isinstance(tree, exp.Paren):
            tree = tree.this
        if isinstance(tree, exp.And):
            return (*self._conjuncts(tree.this, scope), *self._conjuncts(tree.expression, scope))
        return (self.values.condition(tree, scope),)

    # -- queries ---------------------------------------------------------------------------------------------

    def query(self, tree: exp.Expr, outer: BodyScope | None) -> SelectQuery:
        """A SELECT."""
        if not isinstance(tree, exp.Select):
            raise NotSupported(
                "a query of a body is one SELECT",
                given=tree.sql("spark")[:80],
                remedy="use several statements",
                span=self.names.span(tree),
            )
        for part, value in tree.args.items():
            if value and part not in SELECT_PARTS:
                raise NotSupported(
                    f"{part.strip('_').upper()} is not supported in a body", given=tree.sql("spark")[:80], remedy="leave it out"
                )
        scope = BodyScope(outer=outer)
        where: list[Expr] = []
        for table, join in self._relations(tree):
            scope.sources.append((_alias(table), self.names.source(self.names.table(table))))
            if join is not None and join.args.get("on") is not None:
                where += self._conjuncts(join.args["on"], scope)
        where += self._where(tree, scope)
        return self._selected(tree, scope, tuple(where))

    def _relations(self, tree: exp.Select) -> list[tuple[exp.Expr, exp.Join | None]]:
        source = tree.args.get("from_")
        found: list[tuple[exp.Expr, exp.Join | None]] = [] if source is None else [(source.this, None)]
        for join in tree.args.get("joins") or ():
            if join.side or join.args.get("using") or str(join.kind).upper() not in ("", "INNER", "CROSS"):
                raise NotSupported(
                    "a body has inner joins", given=join.sql("spark"), remedy="use EXISTS, or a CASE", span=self.names.span(join)
                )
            found.append((join.this, join))
        for table, _ in found:
            if not isinstance(table, exp.Table):
                raise NotSupported(
                    "FROM names tables in a body",
                    given=table.sql("spark")[:80],
                    remedy="use a table of its own",
                    span=self.names.span(table),
                )
        return found

    def _selected(self, tree: exp.Select, scope: BodyScope, where: tuple[Expr, ...]) -> SelectQuery:
        group = tree.args.get("group")
        keys = None if group is None else tuple(self.values.bind(item, scope) for item in group.expressions)
        having, order = tree.args.get("having"), tree.args.get("order")
        parts = [*tree.expressions, *([having] if having is not None else []), *([order] if order is not None else [])]
        grouped = keys is not None or any(self._aggregates(part) for part in parts)
        if grouped:
            scope.aggregates, scope.group = [], keys or ()
        outputs: list[Expr] = []
        aliases: dict[str, Expr] = {}
        for item in tree.expressions:
            inner = item.unalias()
            made = self._starred(scope) if isinstance(inner, exp.Star) else [self.values.bind(inner, scope)]
            if item.alias:
                aliases[item.alias.lower()] = made[0]
            outputs += made
        condition = None if having is None else self.values.condition(having.this, scope)
        by = tuple(self._order(item, outputs, aliases, scope) for item in (order.expressions if order is not None else ()))
        return SelectQuery(
            tuple(outputs),
            tuple(source for _, source in scope.sources),
            where,
            keys,
            tuple(scope.aggregates or ()),
            condition,
            by,
            self._limit(tree),
            bool(tree.args.get("distinct")),
        )

    def _aggregates(self, tree: exp.Expr) -> bool:
        """Whether an expression has an aggregate of its own query."""
        for node in tree.walk(prune=lambda node: isinstance(node, exp.Query | exp.Subquery)):
            if isinstance(node, tuple(BUILT_IN)) or (
                isinstance(node, exp.Anonymous) and str(node.this).lower() in self.names.uses
            ):
                return True
        return False

    def _starred(self, scope: BodyScope) -> list[Expr]:
        return [Field(kind, source, at) for _, source in scope.sources for at, kind in enumerate(source.table.kinds)]

    def _order(self, item: exp.Expr, outputs: list[Expr], aliases: dict[str, Expr], scope: BodyScope) -> tuple[Expr, bool]:
        by = item.this
        if isinstance(by, exp.Literal) and by.this.isdigit() and 1 <= int(by.this) <= len(outputs):
            return outputs[int(by.this) - 1], bool(item.args.get("desc"))
        if isinstance(by, exp.Column) and not by.table and by.name.lower() in aliases:
            return aliases[by.name.lower()], bool(item.args.get("desc"))
        return self.values.bind(by, scope), bool(item.args.get("desc"))

    def _limit(self, tree: exp.Select) -> int | None:
        limit = tree.args.get("limit")
        if limit is None:
            return None
        if not isinstance(limit.expression, exp.Literal) or not limit.expression.this.isdigit():
            raise NotSupported(
                "LIMIT takes a number", given=limit.sql("spark"), remedy="write the number", span=self.names.span(tree)
            )
        return int(limit.expression.this)


def _alias(table: exp.Expr) -> str:
    return str(table.alias_or_name).lower()
