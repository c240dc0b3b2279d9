"""Joins of windows, and of streams whose timestamps a condition keeps together (interval joins)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, ConflictingClauses, NotSupported, UnboundedState
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import STAMP
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.distances import Distances
from transom.plan.relations.equalities import terms_of
from transom.plan.relations.flat_naming import flattened
from transom.plan.relations.naming import Naming
from transom.plan.relations.window_join import JoinStep, WindowJoin
from transom.plan.types.schema import Schema
from transom.semantics.classes.measured import base_of
from transom.semantics.tuples import Rank
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow

REMEDY = "put a window behind each stream, for example [RANGE 5 MINUTES], or bound the distance of their timestamps: "


@dataclass(frozen=True)
class JoinedInputs:
    """The inputs of a FROM that are streams or windows, by the names that the query has for them, and how it joins them."""

    nodes: tuple[Node, ...]
    names: tuple[str, ...]
    joins: tuple[exp.Join, ...]
    where: Resolver
    unseen: tuple[frozenset[str], ...] = ()
    """For each join, the relations within the inputs so far that FROM names only behind it."""
    written: tuple[exp.Join, ...] = ()
    """All joins of FROM, where as-of joins stand among them."""

    def bind(self, condition: exp.Expr | None) -> WindowJoin:
        """The join. `condition` is that of WHERE, which may bound the distance of timestamps, too."""
        last = self.joins[-1]
        naming = self.where.located(last, lambda: Naming(self.nodes, self.names, check_using(self.joins)))
        steps = tuple(self._step(n, join, naming) for n, join in enumerate(self.joins, start=1))
        nodes = self.nodes
        if any(node.is_windowed for node in nodes):
            nodes = tuple(map(_at_its_instant, nodes))
        else:
            nodes = self._in_windows(naming, steps, condition)
        stamp = self._stamp()
        return self.where.located(last.this, lambda: WindowJoin(nodes, self.names, steps, stamp, tuple(naming.using)))

    def _stamp(self) -> str:
        given = [str(join.meta[STAMP]) for join in self.written or self.joins if STAMP in join.meta]
        if len(set(given)) > 1:
            raise ConflictingClauses(
                "rows of a join have one timestamp", given=" and ".join(given), remedy="write TIMESTAMP once, behind the last"
            )
        return given[0] if given else "min"

    def _step(self, side: int, join: exp.Join, naming: Naming) -> JoinStep:
        on, using = join.args.get("on"), join.args.get("using")
        if using:
            pairs = ((naming.owners[0, name.lower()], naming.owners[side, name.lower()]) for name in naming.using)
            columns = [exp.EQ(this=_column(one), expression=_column(other)) for one, other in pairs]
            return JoinStep(kind_of(join), Expression.of(exp.and_(*columns)))
        if on is None:
            return JoinStep(kind_of(join), Expression.of("TRUE"))
        everything = tuple(range(len(naming.inputs)))
        relations = flattened(naming, everything)
        unseen = self.unseen[side - 1] if self.unseen else frozenset[str]()
        known = [name for name, of in zip(relations.names, relations.side, strict=True) if of <= side and name not in unseen]
        seen = {name: name for name in known}
        schema = Schema(naming.visible(everything), naming.hidden(everything))
        names = Resolver(schema, seen, self.where.sql, self.where.aggregates, relations)
        condition = names.expression(on)
        if condition.is_aggregate:
            raise BadQuery("a join compares rows, not groups", given=condition.text, remedy="aggregate a query on the join",
                           span=names.span(on))  # fmt: skip
        later = {here: relations.names[n] for (n, _), here in relations.owners.items() if relations.names[n] not in seen}
        wrong = next((name for name in condition.columns if name in later), None)
        if wrong is not None:
            raise BadQuery(
                "a join compares what stands before it with what it joins",
                given=f"{later[wrong]}.{wrong}",
                exists=[*seen],
                remedy="put the condition behind the later join",
                span=names.span(on),
            )
        return JoinStep(kind_of(join), condition)

    def _in_windows(self, naming: Naming, steps: Sequence[JoinStep], condition: exp.Expr | None) -> tuple[Node, ...]:
        """The streams, each in the window that its tuples have to be kept for."""
        terms = [term for step in steps for term in terms_of(step.condition.tree)]
        if condition is not None and all(step.kind == "INNER" for step in steps):
            terms += self._filtered(condition, naming)
        self._refuse_latent()
        self._refuse_without_progress()
        distances = Distances.of(naming, terms)
        apart = distances.unbounded()
        if apart is not None:
            one, other = (naming.names[n] for n in apart)
            first, second = (naming.written(n, naming.inputs[n].timestamps[-1])[1] for n in apart)
            raise UnboundedState(
                f"nothing bounds how far the timestamps of {one} and {other} are apart: rows would wait for a match for ever",
                given=self.joins[-1].sql("spark")[:80],
                remedy=f"{REMEDY}{other}.{second} BETWEEN {one}.{first} - INTERVAL 1 HOUR AND {one}.{first}",
                span=self.where.span(self.joins[max(apart) - 1]),
            )
        return tuple(
            self.where.located(self.joins[max(n - 1, 0)], partial(Cut, node, distances.window(n)))
            for n, node in enumerate(naming.inputs)
        )

    def _refuse_without_progress(self) -> None:
        """Windows of rows in the order of arrival end by count: their results follow no time, and none is ever surely past."""
        for n, node in enumerate(self.nodes):
            cut = next((below for below in node.chain() if below.gives_instants), None)
            base = base_of(cut.window) if isinstance(cut, Cut) else None
            if isinstance(base, RowWindow) and not isinstance(base.wattr, Rank):
                raise UnboundedState(
                    f"{self.names[n]} is made of windows that end by count, so its rows would wait for a match for ever",
                    given=node.label(),
                    remedy=f"count in the order of time, with WATTR rank(...), or put a window behind {self.names[n]}",
                    span=self.where.span(self.joins[max(n - 1, 0)]),
                )

    def _filtered(self, condition: exp.Expr, naming: Naming) -> list[exp.Expr]:
        everything = tuple(range(len(naming.inputs)))
        schema = Schema(naming.visible(everything), naming.hidden(everything))
        relations = flattened(naming, everything)
        seen = {name: name for name in relations.names}
        names = Resolver(schema, seen, self.where.sql, self.where.aggregates, relations)
        return terms_of(names.expression(condition).tree)

    def _refuse_latent(self) -> None:
        for n, node in enumerate(self.nodes):
            scan = list(node.chain())[-1]
            if isinstance(scan, Scan) and scan.stream.order_by is None:
                raise BadQuery(
                    f"{self.names[n]} has no timestamps, so it cannot be joined on time",
                    given=scan.stream.title,
                    remedy="give the stream an ORDER BY, or put a window of rows behind it, such as [RANGE 1000 ROWS]",
                    span=self.where.span(self.joins[max(n - 1, 0)]),
                )


def check_using(joins: Sequence[exp.Join]) -> tuple[str, ...]:
    """The columns of USING, which are the same in all joins of a query."""
    given = [tuple(str(column.name) for column in join.args.get("using") or ()) for join in joins]
    if len({tuple(name.lower() for name in one) for one in given}) > 1:
        raise NotSupported(
            "joins of one query have the same USING",
            given=", ".join(f"USING ({', '.join(one)})" if one else "ON" for one in given),
            remedy="write ON for each of them",
        )
    if len(given) > 1 and given[0] and any(kind_of(join) in ("RIGHT", "FULL") for join in joins):
        raise NotSupported(
            "USING with RIGHT or FULL joins two inputs alone", given=f"USING ({', '.join(given[0])})", remedy="write ON"
        )
    return given[0]


def _at_its_instant(node: Node) -> Node:
    """The rows of an as-of join beside windows: each is there at its own instant."""
    return Cut(node, Now(wattr=str(node.time_attribute))) if isinstance(node, AsOfJoin) else node


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def kind_of(join: exp.Join) -> str:
    """INNER, LEFT, RIGHT, FULL, SEMI or ANTI."""
    kind = str(join.kind).upper()
    return kind if kind in ("SEMI", "ANTI") else str(join.side or "INNER").upper()
