"""What a user-defined aggregate says: its arguments, what it returns, its tables and its clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from transom.errors import Span

CLAUSES = ("INITIALIZE", "ITERATE", "TERMINATE", "EXPIRE", "COMBINE")

INWINDOW = "inwindow"
RETURN = "return"
OTHER = "other"

Columns = tuple[tuple[str, str], ...]
"""Names and their SQL types."""


@dataclass(frozen=True)
class Statement:
    """One statement of a body: its canonical text, its tree, and where it stands."""

    text: str
    tree: exp.Expr = field(compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class TableDefinition:
    """`TABLE name(column TYPE, ...)`."""

    name: str
    columns: Columns
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Version:
    """One version of an aggregate, the base or the window version, as it was written."""

    name: str
    is_window: bool
    arguments: Columns
    returns: Columns
    tables: tuple[TableDefinition, ...] = ()
    clauses: tuple[tuple[str, tuple[Statement, ...]], ...] = ()
    algebraic: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    def clause(self, name: str) -> tuple[Statement, ...]:
        """The statements of a clause; none if it is missing."""
        return dict(self.clauses).get(name, ())

    def statements(self) -> Iterator[tuple[str, Statement]]:
        """All statements, each with its clause."""
        for name, statements in self.clauses:
            for statement in statements:
                yield name, statement

    @property
    def is_blocking(self) -> bool:
        """Whether it waits for the end of its input: a TERMINATE that is not empty (seed 003, section 3)."""
        return bool(self.clause("TERMINATE"))

    @property
    def returns_type(self) -> str:
        """The type of a result as a column has it: of several columns, a struct."""
        if len(self.returns) == 1 and not self.returns[0][0]:
            return self.returns[0][1]
        return "STRUCT<" + ", ".join(f"{name}: {kind}" for name, kind in self.returns) + ">"

    @property
    def own_tables(self) -> tuple[TableDefinition, ...]:
        """The tables that are the body's own: all but inwindow."""
        return tuple(table for table in self.tables if table.name.lower() != INWINDOW)

    @property
    def inwindow(self) -> TableDefinition:
        """The columns of inwindow; not declared, they are called as the arguments are."""
        declared = next((table for table in self.tables if table.name.lower() == INWINDOW), None)
        return declared or TableDefinition(INWINDOW, self.arguments)


@dataclass(frozen=True)
class UserAggregate:
    """An aggregate of a name: its versions, and the aggregates and tables that they use."""

    name: str
    base: Version | None = None
    window: Version | None = None
    uses: tuple[UserAggregate, ...] = ()
    reads: tuple[tuple[str, Columns], ...] = ()

    @property
    def either(self) -> Version:
        """A version, for what both have in common."""
        found = self.base or self.window
        assert found is not None
        return found

    @property
    def arguments(self) -> Columns:
        return self.either.arguments

    @property
    def returns_type(self) -> str:
        return self.either.returns_type

    @property
    def is_blocking(self) -> bool:
        """Whether the version that runs without a window waits for the end of its input."""
        return self.base is None or self.base.is_blocking

    @property
    def expires(self) -> bool:
        """Whether the window version does something when a tuple expires."""
        return self.window is not None and bool(self.window.clause("EXPIRE"))

    @property
    def can_combine(self) -> bool:
        """Whether states of consecutive stretches can be combined: COMBINE."""
        return self.base is not None and bool(self.base.clause("COMBINE"))

    @property
    def can_feed_itself(self) -> bool:
        """Whether results of the base version may be fed into the window version: ALGEBRAIC, and the types agree."""
        base, window = self.base, self.window
        if base is None or window is None or not (base.algebraic or window.algebraic):
            return False
        return [kind for _, kind in base.returns] == [kind for _, kind in window.arguments]

    def all_reads(self) -> dict[str, Columns]:
        """The ordinary tables that it and the aggregates it uses read."""
        found = dict(self.reads)
        for other in self.uses:
            found |= other.all_reads()
        return found
