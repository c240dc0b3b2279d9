"""The tree of errors.

Every error a user can cause has a stable CamelCase name, which its first line begins with, and says what is
wrong, what was given, what exists and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A stretch of a text that somebody wrote: from `start` to `end`, `end` not included."""

    text: str
    start: int
    end: int

    def show(self) -> str:
        """The line it begins in, with the stretch underlined."""
        line_start = self.text.rfind("\n", 0, self.start) + 1
        line_end = self.text.find("\n", self.start)
        line = self.text[line_start : line_end if line_end >= 0 else len(self.text)]
        number, column = self.text.count("\n", 0, self.start) + 1, self.start - line_start
        left = max(0, column - 60)
        shown = ("..." if left else "") + line[left + 3 * bool(left) : left + 120].replace("\t", " ")
        width = max(1, min(self.end - self.start, len(shown) - (column - left)))
        prefix = f"  line {number}: "
        return f"{prefix}{shown}\n{' ' * (len(prefix) + column - left)}{'^' * width}"


class TransomError(Exception):
    """The root of all Transom errors.

    >>> print(NotPositive("RANGE must be greater than zero", given="0 seconds", remedy="give a length above zero"))
    NotPositive: RANGE must be greater than zero
      given:  0 seconds
      remedy: give a length above zero
    """

    def __init__(
        self,
        problem: str,
        *,
        given: object = None,
        exists: Iterable[object] | None = None,
        remedy: str = "",
        span: Span | None = None,
    ) -> None:
        self.problem = problem
        self.given = given
        self.exists = None if exists is None else [str(name) for name in exists]
        self.remedy = remedy
        self.span = span
        super().__init__(problem)

    @property
    def name(self) -> str:
        return type(self).__name__

    def __str__(self) -> str:
        lines = [f"{self.name}: {_short(self.problem)}"]
        if self.span is not None:
            lines.append(self.span.show())
        if self.given is not None:
            lines.append(f"  given:  {_short(self.given)}")
        if self.exists is not None:
            lines.append(f"  exists: {_short(', '.join(self.exists) or 'none')}")
        if self.remedy:
            lines.append(f"  remedy: {self.remedy}")
        return "\n".join(lines)


def _short(text: object, most: int = 2000) -> str:
    """As much of a text as a person will read."""
    shown = str(text)
    return shown if len(shown) <= most else f"{shown[:most]} ... ({len(shown)} characters)"


def nearest(name: str, names: Iterable[str]) -> str:
    """A remedy that proposes the existing name closest to a wrong one.

    >>> nearest("sped", ["speed", "ts"])
    "did you mean 'speed'?"
    """
    matches = difflib.get_close_matches(str(name), [str(one) for one in names], n=1)
    return f"did you mean {matches[0]!r}?" if matches else "name one of those that exist"


class SyntaxMistake(TransomError):
    """SQL that cannot be parsed."""


class NotSupported(TransomError):
    """A construct of the language that this version does not have yet."""


class SpecError(TransomError):
    """A window specification that makes no sense."""


class NotPositive(SpecError):
    """A length that must be greater than zero is not."""


class BadRatio(SpecError):
    """A drop ratio that is not between 0% and 100%."""


class NotALength(SpecError):
    """Something that is neither a duration, nor rows, nor a number stands where a length is needed."""


class NotAName(SpecError):
    """Something that is no name stands where a column is to be named."""


class MixedUnits(SpecError):
    """Lengths of one window are in units that cannot be compared."""


class MissingClause(SpecError):
    """A clause that the window cannot do without is missing."""


class ConflictingClauses(SpecError):
    """Clauses that exclude each other, or a clause that this kind of window does not have."""


class UnknownClause(SpecError):
    """A clause that no window has."""


class PartialNeedsOrigin(SpecError):
    """PARTIAL OFF on a window that is never partial."""


class NotDivisible(SpecError):
    """LANDMARK EVERY d SLIDE s where s does not divide d."""


class EmptyBand(SpecError):
    """Fixed bounds of which the lower is above the upper."""


class SlideTooSmall(SpecError):
    """A slide that doubles cannot resolve at the window's origin."""


class BadPolicy(SpecError):
    """A policy of a window that makes no sense where it stands."""


class TimeError(TransomError):
    """Something that cannot be read as a time or a duration."""


class BadDuration(TimeError):
    """A text that is not a duration."""


class BadTimestamp(TimeError):
    """A value that is not a timestamp."""


class TimeOutOfRange(TimeError):
    """A time that does not fit into 64-bit microseconds."""


class QueryError(TransomError):
    """A query that does not fit its stream."""


class UnknownStream(QueryError):
    """A stream or table that does not exist."""


class BlockingAggregate(QueryError):
    """Something that would have to wait for the end of a stream, which has none."""


class UnboundedState(QueryError):
    """A query whose state would grow as long as the stream goes on."""


