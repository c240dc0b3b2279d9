"""Queries as loops: each source a loop or a look-up in an index, each condition as far out as it can stand."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from transom.uda.analyse.layout import Layout, looked_up
from transom.uda.analyse.present import Key
from transom.uda.compile import code
from transom.uda.compile.expression_code import ExpressionWriter
from transom.uda.compile.runtime import AGGREGATES, distinct_rows, grouped_key, only_row, ordered_rows
from transom.uda.definition import INWINDOW, OTHER
from transom.uda.ir import BoundVersion, Expr, Field, Op, SelectQuery, Source, expressions_of, sources_of, walk

Sink = Callable[[list[ast.expr]], None]


@dataclass(frozen=True)
class Found:
    """The variable of a row that was looked up by a key; `sure` if there is one, otherwise it may be None."""

    row: str
    sure: bool = False


class Queries(ExpressionWriter):
    """Writes the queries of a version."""

    def __init__(self, version: BoundVersion, layout: Layout, *, careful: bool) -> None:
        super().__init__(version, layout, careful=careful)
        self.found_rows: dict[Key, Found] = {}
        self.surely_there: set[Key] = set()
        self.outermost: list[ast.stmt] = []

    def rows_of(self, query: SelectQuery, sink: Sink, *, copied: bool = False) -> None:
        """Hand each row of a query to `sink`. `copied` sources may be changed by it."""
        if query.is_plain:
            self.nested(query.sources, query.where, lambda: sink([self.value(each) for each in query.outputs]), copied=copied)
            return
        if not (query.order or query.distinct or query.limit is not None):
            self._grouped(query, sink)
            return
        found, row = self.temporary(), self.temporary()
        self.block.append(code.assign(found, code.list_of([])))
        width = len(query.outputs)
        wanted = SelectQuery(
            (*query.outputs, *(key for key, _ in query.order)),
            query.sources,
            query.where,
            query.group,
            query.aggregates,
            query.having,
        )
        self.rows_of(wanted, lambda values: self.block.append(code.do(code.method(found, "append", code.tuple_of(values)))))
        made: ast.expr = code.name(found)
        if query.distinct:
            made = code.call(self.hand_over("distinct_rows", distinct_rows), made, code.const(width))
        if query.order:
            flags = code.tuple_of([code.const(descending) for _, descending in query.order])
            made = code.call(self.hand_over("ordered_rows", ordered_rows), made, code.const(width), flags)
        if query.limit is not None:
            made = ast.Subscript(made, ast.Slice(None, code.const(query.limit), None), ast.Load())
        body: list[ast.stmt] = []
        self.block.append(code.loop(code.stored(row), made, body))
        with self.inside(body):
            sink([code.item(row, at) for at in range(width)])

    # -- loops -----------------------------------------------------------------------------------------------

    def nested(
        self, sources: tuple[Source, ...], where: tuple[Expr, ...], body: Callable[[], None], *, copied: bool = False
    ) -> None:
        """Loops over all rows of the sources for which the conditions hold."""
        self._level(list(sources), list(where), body, copied)

    def _level(self, sources: list[Source], pending: list[Expr], body: Callable[[], None], copied: bool) -> None:
        unbound = {source.number for source in sources}
        ready = [each for each in pending if not sources_of(each) & unbound]
        rest = [each for each in pending if sources_of(each) & unbound]
        if ready:
            test = code.both([self.truth(each) for each in ready])
            inner: list[ast.stmt] = []
            self.block.append(code.when(test, inner))
            with self.inside(inner):
                self._level(sources, rest, body, copied)
            return
        if not sources:
            body()
            return
        source, later = sources[0], sources[1:]
        if self.is_variable(source):
            self._level(later, rest, body, copied)
            return
        key = self._unique_key(source, rest, {other.number for other in later})
        if key is not None:
            found = self._only_row(source, key)
            rest = [each for each in rest if not self._is_sure(each, source, key)]
            only = self.block if found.sure else list[ast.stmt]()
            if not found.sure:
                self.block.append(code.when(code.not_none(code.name(found.row)), only))
            with self.inside(only):
                self._level(later, rest, body, copied)
            return
        over, rest = self._over(source, rest, {other.number for other in later}, copied)
        inside: list[ast.stmt] = []
        target: ast.expr = code.stored(f"r{source.number}")
        if source.number in self.newest:
            number = source.number
            self.block.append(
                code.assign(f"last{number}", code.binary(code.call("len", code.name("w")), ast.Sub(), code.const(1)))
            )
            target = code.store_tuple([f"i{number}", f"r{number}"])
            over = code.call("enumerate", over)
        self.block.append(code.loop(target, over, inside))
        with self.inside(inside):
            self._level(later, rest, body, copied)

    def is_variable(self, source: Source) -> bool:
        """Whether a table is kept in variables."""
        return source.table.where in ("local", OTHER) and source.table.index in self.layout.variables

    def _unique_key(self, source: Source, where: list[Expr], later: set[int]) -> list[tuple[int, Expr]] | None:
        """The columns and values that a source is looked up by, if that finds at most one row."""
        if source.table.where != "local" or self.is_variable(source):
            return None
        found = looked_up(source, tuple(where), later)
        known = (source.table.index, tuple(column for column, _ in found)) in self.layout.unique
        sure = known and not self._odd_keys(source, found) and not any(self.can_be_null(value) for _, value in found)
        return found if sure else None

    def _only_row(self, source: Source, key: list[tuple[int, Expr]]) -> Found:
        """The one row with a key; looked up once as long as the table keeps its rows."""
        table, label = source.table.index, (source.table.index, tuple(key))
        if label in self.found_rows:
            self.row_names[source.number] = self.found_rows[label].row
            return self.found_rows[label]
        found = Found(self.row_name(source), label in self.surely_there)
        at, value = self.layout.index(table, tuple(column for column, _ in key)), self._key_value(key)
        looked = code.entry(f"t{table}_by{at}", value) if found.sure else code.call(f"t{table}_get{at}", value)
        self.block.append(code.assign(found.row, looked))
        if self.block is self.outermost and not any(sources_of(value) for _, value in key):
            self.found_rows[label] = found
        return found

    def _key_value(self, key: list[tuple[int, Expr]]) -> ast.expr:
        values = [self.value(value) for _, value in key]
        return values[0] if len(values) == 1 else code.tuple_of(values)

    def _over(self, source: Source, where: list[Expr], later: set[int], copied: bool) -> tuple[ast.expr, list[Expr]]:
        """What a loop goes over, and the conditions that are still to be checked."""
        table = source.table
        if table.where == INWINDOW:
            return (code.call("list", code.name("w")) if copied else code.name("w")), where
        if table.where == "static":
            return code.name(f"q{table.index}"), where
        prefix = f"t{table.index}" if table.where == "local" else f"u{table.index}"
        found = looked_up(source, tuple(where), later) if table.where == "local" else []
        if found and not self._odd_keys(source, found):
            columns = tuple(column for column, _ in found)
            at, key = self.layout.index(table.index, columns), self._key_value(found)
            over: ast.expr = code.call(f"{prefix}_get{at}", key, code.tuple_of([]))
            if (table.index, columns) in self.layout.unique:
                over = self._as_rows(key, at, prefix)
            where = [each for each in where if not self._is_sure(each, source, found)]
        else:
            over = code.method(f"{prefix}_all", "values")
        return (code.call("list", over) if copied else over), where

    def _as_rows(self, key: ast.expr, at: int, prefix: str) -> ast.expr:
        """The one row that a key may have, as something to loop over."""
        row = self.temporary()
        self.block.append(code.assign(row, code.call(f"{prefix}_get{at}", key)))
        return code.choose(code.is_none(code.name(row)), code.tuple_of([]), code.tuple_of([code.name(row)]))

    def _is_sure(self, condition: Expr, source: Source, found: list[tuple[int, Expr]]) -> bool:
        """Whether a look-up has answered a condition already: equality of what is never NULL."""
        if not isinstance(condition, Op) or condition.name != "eq" or any(map(self.can_be_null, condition.args)):
            return False
        used = [(Field(source.table.kinds[column], source, column), value) for column, value in found]
        return condition.args in used or condition.args[::-1] in used

    # -- aggregates ------------------------------------------------------------------------------------------

    def _grouped(self, query: SelectQuery, sink: Sink) -> None:
        lists = [self.temporary() for _ in query.aggregates]
        if query.group is None:
            if not self._counted(query, lists):
                for kept in lists:
                    self.block.append(code.assign(kept, code.list_of([])))
                self.nested(query.sources, query.where, lambda: self._collect(query, lists))
            self._reduced(query, lists, sink)
            return
        groups, key, kept = self.temporary(), self.temporary(), self.temporary()
        self.block.append(code.assign(groups, ast.Dict([], [])))

        def collect() -> None:
            values = [self.value(each) for each in query.group or ()]
            grouped = code.call(self.hand_over("grouped_key", grouped_key), *values)
            fresh = code.tuple_of([code.tuple_of(values), *(code.list_of([]) for _ in lists)])
            self.block.append(code.assign(key, grouped))
            missing = code.compare(code.name(key), ast.NotIn(), code.name(groups))
            place = ast.Subscript(code.name(groups), code.name(key), ast.Store())
            self.block.append(code.when(missing, [ast.Assign([place], fresh)]))
            load = ast.Subscript(code.name(groups), code.name(key), ast.Load())
            self.block.append(code.unpack([kept, *lists], load))
            self._collect(query, lists)

        self.nested(query.sources, query.where, collect)
        body: list[ast.stmt] = []
        target = code.store_tuple([kept, *lists])
        self.block.append(code.loop(target, code.method(groups, "values"), body))
        with self.inside(body):
            names = {each: self.temporary() for each in query.group}
            for at, each in enumerate(query.group):
                self.block.append(code.assign(names[each], code.item(kept, at)))
            outer, self.keys = self.keys, {**self.keys, **names}
            self._reduced(query, lists, sink)
            self.keys = outer

    def _counted(self, query: SelectQuery, lists: list[str]) -> bool:
        """`count(*)` of a whole table is its length."""
        if query.where or len(query.sources) != 1 or len(query.aggregates) != 1 or self.is_variable(query.sources[0]):
            return False
        call, table = query.aggregates[0], query.sources[0].table
        if call.function != "count" or call.args or table.where not in ("local", INWINDOW):
            return False
        rows = "w" if table.where == INWINDOW else f"t{table.index}_all"
        self.block.append(code.assign(lists[0], code.name(rows)))
        return True

    def _collect(self, query: SelectQuery, lists: list[str]) -> None:
        """Put the arguments of each aggregate on its list."""
        for call, kept in zip(query.aggregates, lists, strict=True):
            values = [self.value(arg) for arg in call.args]
            single = len(values) == 1 and call.user is None
            value = values[0] if single else code.tuple_of(values)
            self.block.append(code.do(code.method(kept, "append", value)))

    def _reduced(self, query: SelectQuery, lists: list[str], sink: Sink) -> None:
        outer, names = (self.aggregated, self.query), []
        loops: list[tuple[str, ast.expr]] = []
        for call, kept in zip(query.aggregates, lists, strict=True):
            made = self.temporary()
            names.append(made)
            if call.user is not None:
                rows = code.call("run", code.const(call.user), code.name(kept))
                loops.append((made, rows))
                continue
            function = "distinct_" * call.distinct + call.function
            value = code.call(self.hand_over(f"agg_{function}", AGGREGATES[function]), code.name(kept))
            self.block.append(code.assign(made, value))
        self.aggregated, self.query = names, query
        self._for_each(loops, partial(self._having, query, sink))
        self.aggregated, self.query = outer

    def _for_each(self, loops: list[tuple[str, ast.expr]], body: Callable[[], None]) -> None:
        """All rows that users' aggregates return, one loop within the other."""
        if not loops:
            body()
            return
        (made, rows), *rest = loops
        inner: list[ast.stmt] = []
        self.block.append(code.loop(code.stored(made), rows, inner))
        with self.inside(inner):
            self._for_each(rest, body)

    def _having(self, query: SelectQuery, sink: Sink) -> None:
        if query.having is None:
            sink([self.value(each) for each in query.outputs])
            return
        inner: list[ast.stmt] = []
        self.block.append(code.when(self.truth(query.having), inner))
        with self.inside(inner):
            sink([self.value(each) for each in query.outputs])

    # -- queries within expressions --------------------------------------------------------------------------

    def _within(self, query: SelectQuery, sink: Sink) -> None:
        outer = self.query, self.aggregated
        self.rows_of(query, sink)
        self.query, self.aggregated = outer

    def _listed(self, query: SelectQuery) -> ast.expr:
        found = self.temporary()
        self.block.append(code.assign(found, code.list_of([])))
        self._within(query, lambda values: self.block.append(code.do(code.method(found, "append", values[0]))))
        return code.name(found)

    def _scalar(self, query: SelectQuery) -> ast.expr:
        alone = query.aggregates and query.group is None and not any(call.user is not None for call in query.aggregates)
        if alone or (query.is_plain and not self._looped(query)):
            return self._single(query)
        return code.call(self.hand_over("only_row", only_row), self._listed(query))

    def _single(self, query: SelectQuery) -> ast.expr:
        """An aggregate over all rows, or a row of its own key: one value, or none if a condition fails."""
        found = self.temporary()
        self.block.append(code.assign(found, code.const(None)))
        self._within(query, lambda values: self.block.append(code.assign(found, values[0])))
        return code.name(found)

    def _found(self, query: SelectQuery) -> ast.expr:
        member = self._member(query)
        if member is not None:
            return member
        found = self.temporary()
        self.block.append(code.assign(found, code.const(False)))
        stop: list[ast.stmt] = [ast.Break()] if query.is_plain and len(self._looped(query)) == 1 else []
        self._within(query, lambda _: self.block.extend([code.assign(found, code.const(True)), *stop]))
        return code.name(found)

    def _looped(self, query: SelectQuery) -> list[Source]:
        """The sources that may have several rows each."""
        later = [{other.number for other in query.sources[n + 1 :]} for n in range(len(query.sources))]
        return [
            source
            for source, unbound in zip(query.sources, later, strict=True)
            if not self.is_variable(source) and self._unique_key(source, list(query.where), unbound) is None
        ]

    def _odd_keys(self, source: Source, found: list[tuple[int, Expr]]) -> bool:
        """Whether a row is looked up by what can be NaN, which a dictionary does not find again."""
        return any(self.can_be_odd(Field(source.table.kinds[column], source, column), value) for column, value in found)

    def _member(self, query: SelectQuery) -> ast.expr | None:
        """Whether a key is in an index: all that EXISTS asks, if the index answers all conditions."""
        if not query.is_plain or len(query.sources) != 1 or query.sources[0].table.where != "local":
            return None
        source = query.sources[0]
        found = [] if self.is_variable(source) else looked_up(source, query.where, set())
        columns = tuple(column for column, _ in found)
        if not found or self._odd_keys(source, found):
            return None
        if not all(self._is_sure(each, source, found) for each in query.where):
            return None
        known = self.found_rows.get((source.table.index, tuple(found)))
        if known is not None:
            return code.const(True) if known.sure else code.not_none(code.name(known.row))
        index = code.name(f"t{source.table.index}_by{self.layout.index(source.table.index, columns)}")
        return code.compare(self._key_value(found), ast.In(), index)


def reads_table(query: SelectQuery, where: str, index: int) -> bool:
    """Whether a query reads a table, at any depth."""
    if any(source.table.where == where and source.table.index == index for source in query.sources):
        return True
    inner = [part.query for each in expressions_of(query) for part in walk(each) if hasattr(part, "query")]
    return any(reads_table(each, where, index) for each in inner)
