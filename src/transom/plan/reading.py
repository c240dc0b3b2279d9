"""How an operator reads its stream: which disorder clauses hold for it, and what its progress comes from."""

from __future__ import annotations

from dataclasses import dataclass

from transom.column_names import EVENT_TS
from transom.disorder.ordered import Ordered
from transom.plan.nodes.disorder import Disorder, PunctuationClause
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.windowed import Cut, Frames
from transom.plan.types.schema import Schema, unit_of_type
from transom.semantics.classes.measured import base_of
from transom.semantics.length import Unit


@dataclass(frozen=True)
class Reading:
    """The stream that an operator reads, None where another operator is below it; the disorder clauses that hold; the attribute
    that places tuples on its axis, None in the order of arrival; and the order column of the stream.

    With `own` progress the bracket of the window says where it comes from, and it is about the window's attribute.
    """

    scan: Scan | None
    disorder: Disorder
    attribute: str | None
    order: str
    schema: Schema
    own: bool = False

    @property
    def punctuation(self) -> PunctuationClause | None:
        generator = self.disorder.generator
        return generator if isinstance(generator, PunctuationClause) else None

    @property
    def promised_attribute(self) -> str:
        """The column that promises speak of: the stream's order, or the window's own axis if the bracket says how."""
        if self.punctuation is not None:
            return self.punctuation.columns[-1]
        return self.attribute if self.own and self.attribute is not None else self.order

    @property
    def hears_promises(self) -> bool:
        """Whether promises are about the axis. Without one, in the order of arrival, those of the source say nothing."""
        return self.punctuation is None if self.attribute is None else self.attribute == self.promised_attribute

    @property
    def promised_columns(self) -> tuple[str, ...]:
        """The columns of groups that promises speak of."""
        generator = self.disorder.generator
        if not self.hears_promises:
            return ()
        if isinstance(generator, PunctuationClause):
            return generator.columns[:-1]
        return generator.per if isinstance(generator, Ordered) else ()

    @property
    def named_columns(self) -> tuple[str, ...]:
        """All columns that disorder clauses look at in the tuples that come to the window."""
        generator, named = self.disorder.generator, [self.order]
        if isinstance(generator, PunctuationClause):
            named += [*generator.columns, *generator.when.columns]
        elif isinstance(generator, Ordered):
            named += generator.per
        return tuple(named)

    @property
    def per_source(self) -> tuple[str, ...] | None:
        """The columns that tell substreams apart; () if the source does, as a topic does by its partitions."""
        if self.scan is None:
            return None
        source = self.scan.stream.source
        topic = source is not None and source.kind.upper() == "KAFKA"
        return () if self.disorder.per_source is None and topic else self.disorder.per_source

    @property
    def reads_files(self) -> bool:
        """Whether substreams are files, each of which ends with the micro-batch that reads it."""
        source = None if self.scan is None else self.scan.stream.source
        return source is None or source.kind.upper() == "FILE"

    @property
    def in_time(self) -> bool:
        """Whether the axis can be compared with a clock."""
        return self.attribute is not None and unit_of_type(self.schema.find(self.attribute)) is Unit.TIME

    @property
    def is_controlled(self) -> bool:
        """Whether a controller looks at the whole sequence: every shard is then sent all of it."""
        reads = self.scan is not None and self.hears_promises and self.attribute is not None
        return reads and self.disorder.is_controlled

    @property
    def judges_each(self) -> bool:
        """Whether only the operator can judge tuples, and each by itself: by what others say of it or of its group, by its own
        substream, or because it matters by itself if it is late."""
        one_by_one = self.disorder.late == "consistent" or self.disorder.ahead is not None
        generator = self.disorder.generator
        told = self.scan is None or not self.hears_promises or self.punctuation is not None
        return one_by_one or told or self.per_source is not None or bool(isinstance(generator, Ordered) and generator.per)


def read_by(cut: Cut) -> Reading:
    """How a window reads the stream below it."""
    return reading_of(_scan_below(cut), cut, base_of(cut.window).attribute, cut.input.schema)


def reading_of(scan: Scan | None, cut: Cut | None, attribute: str | None, schema: Schema) -> Reading:
    """How an operator with this attribute reads a stream, or another operator's results; a window's clauses come first."""
    own = cut is not None and cut.disorder.generator is not None
    return Reading(scan, disorder_of(scan, cut), attribute, order_of(scan), schema, own)


def disorder_of(scan: Scan | None, cut: Cut | None) -> Disorder:
    """The disorder clauses that hold: a window's own stand in for the stream's."""
    disorder = _merged(Disorder() if scan is None else scan.stream.disorder, Disorder() if cut is None else cut.disorder)
    return disorder if cut is None else disorder.within(getattr(base_of(cut.window), "range", None))


def _scan_below(cut: Cut) -> Scan | None:
    """The stream that a window reads, if no other operator is in between."""
    *between, last = cut.input.chain()
    stateful = any(isinstance(node, Cut | Frames) for node in between)
    return last if isinstance(last, Scan) and not stateful else None


def order_of(node: Scan | None) -> str:
    """The order column of what an operator reads."""
    return EVENT_TS if node is None else node.stream.order


def _merged(stream: Disorder, window: Disorder) -> Disorder:
    """A window's own clause stands in for the stream's."""
    generator = window.generator if window.generator is not None else stream.generator
    return Disorder(
        generator=generator,
        buffer=window.buffer if window.generator is not None else stream.buffer,
        per_source=window.per_source if window.per_source is not None else stream.per_source,
        idle_after=window.idle_after or stream.idle_after,
        ahead=window.ahead or stream.ahead,
        arrival_by=window.arrival_by or stream.arrival_by,
        late=window.late or stream.late,
    )
