"""A version, compiled: functions that are made when they are first needed, and run on states."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from transom.errors import AggregateFailed, BadAggregate, TransomError
from transom.uda.analyse.layout import Layout, layout_of
from transom.uda.bind.versions import bind_version
from transom.uda.compile import code
from transom.uda.compile.drive import STEP, Drive, Driver
from transom.uda.compile.runtime import Depth, State
from transom.uda.compile.statement_code import FIRST_LINE
from transom.uda.definition import OTHER, Columns, UserAggregate, Version
from transom.uda.ir import BoundVersion, Field, InsertRows, everything

PLAIN = Drive()
Lists = Sequence[Sequence[Any]]
Tables = Mapping[str, list[tuple[Any, ...]]]
"""The rows of ordinary tables, by name."""


class Program:
    """The functions of one version. `called` are the programs of the aggregates it uses; `tables` what it reads."""

    def __init__(self, bound: BoundVersion, called: Sequence[Program | None], tables: Tables, depth: Depth | None = None) -> None:
        self.bound = bound
        self.layout: Layout = layout_of(bound)
        self.called = [self if program is None else program for program in called]
        self.tables = tables
        self.depth = depth or Depth()
        self._made: dict[Any, tuple[Callable[..., Any], bool]] = {}
        _check_other(bound, self.layout)

    def __getstate__(self) -> dict[str, Any]:
        """Functions are made again where the program arrives."""
        return {**vars(self), "_made": {}}

    def fresh(self) -> State:
        """The state before the first tuple."""
        return State(*self._shape)

    @cached_property
    def _shape(self) -> tuple[int, list[tuple[list[tuple[int, ...]], list[bool]]]]:
        """How many variables there are, and the indexes of each table."""
        variables = sum(len(table.columns) for table in self.bound.tables if table.index in self.layout.variables)
        rows = [table.index for table in self.bound.tables if table.index not in self.layout.variables]
        return variables, [self._indexes(table) for table in rows]

    def _indexes(self, table: int) -> tuple[list[tuple[int, ...]], list[bool]]:
        columns = list(self.layout.indexes.get(table, []))
        return columns, [(table, each) in self.layout.unique for each in columns]

    def restored(self, kept: dict[str, Any]) -> State:
        """A state that was kept."""
        state = self.fresh()
        state.restore(kept)
        return state

    def step(
        self,
        state: State,
        drive: Drive,
        columns: Lists,
        *,
        places: Sequence[Any] = (),
        yields: Sequence[bool] = (),
        numbers: Sequence[int] = (),
        reach: Any = None,
    ) -> tuple[list[Any], list[int] | None]:
        """Run tuples through: the rows that they return, and where those of each tuple end; None if each gives one."""
        made, one = self._function("step", drive, careful=state.careful)
        out: list[Any] = []
        ends: list[int] = []
        self._run(made, state, out, ends, reach, yields, places, numbers, *columns)
        return out, None if one else ends

    def slots(self, state: State, columns: Lists, sizes: Sequence[tuple[int, bool]]) -> tuple[list[Any], list[int] | None, State]:
        """Run tuples through slot after slot: what is returned at the last tuple of each and at its end, where that ends, and the
        state of the slot that is not over. `sizes` has the number of tuples of each slot, and whether it is over with them."""
        drive = Drive(yields=self._returns_on_arrival)
        made, one = self._function("slots", drive, careful=state.careful)
        out: list[Any] = []
        ends: list[int] = []
        yields = [flag for size, over in sizes for flag in [*[False] * (size - 1), over]] if drive.yields else ()
        self._run(made, state, out, ends, sizes, yields, *columns)
        return out, None if one else ends, self.fresh() if sizes[-1][1] else state

    @property
    def _returns_on_arrival(self) -> bool:
        arrivals = (*self.bound.clauses["INITIALIZE"], *self.bound.clauses["ITERATE"])
        return any(isinstance(each, InsertRows) and each.target.where == "return" for each in arrivals)

    def panes(self, state: State, columns: Lists, sizes: Sequence[tuple[int, bool]]) -> tuple[list[State], State]:
        """Run tuples through pane after pane: the states of those that are over, and that of the one that is not."""
        made, _ = self._function("panes", PLAIN, careful=state.careful)
        out: list[State] = []
        self._run(made, state, out, sizes, *columns)
        return (out, self.fresh()) if sizes[-1][1] else (out[:-1], out[-1])

    @property
    def has_values(self) -> bool:
        """Whether a state is the values of variables, and nothing else."""
        variables, tables = self._shape
        return bool(variables) and not tables and not self.bound.is_window

    def values(self, state: State, columns: Lists, sizes: Sequence[tuple[int, bool]]) -> list[tuple[Any, ...]]:
        """The same where states are values: those of the panes that are over. `state` becomes that of the one that is not."""
        out: list[tuple[Any, ...]] = []
        self._run(self._function("values", PLAIN, careful=state.careful)[0], state, out, sizes, *columns)
        return out

    def merging(self, *, careful: bool) -> Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]]:
        """From values to those of the tuples of both, the second ones behind the first. To be called by way of `guarded`."""
        return self._function("merged", PLAIN, careful=careful)[0]

    def ending(self, *, careful: bool) -> Callable[[tuple[Any, ...], list[Any]], None]:
        """What TERMINATE returns, put on a list. To be called by way of `guarded`."""
        return self._function("result", PLAIN, careful=careful)[0]

    def guarded(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call what calls code of bodies; if a statement fails, say which one."""
        return self._run(function, *args)

    def copied(self, state: State) -> State:
        return state.copied()

    def lent(self, state: State) -> State:
        """A state to combine another with: it is only read."""
        return state

    def finish(self, state: State) -> list[Any]:
        """What TERMINATE returns."""
        out: list[Any] = []
        if state.started and self.bound.clauses.get("TERMINATE"):
            self._run(self._function("finish", PLAIN, careful=state.careful)[0], state, out)
        return out

    def flush(self, state: State, drive: Drive, reach: Any, upto: Any) -> list[Any]:
        """What EXPIRE returns for tuples whose time is up before `upto`."""
        out: list[Any] = []
        self._run(self._function("flush", drive, careful=state.careful)[0], state, out, reach, upto)
        return out

    def combine(self, state: State, other: State) -> None:
        """Take the state of the tuples that follow into one."""
        careful = state.careful or other.careful
        state.careful = careful
        self._run(self._function("combine", PLAIN, careful=careful)[0], state, other)

    def whole(self, columns: Lists, *, careful: bool | None = None) -> list[Any]:
        """All rows that a run over a whole input returns."""
        state = self.fresh()
        state.careful = is_odd(columns) if careful is None else careful
        if not columns or not len(columns[0]):
            return []
        out, _ = self.step(state, PLAIN, columns)
        return out + self.finish(state)

    # -- functions -------------------------------------------------------------------------------------------

    def _function(self, called: str, drive: Drive, *, careful: bool) -> tuple[Callable[..., Any], bool]:
        key = (called, careful) if drive is PLAIN else (called, careful, drive)
        if key not in self._made:
            driver = Driver(self.bound, self.layout, drive, careful=careful)
            tree = code.completed(getattr(driver, called)())
            module = ast.fix_missing_locations(ast.Module([tree], []))
            space: dict[str, Any] = {**driver.given, **self._static(), "run": self._call, "islice": islice, "fresh": self.fresh}
            exec(compile(module, self._file, "exec"), space)
            self._made[key] = space[called], driver.gives_one
        return self._made[key]

    @property
    def _file(self) -> str:
        return f"<{'window ' if self.bound.is_window else ''}aggregate {self.bound.name}>"

    def _static(self) -> dict[str, Any]:
        found = {source.table for each in self.bound.statements() for source in _sources(each) if source.table.where == "static"}
        return {f"q{table.index}": self.tables.get(table.name, []) for table in found}

    def _call(self, place: int, rows: list[tuple[Any, ...]]) -> list[Any]:
        """Another aggregate over the rows of a query."""
        program = self.called[place]
        self.depth.enter(program.bound.name)
        found = program.whole(list(zip(*rows, strict=True)))
        self.depth.leave()
        return found

    def _run(self, made: Callable[..., Any], *args: Any) -> Any:
        try:
            return made(*args)
        except TransomError as error:
            raise error if not isinstance(error, AggregateFailed) or error.span else self._failed(error, error.problem) from None
        except RecursionError:
            raise
        except Exception as error:
            raise self._failed(error, str(error)) from None

    def _failed(self, error: BaseException, reason: str) -> AggregateFailed:
        """Which clause, which statement and which tuple it was."""
        trace, line, values = error.__traceback__, 0, dict[str, Any]()
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self._file:
                line, values = trace.tb_lineno, trace.tb_frame.f_locals
            trace = trace.tb_next
        every = list(self.bound.statements())
        place = line - FIRST_LINE
        where = every[place] if 0 <= place < len(every) else None
        tuple_ = {name: values[f"x{n}"] for n, name in enumerate(self.bound.called) if f"x{n}" in values}
        clause = "" if where is None else f" in {where.clause}"
        text = "" if where is None else f"{where.text}; "
        return AggregateFailed(
            f"aggregate {self.bound.name} failed{clause}: {reason}",
            given=f"{text}tuple {tuple_}",
            remedy=_remedy(error),
            span=None if where is None else where.span,
        )


