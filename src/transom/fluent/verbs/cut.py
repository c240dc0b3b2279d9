"""Cutting a stream into windows, and what a window leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Never

from transom.errors import BadQuery, ConflictingClauses
from transom.fluent.verbs.planned import Planned
from transom.fluent.windows import WindowSpec, clause, merged, stamp_of
from transom.plan.applied.port_graph import check_punctuation
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.policies_of_columns import spelled_window
from transom.plan.nodes.relational import Derived, Scan
from transom.plan.nodes.windowed import Cut
from transom.plan.order import check_order
from transom.semantics.bracket import Bracket
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policy_window import PolicyWindow

if TYPE_CHECKING:
    from transom.fluent.lengths import LengthLike
    from transom.fluent.relation import Relation, Windowed
    from transom.fluent.select_list import Condition
    from transom.fluent.windows import Attribute, Attributes
    from transom.semantics.length import Value
    from transom.windowing import WindowKind


@dataclass(frozen=True, repr=False)
class Cutting(Planned):
    """Windows on a stream, and streams of results and of late tuples."""

    def window(
        self,
        spec: WindowSpec | WindowKind | None = None,
        /,
        *more: Never,
        range: LengthLike | None = None,
        slide: LengthLike | None = None,
        tumble: LengthLike | None = None,
        gap: LengthLike | None = None,
        wattr: Attribute | None = None,
        pattr: Attributes | None = None,
        where: Condition | None = None,
        offset: LengthLike | None = None,
        origin: Value | None = None,
        lag: LengthLike | None = None,
        partial: bool | None = None,
        rattr: Attribute | None = None,
        sattr: Attribute | None = None,
        landmark: bool | None = None,
        since: Value | None = None,
        until: Value | None = None,
        every: LengthLike | None = None,
        band: tuple[Value, Value] | None = None,
        now: bool | None = None,
        max: LengthLike | None = None,
        timestamp: str | None = None,
        unbounded_state: bool = False,
        **unknown: Never,
    ) -> Windowed:
        """Cut the stream into windows: by one of the constructors, or by the clauses of a SQL bracket, in small letters.

        `range` and `slide` are lengths: of time (`minutes(5)`, `timedelta`, `"5 minutes"`), `rows(100)`, numbers; `tumble` is
        both at once, `gap` is that of a session. `wattr` is the column they are measured on, by default the stream's `order_by`;
        `pattr` cuts each partition by itself (sessions: by default each group); `where` picks tuples of the extent.
        `offset`, `origin`, `lag` and `partial` move and cut windows; `rattr` and `sattr` belong to windows that slide by
        tuple; `landmark`, `since`, `until`, `every` and `band` to windows that grow;
        `now` is each instant; `max` bounds a `range` that depends on `window_end`. With `timestamp` "min" or "max" the
        `event_ts` of a result is that of its tuples and not its instant. `unbounded_state` allows state that grows.

        >>> from transom import minutes, stream, tumbling
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(range=minutes(5), slide=minutes(1)).agg(n="count(*)").sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts]'
        >>> traffic.window(tumbling("5 minutes")).agg(n="count(*)").sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]'

        A window with policies, of `transom.windowing`, is taken as it is:

        >>> from transom import windowing
        >>> traffic.window(windowing.tumbling(windowing.time("5 seconds"))).agg(n="count(*)").sql()
        'SELECT COUNT(*) AS n FROM traffic [TUMBLING time(5 SECONDS)]'
        """
        if self.plan.is_windowed:
            raise ConflictingClauses(
                "this stream is windowed already", given="window(...) twice", remedy="name the query first: as_stream(...)"
            )
        if more:
            raise ConflictingClauses(
                "a window is given by one of the constructors, or by keywords",
                given=", ".join(repr(one) for one in (spec, *more)),
                remedy='write window(tumbling("5 minutes", wattr="ts")) or window(tumble="5 minutes", wattr="ts")',
            )
        outside = ("self", "spec", "more", "unknown", "timestamp", "unbounded_state", "outside")
        keywords = {name: value for name, value in locals().items() if name not in outside}
        if isinstance(spec, Configuration):
            given = {name for name, value in keywords.items() if value is not None}
            given |= {"timestamp"} if timestamp is not None else set()
            return self._windowed(_by_policies(self.plan, spec, given))
        clauses = {name: clause(name, value, self.plan) for name, value in merged(spec, keywords | unknown).items()}
        cut = Bracket.of(order=self.plan.time_attribute, **clauses).window()
        check_order(cut, self.plan, clauses.get("wattr") or clauses.get("rattr"), handed_over=True)
        return self._windowed(Cut(self.plan, cut, timestamp=stamp_of(timestamp), unbounded_state=unbounded_state))

    def as_stream(self, name: str, *, defined: bool = False) -> Relation:
        """The result as a stream called `name`, to be windowed again; `defined` as CREATE STREAM does, to go by its name in SQL.

        Its timestamp is `event_ts`: of what a window gives, the end of the window.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> minutes = traffic.window(tumble="1 minute").agg(hi=tr.max("speed")).as_stream("minutes")
        >>> minutes.window(tumble="1 hour").agg("window_end", mean=tr.avg("hi")).schema.names
        ['window_end', 'mean']
        """
        if not isinstance(name, str) or not name:
            raise BadQuery("a stream has a name", given=repr(name), remedy='give text: as_stream("per_minute")')
        return self._made(Derived(self.plan, name, defined=defined))

    def late(self, *, called: str | None = None) -> Relation:
        """The tuples that missed a window, with the `frontier` that excluded them; a stream `called` so in SQL.

        To write them beside the results, in one execution: `tr.write(q.insert_into(...), q.late().insert_into(...))`.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", slack="10 seconds", name="traffic")
        >>> traffic.window(tumble="1 minute").agg(hi=tr.max("speed")).late().schema.names
        ['speed', 'ts', 'frontier']
        """
        name = self.plan.stream.name if isinstance(self.plan, Scan) else getattr(self.plan, "name", "query")
        return self._made(LateOf(self.plan, name, called))


def _by_policies(plan: Node, policies: Configuration, clauses: set[str]) -> Cut:
    """A window with policies, which takes no clauses of a bracket."""
    if clauses:
        raise ConflictingClauses(
            "a window with policies says all of itself", given=", ".join(sorted(clauses)), remedy="leave the clauses out"
        )
    cut = Cut(plan, spelled_window(PolicyWindow(policies), plan))
    check_punctuation(cut)
    return cut