class UnknownColumn(QueryError):
    """A column that the stream does not have."""


class BadCall(QueryError, TypeError):
    """Arguments that a function or a method does not take."""


class UnknownMethod(QueryError, AttributeError):
    """A method that a stream, a window or a query does not have."""

    @property
    def name(self) -> str:
        return "UnknownMethod"

    @name.setter
    def name(self, attribute: str) -> None:
        """Python writes the name of the attribute here, which the message has already."""


class UnknownFunction(QueryError):
    """A function that neither Spark SQL has nor the user has written."""


class UnknownType(QueryError):
    """A column type that Transom does not know."""


class NotOrdered(QueryError):
    """A window over an attribute whose type has no order to window on."""


class WrongUnit(QueryError):
    """A length in a unit that the windowing attribute is not measured in."""


class ReservedName(QueryError):
    """A column with a name that windows use for their own columns."""


class BadExpression(QueryError):
    """A scalar expression that cannot be parsed or is not supported here."""


class BadFrame(QueryError):
    """An OVER frame that makes no sense."""


class BadPunctuation(QueryError):
    """Punctuation over columns, or with values, that make no sense."""


class NoInstant(QueryError):
    """Something applies within an instant, where there are no instants."""


class BadQuery(QueryError):
    """Parts of a query that do not go together."""


class NotACondition(QueryError):
    """A condition that is neither true nor false: a number, a text or a time."""


class NotPunctuated(QueryError):
    """A window that ends at punctuation, over a stream that carries none."""


class WindowNotTaken(QueryError):
    """A window that the input port of an operator does not take."""


class AggregateError(TransomError):
    """An aggregate that somebody wrote and that makes no sense, or failed."""


class BadAggregate(AggregateError):
    """A definition of an aggregate whose parts do not go together."""


class UnknownTable(AggregateError):
    """A body names a table that is neither its own nor an ordinary one."""


class ReadOnlyTable(AggregateError):
    """A body writes to a table that is not its own to write: inwindow, an ordinary table, or the other state."""


class TypeMismatch(AggregateError):
    """A value of a type that does not fit where it stands."""


class AggregateFailed(AggregateError):
    """A body failed while it ran."""


class TooMuchRecursion(AggregateError):
    """Aggregates that call each other without end."""


class NotPicklable(AggregateError):
    """A Python aggregate, or the state of an operator, that cannot be sent or saved."""


class WrongReturn(AggregateError):
    """A Python aggregate returned something else than it declares."""


class OperatorError(TransomError):
    """An operator that somebody wrote and that makes no sense, or failed."""


class BadOperator(OperatorError):
    """An operator whose declarations do not go together."""


class OperatorFailed(OperatorError):
    """An event handler of an operator failed while it ran."""


class ReadOnlyWindow(OperatorError):
    """An event handler tried to change the window that it was given."""


class WrongEmit(OperatorError):
    """An operator emitted a row that does not fit what it declares."""


class TupleError(TransomError):
    """A tuple that does not fit its stream."""


class BadTuple(TupleError):
    """A tuple with the wrong number of values, or a value of the wrong type."""


class WindowIdOutOfRange(TupleError):
    """A value so far from the origin that its window cannot be distinguished from the next."""


class EndpointError(TransomError):
    """A source or a sink that cannot be read or written as asked."""


class BadOption(EndpointError):
    """An option that a source or a sink does not have, or a value that it cannot take."""


class MissingSource(EndpointError):
    """A file, a folder or a table that is not there."""


class MissingConnector(EndpointError):
    """A connector that Spark needs and does not have on its class path."""


class ArithmeticOverflow(TransomError):
    """A result that does not fit into its type."""


class MissingSession(TransomError):
    """A query that is to run, and no Spark session to run it in."""


class MissingSetting(TransomError):
    """A session without a setting that a query cannot do without. It is the user's to set: Transom sets nothing there."""


class QueryFailed(TransomError):
    """A query that failed while it ran, for a reason that is not Transom's to name."""


class WorkerNotStarted(QueryFailed):
    """A Python process of Spark's that has not answered within the ten seconds that Spark gives it."""


class BadRecord(TransomError):
    """A record of progress that cannot be read, or is empty."""


class CheckpointMismatch(TransomError):
    """A checkpoint that belongs to another query, or was written in another format."""


class CheckpointDamaged(TransomError):
    """A checkpoint that is incomplete, or of which a part cannot be read."""


class TestingError(TransomError):
    """What `transom.testing` reports."""

    __test__ = False


class BadTranscript(TestingError):
    """A transcript that makes no sense."""


class RowsDiffer(TestingError, AssertionError):
    """Two bags of rows are not equal."""


class TranscriptFailed(TestingError, AssertionError):
    """An engine did not do what a transcript expects."""


class LateTuplesWarning(UserWarning):
    """Tuples of a stream came late, and nothing says how late they may be: SLACK 0 is what holds then."""
