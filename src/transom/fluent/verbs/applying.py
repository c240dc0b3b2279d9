"""Operators of the windowing library, applied to streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transom.errors import BadOperator, nearest
from transom.fluent.verbs.planned import Planned, plan_of
from transom.plan.applied.apply_operator import applied
from transom.plan.nodes.node import Node
from transom.windowing.operator.given import check_operator
from transom.windowing.operator.ports import inputs_of, outputs_of

if TYPE_CHECKING:
    from transom.fluent.relation import Relation
    from transom.windowing import Operator, WindowKind


@dataclass(frozen=True, repr=False)
class Applying(Planned):
    """Operators over this stream."""

    def apply(
        self,
        operator: Operator,
        window: WindowKind | Mapping[str, WindowKind],
        *,
        per_shard: bool = False,
        **others: Relation,
    ) -> Any:
        """The rows that an operator gives whose window is fed by this stream: a `Relation`, or `Outputs` where it has several.

        Tuples come in the order of arrival. An operator with several input ports gets a window for each, by port, and the other
        streams by the names of their ports; this one feeds the port that is left. One with several outputs returns them by
        name. A limit on partitions holds for all of them together, or with `per_shard` in each shard by itself.

        >>> from transom import stream
        >>> from transom.windowing import count, sliding
        >>> from transom.windowing.operators import Vwap
        >>> trades = stream({"ticker": "STRING", "price": "DOUBLE", "volume": "BIGINT"}, name="trades")
        >>> prices = trades.apply(Vwap(), window=sliding(count(100), count(10)).partitioned_by("ticker"))
        >>> prices.schema.names
        ['ticker', 'vwap']
        """
        check_operator(operator)
        feeds = _feeds(operator, self.plan, others)
        outputs = outputs_of(operator.gives)
        relations = {
            output: self._made(applied(operator, window, feeds, output=output, per_shard=per_shard)) for output in outputs
        }
        return Outputs(relations) if len(relations) > 1 else next(iter(relations.values()))


class Outputs(Mapping[str, "Relation"]):
    """The outputs of an operator, by name or as attributes. Each is a stream, and a query of its own.

    >>> from transom import stream
    >>> from transom.windowing import count, sliding
    >>> from transom.windowing.toolkit import OuterJoin
    >>> one, other = stream({"a": "BIGINT"}, name="one"), stream({"b": "BIGINT"}, name="other")
    >>> join = OuterJoin("a BIGINT, b BIGINT", match=lambda x, y: x.a == y.b, pair=lambda x, y: (x.a, y.b))
    >>> windows = {"left": sliding(count(10), count(1)), "right": sliding(count(10), count(1))}
    >>> joined = one.apply(join, windows, right=other)
    >>> list(joined), joined.left.schema.names, joined["matched"].schema.names
    (['matched', 'left', 'right'], ['a'], ['a', 'b'])
    """

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = dict(relations)

    def __getitem__(self, name: str) -> Relation:
        if name not in self._relations:
            raise BadOperator(
                "there is no such output", given=name, exists=self._relations, remedy=nearest(name, list(self._relations))
            )
        return self._relations[name]

    def __getattr__(self, name: str) -> Relation:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._relations)

    def __len__(self) -> int:
        return len(self._relations)

    def __repr__(self) -> str:
        return f"<Outputs {', '.join(self._relations)}>"


def _feeds(operator: Operator, first: Node, others: Mapping[str, Relation]) -> dict[str, Node]:
    """The stream of each port: the first feeds the port that no other is named for."""
    ports = list(inputs_of(operator.takes))
    for name in others:
        if name not in ports:
            raise BadOperator(
                f"{type(operator).__name__} has no such input port",
                given=name,
                exists=ports,
                remedy=nearest(name, [*ports, "per_shard"]),
            )
    left = [port for port in ports if port not in others]
    if len(left) != 1:
        raise BadOperator(
            f"{type(operator).__name__} needs a stream for each port",
            given=", ".join(others) or "one stream",
            exists=ports,
            remedy="name the streams of the other ports: " + ", ".join(f"{port}=..." for port in left[1:])
            if left
            else "leave one port to the stream that apply is called on",
        )
    return {left[0]: first, **{port: plan_of(port, other) for port, other in others.items()}}
