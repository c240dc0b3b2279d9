"""Statements as code: variables are assigned, rows are found by index where there is one, results are handed over."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Sequence
from functools import partial

from transom.uda.analyse.present import leaves_a_row
from transom.uda.analyse.ranges import bounds_of, too_large
from transom.uda.analyse.steady import reads_oldest, remainders, worth_sharing
from transom.uda.compile import code
from transom.uda.compile.query_code import Found, Queries, reads_table
from transom.uda.definition import INWINDOW
from transom.uda.ir import BoundStatement, Delete, Exists, Expr, InsertRows, Op, SelectQuery, Update, walk

FIRST_LINE = 10
"""The line of the first statement of a version in the code; the lines tell statements apart when one fails."""


class Statements(Queries):
    """Writes the statements of a version. `returns` says what becomes of results; None leaves them out."""

    returns: str | None = "emit"
    flag: str | None = None
    tagged: tuple[ast.expr, ast.expr] | None = None
    queues: Sequence[str] = ("w",)
    done_already: BoundStatement | None = None
    returned: int | None = 0
    """How many rows the statements of a clause have returned; None if that depends on the data."""
    certain: list[ast.stmt]
    """The block of which all is executed whenever the statement is."""

    def statements(self, clause: str) -> None:
        """All statements of a clause."""
        every = list(self.version.statements())
        self._shared(clause)
        self.found_rows, self.row_names = {}, {}
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
        self.shared = {}
        chosen = [each for each in worth_sharing(self.version.clauses.get(clause, ())) if self._stays(each)]
        together = {dividend: group for dividend, group in remainders(chosen).items() if len(group) > 1}
        for expr in chosen:
            dividend = expr.parts()[0]
            group = together.get(dividend, [])
            if expr in self.shared:
                continue
            if expr in group and not self.can_be_null(dividend):
                self._remainders(dividend, group)
                continue
            kept = self.temporary()
            self.block.append(code.assign(kept, self.value(expr)))
            self.shared[expr] = kept

    def _stays(self, expr: Expr) -> bool:
        """Whether a value of the tuple is the same all through a clause: a body that takes tuples out may take the oldest."""
        return self.oldest is not None or not self.layout.deletes or not reads_oldest(expr)

    def _remainders(self, dividend: Expr, group: list[Expr]) -> None:
        """Remainders of one dividend, whose sign is theirs."""
        test, kept = self._named(self.value(dividend))
        names = [self.temporary() for _ in group]
        pairs = [code.remainders(kept, self.value(expr.parts()[1])) for expr in group]
        positive, negative = ([code.assign(name, pair[side]) for name, pair in zip(names, pairs, strict=True)] for side in (0, 1))
        self.block.append(code.when(code.compare(test, ast.GtE(), code.const(0)), positive, negative))
        self.shared.update(zip(group, names, strict=True))

    def _forget(self, statement: BoundStatement) -> None:
        """Rows that were looked up are known as long as none comes or goes; one that is there stays if others come."""
        if not isinstance(statement, InsertRows | Delete):
            return
        table = statement.target if isinstance(statement, InsertRows) else statement.source.table
        for (index, key), found in list(self.found_rows.items()):
            touched = table.where == "local" and table.index == index and not (isinstance(statement, InsertRows) and found.sure)
            moved = table.where == INWINDOW and not all(self._stays(value) for _, value in key)
            if touched or moved:
                del self.found_rows[index, key]

    def _statement(self, statement: BoundStatement) -> None:
        if isinstance(statement, InsertRows):
            if statement.target.where != "return":
                self._insert(statement)
            elif self.returns is not None:
                self._returned(statement)
        elif isinstance(statement, Update):
            self._update(statement)
        elif isinstance(statement, Delete):
            self._delete(statement)

    def _returned(self, statement: InsertRows) -> None:
        """Hand results over; with a flag, only those of tuples for which results are wanted."""
        made: list[ast.stmt] = []
        self.certain = made
        with self.inside(made):
            for query in statement.queries:
                self.rows_of(query, partial(self._return, query))
        self.block += made if self.flag is None else [code.when(code.name(self.flag), made)]

    def _return(self, query: SelectQuery, values: list[ast.expr]) -> None:
        fitting = [self._fitting(query, at, value) for at, value in enumerate(values)]
        value = fitting[0] if len(values) == 1 else code.tuple_of(fitting)
        if self.tagged is not None:
            value = code.tuple_of([*self.tagged, value])
        assert self.returns is not None
        known = self.returned is not None and self.block is self.certain
        self.returned = (self.returned or 0) + 1 if known else None
        self.block.append(code.do(code.call(self.returns, value)))

    def _fitting(self, query: SelectQuery, at: int, value: ast.expr) -> ast.expr:
        """A value that is returned, if it fits into the type that is declared."""
        sql_type = self.version.returns[at]
        bounds = bounds_of(sql_type)
        if bounds is None or isinstance(value, ast.Constant):
            return value
        least, most = map(self._constant, bounds)
        test, kept = self._named(value)
        can_be_null = not query.is_plain or self.can_be_null(query.outputs[at])
        inside = ast.Compare(least, [ast.Lt(), ast.Lt()], [kept if can_be_null else test, most])
        refused = code.call(self.hand_over("too_large", too_large), kept, code.const(sql_type))
        return code.choose(code.either([code.is_none(test), inside]) if can_be_null else inside, kept, refused)

    def _insert(self, statement: InsertRows) -> None:
        table = statement.target.index
        for query in statement.queries:
            if table in self.layout.variables:
                targets = [f"v{table}_{at}" for at in range(len(query.outputs))]
                self.block.append(code.assign_all(targets, [self.value(each) for each in query.outputs]))
                continue
            if self._insert_missing(query, table):
                continue
            if reads_table(query, "local", table) and not (query.is_plain and all(map(self.is_variable, query.sources))):
                self._insert_later(query, table)
                continue
            self.rows_of(query, lambda values: self.block.append(code.do(code.call(f"t{table}_insert", *values))))

    def _insert_missing(self, query: SelectQuery, table: int) -> bool:
        """A row for a key that has none: one look-up, after which the row is there."""
        condition = query.where[0] if len(query.where) == 1 else None
        asked = condition.args[0] if isinstance(condition, Op) and condition.name == "not" else None
        if not isinstance(asked, Exists) or len(asked.query.sources) != 1:
            return False
        source = asked.query.sources[0]
        key = self._unique_key(source, list(asked.query.where), set())
        if not key or not leaves_a_row(query, table, tuple(column for column, _ in key)):
            return False
        found, missing = self._only_row(source, key), list[ast.stmt]()
        if not found.sure:
            self.block.append(code.when(code.is_none(code.name(found.row)), missing))
            with self.inside(missing):
                values = [self.value(each) for each in query.outputs]
                self.block.append(code.assign(found.row, code.call(f"t{table}_insert", *values)))
            if self.block is self.outermost:
                self.found_rows[table, tuple(key)] = Found(found.row, sure=True)
        return True

    def _insert_later(self, query: SelectQuery, table: int) -> None:
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


def _looks_at(value: Expr, table: int) -> bool:
    return any(hasattr(part, "query") and reads_table(part.query, "local", table) for part in walk(value))
