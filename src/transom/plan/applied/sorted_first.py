"""Streams that are sorted before windows with policies, and operators, take their tuples: those with a disorder clause."""

from __future__ import annotations

from transom.disorder.ordered import Ordered
from transom.errors import NotSupported
from transom.plan.nodes.disorder import PunctuationClause
from transom.plan.nodes.relational import Scan


def order_of_feed(scan: Scan) -> str | None:
    """The column that a stream is sorted by first; None where tuples are taken as they come."""
    return None if scan.stream.disorder.generator is None else scan.stream.order


def check_one_order(scan: Scan) -> None:
    """Refuse to sort a stream whose progress is known by group."""
    generator = scan.stream.disorder.generator
    if isinstance(generator, PunctuationClause) or (isinstance(generator, Ordered) and generator.per):
        raise NotSupported(
            "promises about groups give a stream no one order to sort it by",
            given=scan.label(),
            remedy="leave the disorder clause out, so that tuples are taken as they come, or use SLACK, DRATIO or HEARTBEAT",
        )
