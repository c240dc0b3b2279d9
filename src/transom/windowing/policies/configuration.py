"""A window's configuration: tumbling or sliding, its policies, its partitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from transom.errors import BadPolicy, MissingClause, NotPositive
from transom.semantics.length import names_of
from transom.windowing.policies.limits import Age, Limit, Most
from transom.windowing.policies.policy import Count, Delta, Policy, Punct, Time


@dataclass(frozen=True)
class Configuration:
    """How a window behaves. A trigger policy makes it a sliding window; without one it tumbles."""

    evict: Policy
    trigger: Policy | None = None
    keys: tuple[str, ...] = ()
    limit: Limit | None = None
    partial: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.evict, Count | Delta | Time | Punct):
            raise _not_a_policy("eviction", self.evict)
        if self.trigger is None:
            self._check_tumbling()
        else:
            self._check_sliding(self.trigger)
        if self.limit is not None and not isinstance(self.limit, Most | Age):
            raise BadPolicy("this does not limit partitions", given=repr(self.limit), exists=LIMITS, remedy="use one of them")
        if self.limit is not None and not self.keys:
            raise MissingClause(f"{self.limit} needs partitions", given=str(self), remedy="add .partitioned_by(...)")

    def _check_tumbling(self) -> None:
        if self.evict == Count(0):
            raise NotPositive("a tumbling window of no tuples is never full", given=str(self), remedy="count 1 or more")
        if not self.partial:
            raise BadPolicy("a tumbling window is never partial", given=str(self), remedy="leave partial=False out")

    def _check_sliding(self, trigger: Policy) -> None:
        if not isinstance(trigger, Count | Delta | Time | Punct):
            raise _not_a_policy("trigger", trigger)
        if isinstance(trigger, Punct) or isinstance(self.evict, Punct):
            raise BadPolicy(
                "punct() is an eviction policy of tumbling windows",
                given=f"sliding({self.evict}, {trigger})",
                exists=("count", "delta", "time"),
                remedy="write tumbling(punct())",
            )
        if trigger == Count(0):
            raise NotPositive("a window triggers after 1 tuple or more", given=str(trigger), remedy="write count(1)")

    @property
    def tumbles(self) -> bool:
        return self.trigger is None

    @property
    def kind(self) -> str:
        return "tumbling" if self.tumbles else "sliding"

    @property
    def policies(self) -> tuple[Policy, ...]:
        return (self.evict,) if self.trigger is None else (self.evict, self.trigger)

    @property
    def reads_clock(self) -> bool:
        """Whether anything depends on the clock."""
        return isinstance(self.limit, Age) or any(isinstance(policy, Time) for policy in self.policies)

    def partitioned_by(self, *names: str) -> Self:
        """The same for each partition by itself: the tuples that share the values of these attributes.

        >>> print(Configuration(Count(10), Count(1)).partitioned_by("src", "dst"))
        [SLIDING count(10), count(1) PARTITIONED BY (src, dst)]
        """
        if not names:
            raise MissingClause("partitions need an attribute", remedy='write partitioned_by("ticker")')
        return replace(self, keys=names_of("partitioned_by", names))

    def limited_to(self, limit: Limit) -> Self:
        """The same with a limit on its partitions: `partition_count`, `tuple_count` or `partition_age`."""
        return replace(self, limit=limit)

    def __str__(self) -> str:
        keys = f" PARTITIONED BY ({', '.join(self.keys)})" if self.keys else ""
        limit = "" if self.limit is None else f" {self.limit}"
        partial = "" if self.partial else " PARTIAL OFF"
        return f"[{self.kind.upper()} {', '.join(map(str, self.policies))}{keys}{limit}{partial}]"


LIMITS = ("partition_count(n)", "tuple_count(n)", "partition_age(duration)")
POLICIES = ("count(n)", "delta(attribute, d)", "time(duration)", "punct()")


def _not_a_policy(role: str, given: object) -> BadPolicy:
    return BadPolicy(f"this is no {role} policy", given=repr(given), exists=POLICIES, remedy="use one of them")