def _remedy(error: BaseException) -> str:
    if isinstance(error, AggregateFailed):
        return error.remedy
    division = isinstance(error, ZeroDivisionError)
    return "guard it with CASE or WHERE" if division else "check the statement against the tuple"


def _sources(statement: Any) -> list[Any]:
    from transom.uda.ir import queries_of

    return [source for query in queries_of(statement) for source in query.sources]


def _check_other(bound: BoundVersion, layout: Layout) -> None:
    for statement in bound.statements():
        for part in everything(statement):
            lone = isinstance(part, Field) and part.source.number < 0
            if lone and part.source.table.where == OTHER and part.source.table.index not in layout.variables:  # type: ignore[attr-defined]
                raise BadAggregate(
                    "other.<column> stands for a table that always has one row",
                    given=statement.text,
                    remedy="write a query with FROM other.<table>",
                    span=statement.span,
                )


def is_odd(columns: Lists) -> bool:
    """Whether there are NULLs, NaNs or infinities in the columns."""
    return any(map(_has_odd, columns))


def _has_odd(column: Sequence[Any]) -> bool:
    """If there is one, the sum is odd as well, or there is none."""
    try:
        if math.isfinite(sum(column)):
            return False
    except (TypeError, OverflowError):
        pass
    return any(value is None or (isinstance(value, float) and not math.isfinite(value)) for value in column)


