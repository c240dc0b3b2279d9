"""What names mean in a body: columns of the tables in FROM, arguments, and what the system keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from transom.errors import BadAggregate, ReadOnlyTable, Span, TypeMismatch, UnknownColumn, UnknownTable, nearest
from transom.uda.bind.kinds import kind_of
from transom.uda.definition import INWINDOW, OTHER, RETURN, Columns, Statement, Version
from transom.uda.ir import AggregateCall, Arg, Expr, Field, Source, TableRef


@dataclass
class BodyScope:
    """The sources of a query by their alias, and the query around it."""

    sources: list[tuple[str, Source]] = field(default_factory=list)
    outer: BodyScope | None = None
    aggregates: list[AggregateCall] | None = None
    group: tuple[Expr, ...] | None = None


class Names:
    """The tables, arguments and aggregates that a version can name, while one of its statements is bound."""

    def __init__(self, version: Version, uses: Mapping[str, Version], reads: Mapping[str, Columns]) -> None:
        self.version, self.uses, self.reads = version, uses, reads
        self.used: list[str] = []
        self.tables = [_ref("local", n, table.name, table.columns, table.span) for n, table in enumerate(version.own_tables)]
        self.inwindow = _ref(INWINDOW, 0, INWINDOW, version.inwindow.columns, version.inwindow.span)
        self.arguments = [kind(name, sql_type, version.span) for name, sql_type in version.arguments]
        self.returns = _ref(RETURN, 0, "RETURN", version.returns, version.span)
        self.clause = ""
        self.statement: Statement | None = None
        self._sources = 0

    def span(self, tree: exp.Expr) -> Span | None:
        """Where a part of the statement stands in the text; the statement itself if that is not known."""
        statement = self.statement
        if statement is None or statement.span is None:
            return None
        places = [node.meta for node in tree.walk() if "start" in node.meta]
        if not places:
            return statement.span
        text = statement.span.text
        return Span(text, min(place["start"] for place in places), max(place["end"] for place in places) + 1)

    def source(self, table: TableRef) -> Source:
        """A table as a source of its own."""
        self._sources += 1
        return Source(self._sources, table)

    def table(self, tree: exp.Expr) -> TableRef:
        """The table that a name in FROM means."""
        name, holder = str(tree.name).lower(), str(tree.args.get("db") or "").lower()
        if holder == OTHER and self.clause == "COMBINE":
            for table in self.tables:
                if table.name.lower() == name:
                    return TableRef(OTHER, table.index, f"other.{table.name}", table.columns, table.kinds)
        if name == INWINDOW and self.version.is_window and not holder:
            return self.inwindow
        for table in self.tables:
            if table.name.lower() == name and not holder:
                return table
        for n, (known, columns) in enumerate(self.reads.items()):
            if known.lower() == name and not holder:
                return _ref("static", n, known, columns, None)
        exists = [table.name for table in self.tables] + [INWINDOW] * self.version.is_window + list(self.reads)
        raise UnknownTable(
            f"the aggregate has no table {tree.name!r}",
            given=tree.name,
            exists=exists,
            remedy=f"declare it: TABLE {tree.name}(...)" if not exists else nearest(str(tree.name), exists),
            span=self.span(tree),
        )

    def target(self, tree: exp.Expr, *, deletes: bool = False) -> TableRef:
        """A table that a statement changes."""
        table = self.table(tree)
        if table.where == "local" or (deletes and table.where == INWINDOW):
            return table
        what = (
            "tuples may be deleted from inwindow; the system inserts them" if table.where == INWINDOW else "it is only read here"
        )
        raise ReadOnlyTable(
            f"the body does not write to {table.name}",
            given=tree.sql("spark"),
            exists=[own.name for own in self.tables],
            remedy=what,
            span=self.span(tree),
        )

    def column(self, tree: exp.Column, scope: BodyScope | None) -> Expr:
        """The value that a name stands for: the innermost column of that name, or else an argument."""
        name, holder = tree.name.lower(), tree.table.lower()
        if holder == OTHER and self.clause == "COMBINE":
            return self._of_other(tree)
        level = scope
        while level is not None:
            found = [
                Field(source.table.kinds[at], source, at)
                for alias, source in level.sources
                if holder in ("", alias)
                for at, column in enumerate(source.table.columns)
                if column.lower() == name
            ]
            if len(found) > 1:
                raise BadAggregate(
                    f"two tables have a column {tree.name!r}", given=tree.name, remedy="write which one", span=self.span(tree)
                )
            if found:
                return found[0]
            level = level.outer
        if holder in ("", self.version.name.lower()) and self.clause != "COMBINE" and self.clause != "TERMINATE":
            for at, (argument, _) in enumerate(self.version.arguments):
                if argument.lower() == name:
                    return Arg(self.arguments[at], at)
        raise self._unknown(tree, scope)

    def _of_other(self, tree: exp.Column) -> Expr:
        found = [
            (table, at) for table in self.tables for at, column in enumerate(table.columns) if column.lower() == tree.name.lower()
        ]
        if len(found) != 1:
            raise UnknownColumn(
                f"{'no' if not found else 'more than one'} table has a column {tree.name!r}",
                given=f"other.{tree.name}",
                exists=[column for table in self.tables for column in table.columns],
                remedy="write FROM other.<table> to choose one",
                span=self.span(tree),
            )
        table, at = found[0]
        other = TableRef(OTHER, table.index, f"other.{table.name}", table.columns, table.kinds)
        return Field(table.kinds[at], Source(-1 - table.index, other), at)

    def _unknown(self, tree: exp.Column, scope: BodyScope | None) -> UnknownColumn:
        name = tree.name
        here = [column for _, source in (scope.sources if scope else []) for column in source.table.columns]
        usable = self.clause not in ("TERMINATE", "COMBINE")
        exists = [*here, *(argument for argument, _ in self.version.arguments if usable)]
        remedy = nearest(name, exists)
        elsewhere = [table.name for table in self.tables if name.lower() in (column.lower() for column in table.columns)]
        if elsewhere:
            remedy = f"it is a column of {elsewhere[0]}: write FROM {elsewhere[0]}"
        elif not usable and name.lower() in (argument.lower() for argument, _ in self.version.arguments):
            remedy = f"there is no tuple in {self.clause}: keep what it needs in a table"
        return UnknownColumn(
            f"there is no {name!r} here", given=tree.sql("spark"), exists=exists, remedy=remedy, span=self.span(tree)
        )


def kind(name: str, sql_type: str, span: Span | None) -> str:
    """The kind of a declared column."""
    found = kind_of(sql_type)
    if found is None:
        raise TypeMismatch(
            f"bodies do not compute with values of type {sql_type}",
            given=f"{name} {sql_type}".strip(),
            exists=["numbers", "STRING", "BOOLEAN", "TIMESTAMP", "DATE"],
            remedy="take a column of such a type",
            span=span,
        )
    return found


def _ref(where: str, index: int, name: str, columns: Columns, span: Span | None) -> TableRef:
    names = tuple(column for column, _ in columns)
    return TableRef(where, index, name, names, tuple(kind(column, sql_type, span) for column, sql_type in columns))
