"""Statements as code: variables are assigned, rows are found by index where there is one, results are handed over."""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Sequence

from transom.uda import code
from transom.uda.definition import INWINDOW
from transom.uda.ir import Arg, BoundStatement, Const, Delete, Expr, Insert, Oldest, Op, Query, Update, everything, walk
from transom.uda.write_queries import Queries, reads_table

FIRST_LINE = 10
"""The line of the first statement of a version in the code; the lines tell statements apart when one fails."""


class Statements(Queries):
    """Writes the statements of a version. `returns` says what becomes of results; None leaves them out."""

    returns: str | None = "emit"
    flag: str | None = None
    tagged: tuple[ast.expr, ast.expr] | None = None
    queues: Sequence[str] = ("w",)
    done_already: BoundStatement | None = None

    def statements(self, clause: str) -> None:
        """All statements of a clause."""
        every = list(self.version.statements())
        self._shared(clause)
        self.found_rows = {}
        for statement in self.version.clauses.get(clause, ()):
            if statement is self.done_already:
                continue
            made: list[ast.stmt] = []
            self.outermost = made
            with self.inside(made):
                self._statement(statement)
            self._forget(statement)
            line = FIRST_LINE + next(n for n, each in enumerate(every) if each is statement)
            for each in made:
                each.lineno, each.col_offset, each.end_lineno, each.end_col_offset = line, 0, line, 0
            self.block += made

    def _shared(self, clause: str) -> None:
        """What several places of a clause compute of the tuple alone, without any chance to fail, is computed once."""
        places = Counter(part for each in self.version.clauses.get(clause, ()) for part in everything(each) if is_shareable(part))
        self.shared = {}
        chosen: list[Expr] = []
        for expr in sorted(places, key=lambda each: len(list(walk(each))), reverse=True):
            within = sum((places[outer] - 1) * list(walk(outer)).count(expr) for outer in chosen if outer != expr)
            if places[expr] - within > 1:
                chosen.append(expr)
        for expr in reversed(chosen):
            kept = self.temporary()
            self.block.append(code.assign(kept, self.value(expr)))
            self.shared[expr] = kept

    def _forget(self, statement: BoundStatement) -> None:
        """Rows that were looked up are known only as long as none comes or goes."""
        if isinstance(statement, Insert | Delete):
            table = statement.target if isinstance(statement, Insert) else statement.source.table
            gone = table.index if table.where == "local" else None
            self.found_rows = {label: row for label, row in self.found_rows.items() if label[0] != gone}

    def _statement(self, statement: BoundStatement) -> None:
        if isinstance(statement, Insert):
            if statement.target.where != "return":
                self._insert(statement)
            elif self.returns is not None:
                self._returned(statement)
        elif isinstance(statement, Update):
            self._update(statement)
        elif isinstance(statement, Delete):
            self._delete(statement)

    def _returned(self, statement: Insert) -> None:
        """Hand results over; with a flag, only those of tuples for which results are wanted."""
        made: list[ast.stmt] = []
        with self.inside(made):
            for query in statement.queries:
                self.rows_of(query, self._return)
        self.block += made if self.flag is None else [code.when(code.name(self.flag), made)]

    def _return(self, values: list[ast.expr]) -> None:
        value = values[0] if len(values) == 1 else code.tuple_of(values)
        if self.tagged is not None:
            value = code.tuple_of([*self.tagged, value])
        assert self.returns is not None
        self.block.append(code.do(code.call(self.returns, value)))

    def _insert(self, statement: Insert) -> None:
        table = statement.target.index
        for query in statement.queries:
            if table in self.layout.variables:
                targets = [f"v{table}_{at}" for at in range(len(query.outputs))]
                self.block.append(code.assign_all(targets, [self.value(each) for each in query.outputs]))
                continue
            if reads_table(query, "local", table) and not (query.is_plain and all(map(self.is_variable, query.sources))):
                self._insert_later(query, table)
                continue
            self.rows_of(query, lambda values: self.block.append(code.do(code.call(f"t{table}_insert", *values))))

    def _insert_later(self, query: Query, table: int) -> None:
        """A query that reads the table it is for is computed first."""
        found, row = self.temporary(), self.temporary()
        self.block.append(code.assign(found, code.list_of([])))
        self.rows_of(query, lambda values: self.block.append(code.do(code.method(found, "append", code.tuple_of(values)))))
        insert = code.call(f"t{table}_insert", ast.Starred(code.name(row), ast.Load()))
        self.block.append(code.loop(code.stored(row), code.name(found), [code.do(insert)]))

    # -- update ----------------------------------------------------------------------------------------------

    def _update(self, statement: Update) -> None:
        table = statement.source.table.index
        if table in self.layout.variables:
            self.nested((statement.source,), statement.where, lambda: self._assign(statement))
            return
        indexed = {column for columns in self.layout.indexes.get(table, []) for column in columns}
        moves = any(at in indexed for at, _ in statement.assignments)
        if any(_looks_at(value, table) for value in (*(value for _, value in statement.assignments), *statement.where)):
            self._update_later(statement)
            return
        self.nested((statement.source,), statement.where, lambda: self._change(statement, moves), copied=moves)

    def _assign(self, statement: Update) -> None:
        """Give variables their new values: one by one, unless a later one needs the old value of an earlier one."""
        table = statement.source.table.index
        targets = [f"v{table}_{at}" for at, _ in statement.assignments]
        values = [self.value(value) for _, value in statement.assignments]
        for n, value in enumerate(values):
            used = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            if used & set(targets[:n]):
                self.block.append(code.assign_all(targets, values))
                return
        self.block += [code.assign(target, value) for target, value in zip(targets, values, strict=True)]

    def _change(self, statement: Update, moves: bool) -> None:
        row = self.row_name(statement.source)
        values = [self.value(value) for _, value in statement.assignments]
        if moves:
            changes = code.tuple_of(
                [code.tuple_of([code.const(at), value]) for (at, _), value in zip(statement.assignments, values, strict=True)]
            )
            self.block.append(code.do(code.method(f"t{statement.source.table.index}", "update", code.name(row), changes)))
            return
        if len(values) == 1:
            self.block.append(code.assign_item(row, statement.assignments[0][0], values[0]))
            return
        kept = [self.temporary() for _ in values]
        self.block.append(code.assign_all(kept, values))
        self.block += [
            code.assign_item(row, at, code.name(made)) for (at, _), made in zip(statement.assignments, kept, strict=True)
        ]

    def _update_later(self, statement: Update) -> None:
        """An UPDATE that asks the table itself sees it as it was: the new values are computed first."""
        found, row, values = self.temporary(), self.temporary(), self.temporary()
        self.block.append(code.assign(found, code.list_of([])))

        def remember() -> None:
            changes = [code.tuple_of([code.const(at), self.value(value)]) for at, value in statement.assignments]
            both = code.tuple_of([code.name(self.row_name(statement.source)), code.tuple_of(changes)])
            self.block.append(code.do(code.method(found, "append", both)))

        self.nested((statement.source,), statement.where, remember)
        update = code.method(f"t{statement.source.table.index}", "update", code.name(row), code.name(values))
        self.block.append(code.loop(code.store_tuple([row, values]), code.name(found), [code.do(update)]))

    # -- delete ----------------------------------------------------------------------------------------------

    def _delete(self, statement: Delete) -> None:
        source = statement.source
        if source.table.where == INWINDOW:
            self._leave_by_scan(statement)
            return
        table = f"t{source.table.index}"
        if not statement.where:
            self.block.append(code.do(code.method(table, "clear")))
            return

        def row() -> ast.expr:
            return code.name(self.row_name(source))

        if any(_looks_at(value, source.table.index) for value in statement.where):
            found, each = self.temporary(), self.temporary()
            self.block.append(code.assign(found, code.list_of([])))
            self.nested((source,), statement.where, lambda: self.block.append(code.do(code.method(found, "append", row()))))
            self.block.append(
                code.loop(code.stored(each), code.name(found), [code.do(code.method(table, "delete", code.name(each)))])
            )
            return
        self.nested(
            (source,), statement.where, lambda: self.block.append(code.do(code.method(table, "delete", row()))), copied=True
        )

    def _leave_by_scan(self, statement: Delete) -> None:
        """Tuples that the body takes out of inwindow, with their places and numbers."""
        source, queues = statement.source, self.queues
        kept = [self.temporary() for _ in queues]
        number = source.number
        made = self.hand_over("deque", deque)
        self.block += [code.assign(each, code.call(made)) for each in kept]
        self.block.append(code.assign(f"last{number}", code.binary(code.call("len", code.name("w")), ast.Sub(), code.const(1))))
        places = [self.temporary() for _ in queues[1:]]
        rows = code.call("zip", *map(code.name, queues))
        body: list[ast.stmt] = []
        row = ast.Tuple([code.stored(f"r{number}"), *map(code.stored, places)], ast.Store())
        target = ast.Tuple([code.stored(f"i{number}"), row], ast.Store())
        with self.inside(body):
            gone = code.both([self.truth(each) for each in statement.where])
            stay = [
                code.do(code.method(queue, "append", code.name(value)))
                for queue, value in zip(kept, [f"r{number}", *places], strict=True)
            ]
            body.append(code.when(code.negated(gone), list(stay)))
        self.block.append(code.loop(target, code.call("enumerate", rows), body))
        self.block += [code.assign(queue, code.name(each)) for queue, each in zip(queues, kept, strict=True)]


def is_shareable(expr: Expr) -> bool:
    """Whether a value comes from arguments, oldest() and constants alone, by operations that cannot fail."""
    if not isinstance(expr, Op) or expr.name not in ("add", "sub", "mul", "neg", "mod", "call:Abs"):
        return False
    if expr.name == "mod" and not (isinstance(expr.args[1], Const) and expr.args[1].value):
        return False
    return all(isinstance(arg, Arg | Oldest | Const) or is_shareable(arg) for arg in expr.args)


def _looks_at(value: Expr, table: int) -> bool:
    return any(hasattr(part, "query") and reads_table(part.query, "local", table) for part in walk(value))
