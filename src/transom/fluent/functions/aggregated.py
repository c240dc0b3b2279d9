"""Aggregates and expressions that may stand in `agg` or `select`, and how what is given for a column is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Never

from sqlglot import exp

from transom.errors import BadExpression, BadFrame, BadQuery
from transom.fluent.functions.arithmetic import Arithmetic
from transom.fluent.functions.frames import check_clauses, rows_before
from transom.fluent.lengths import LengthLike, length_of
from transom.plan.expression import Aggregates, AnyAggregate, Expression, is_plain, parse
from transom.plan.nodes.windowed import Frame
from transom.plan.quoted import unquoted
from transom.plan.sql.window_sql import render_frame
from transom.semantics.length import Length, Rows

if TYPE_CHECKING:
    from transom.spark.column_text import Column

    Operand = str | Column
    """A column by name, a Spark SQL expression, or a PySpark Column."""


@dataclass(frozen=True, repr=False)
class Aggregated(Arithmetic):
    """An expression that may stand in `agg` or `select`, or be put over a frame; it can be computed with.

    >>> import transom as tr
    >>> tr.max("speed")
    MAX(speed)
    >>> tr.sum("fuel") / tr.count() * 100
    ((SUM(fuel)) / (COUNT(*))) * (100)
    """

    aggregates: tuple[AnyAggregate, ...] = ()

    @property
    def expression(self) -> Expression:
        """The expression, if nothing is known of the columns that there are."""
        return Expression.of(text_over(self, ()), qualified=True, aggregates=known_to(self, {}))

    def alias(self, name: str) -> Aggregated:
        """The same, as a result column of this name, as in PySpark.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").agg(tr.max("speed").alias("hi")).schema.names
        ['hi']
        """
        if not isinstance(name, str) or not name:
            raise BadQuery("an alias is a name", given=repr(name), remedy='give text: tr.max("speed").alias("hi")')
        return replace(self, name=name)

    def over(
        self,
        *,
        range: Rows | str | None = None,
        preceding: LengthLike | None = None,
        unbounded: str | None = None,
        partition_by: str | Column | Sequence[str | Column] = (),
        order_by: str | Column | None = None,
        slide: LengthLike | None = None,
        active_expiration: bool = False,
        unbounded_state: bool = False,
        **unknown: Never,
    ) -> Frame:
        """The aggregate of the rows up to each row, as SQL's `OVER` has it: exactly one of range, preceding, unbounded.

        `range=rows(50)` is the last 50 rows, the current one among them: the same rows as in `window(range=rows(50))`.
        `preceding` is SQL's `n PRECEDING`, counted from the current row: `preceding=rows(49)` is the same 50 rows, and
        `preceding="5 minutes"` the current row and those up to 5 minutes before it, one at exactly 5 minutes included, as with
        Spark's `rangeBetween`. `unbounded="rows"` is all rows so far, `unbounded="range"` those of the same instant too.

        Each partition of `partition_by` has its own frames, in the order of `order_by`, by default the stream's. `slide` gives a
        result only for the last row of each slot of that length. `active_expiration` gives one when a row leaves the frame, too,
        for an aggregate that has `expire`. `unbounded_state` allows state that grows with the stream.

        >>> import transom as tr
        >>> tr.sum("price").over(range=tr.rows(50), partition_by="item")
        SUM(price) OVER (PARTITION BY item ROWS 49 PRECEDING)
        >>> tr.avg("speed").over(preceding="5 minutes", partition_by="seg_id")
        AVG(speed) OVER (PARTITION BY seg_id RANGE 5 MINUTES PRECEDING)
        """
        check_clauses(unknown)
        given = [
            name for name, value in (("range", range), ("preceding", preceding), ("unbounded", unbounded)) if value is not None
        ]
        if len(given) != 1 or unbounded not in (None, "rows", "range"):
            raise BadFrame(
                "a frame is given by one of range, preceding, unbounded",
                given=", ".join(given) or "none of them",
                remedy='write over(range=rows(50)), over(preceding="5 minutes") or over(unbounded="rows")',
            )
        return Framed(
            said=self,
            aggregate=self.expression,
            preceding=_preceding(range, preceding),
            partition_by=column_names("partition_by", partition_by),
            order_by=None if order_by is None else column_name("order_by", order_by),
            slide=None if slide is None else length_of("slide", slide),
            peers=unbounded == "range",
            active=active_expiration,
            unbounded_state=unbounded_state,
        )

    def __repr__(self) -> str:
        text = self.expression.text
        return text if self.name is None else f"{text} AS {self.name}"


def text_over(one: Aggregated, columns: Iterable[str]) -> str:
    """The expression over these columns: an operand that is the name of one is that column, whatever else it could mean."""
    known = [column.lower() for column in columns]
    return one.form.format(*(_operand(operand, known) for operand in one.operands))


def known_to(one: Aggregated, aggregates: Aggregates) -> Aggregates:
    """The aggregates that users wrote and that an expression may call: these, and its own."""
    return {**aggregates, **{own.name.lower(): own for own in one.aggregates}}


@dataclass(frozen=True, kw_only=True, repr=False)
class Framed(Frame):
    """A frame whose aggregate is read again when it is known which columns there are.

    >>> import transom as tr
    >>> tr.sum("price").over(range=tr.rows(50), partition_by="item")
    SUM(price) OVER (PARTITION BY item ROWS 49 PRECEDING)
    """

    said: Aggregated

    def __repr__(self) -> str:
        return render_frame(self)


def _preceding(range: Rows | str | None, preceding: LengthLike | None) -> Length | None:
    """How far a frame goes back from the current row; None if it has no end."""
    if range is not None:
        return rows_before(range)
    return None if preceding is None else length_of("preceding", preceding)


def _operand(text: str, known: Sequence[str]) -> str:
    if is_plain(text) or text == "*" or (text.lower() not in known and _is_expression(text)):
        return text
    return str(exp.column(text, quoted=True).sql("spark"))


def _is_expression(text: str) -> bool:
    """Whether a text can be computed; otherwise it is taken for an odd name."""
    try:
        return not isinstance(parse(text), exp.Alias)
    except BadExpression:
        return False


def is_column(value: object) -> bool:
    """Whether this is a Column of PySpark, classic or of Spark Connect; without loading PySpark."""
    return type(value).__module__.startswith("pyspark.sql") and any(one.__name__ == "Column" for one in type(value).__mro__)


def operand(value: Operand | int | float) -> str:
    """What is given for a column or an expression, as text."""
    if isinstance(value, str):
        return value
    if is_column(value):
        from transom.spark.column_text import read_column

        return read_column(value)[1]
    if isinstance(value, int | float):
        return repr(value)
    raise BadExpression(
        "an aggregate takes names of columns, SQL expressions or PySpark Columns",
        given=repr(value),
        remedy='write "speed", "speed * 2" or F.col("speed")',
    )


def called(function: str, *arguments: Operand) -> Aggregated:
    """A function of columns or expressions."""
    form = f"{function}({', '.join(f'{{{n}}}' for n in range(len(arguments)))})"
    return Aggregated(form, tuple(operand(one) for one in arguments))


def aggregated(column: Column) -> Aggregated:
    """A Column of PySpark, with the name it gives itself."""
    from transom.spark.column_text import read_column

    name, text = read_column(column)
    return Aggregated(text.replace("{", "{{").replace("}", "}}"), (), name)


def column_name(clause: str, value: str | Column) -> str:
    """The name of a column, given by name or as a Column that is nothing but one."""
    if isinstance(value, str):
        return unquoted(value)
    if is_column(value):
        tree = parse(operand(value))
        if isinstance(tree, exp.Column) and not tree.table:
            return str(tree.name)
    raise BadQuery(
        f"{clause} names columns",
        given=repr(value),
        remedy="give the name of a column; compute others first, with select(...) and as_stream(...)",
    )


def column_names(clause: str, value: str | Column | Sequence[str | Column]) -> tuple[str, ...]:
    """One name or several."""
    several: Any = [value] if isinstance(value, str) or is_column(value) else value
    if not isinstance(several, list | tuple):
        raise BadQuery(f"{clause} names columns", given=repr(value), remedy="give a name, or a list of names")
    return tuple(column_name(clause, one) for one in several)


def names(value: str | Sequence[str]) -> tuple[str, ...]:
    """One name or several."""
    return (value,) if isinstance(value, str) else tuple(value)


def expr(text: str) -> Aggregated:
    """Any Spark SQL expression.

    >>> expr("max(speed) - min(speed)").expression.text
    'MAX(speed) - MIN(speed)'
    """
    if not isinstance(text, str):
        raise BadQuery("an expression is text", given=repr(text), remedy='write expr("max(speed) - min(speed)")')
    return Aggregated(text.replace("{", "{{").replace("}", "}}"))