def compiled(aggregate: UserAggregate, tables: Tables | None = None) -> tuple[Program | None, Program | None]:
    """The programs of the base and of the window version."""
    return _compiled(aggregate, tables or {}, Depth())


def _compiled(aggregate: UserAggregate, tables: Tables, depth: Depth) -> tuple[Program | None, Program | None]:
    bases = {other.name.lower(): _compiled(other, tables, depth)[0] for other in aggregate.uses}
    reads = aggregate.all_reads()
    base = None if aggregate.base is None else _program(aggregate, aggregate.base, bases, reads, tables, depth)
    if aggregate.window is None:
        return base, None
    window = _program(aggregate, aggregate.window, {**bases, aggregate.name.lower(): base}, reads, tables, depth)
    return base, window


def _program(
    aggregate: UserAggregate,
    version: Version,
    bases: Mapping[str, Program | None],
    reads: Mapping[str, Columns],
    tables: Tables,
    depth: Depth,
) -> Program:
    bound = bind_version(version, callable_versions(aggregate), reads)
    return Program(bound, [bases.get(name) for name in bound.uses], tables, depth)


def callable_versions(aggregate: UserAggregate) -> dict[str, Version]:
    """The base versions that the bodies of an aggregate may call, by name in lower case."""
    found = {other.name.lower(): other.base for other in aggregate.uses}
    if aggregate.base is not None:
        found[aggregate.name.lower()] = aggregate.base
    return {name: version for name, version in found.items() if version is not None}


__all__ = ["STEP", "Drive", "Program", "Tables", "callable_versions", "compiled", "is_odd"]
