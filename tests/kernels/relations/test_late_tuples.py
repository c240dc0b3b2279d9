"""LATE OF queries over relations: random tuples, cuts and shards; the operators leave out what the reference does, and say which
input it is of."""

from __future__ import annotations

import os
import random

import pytest

from tests.engines.relation_kernels import KernelRelations
from tests.kernels.relations.test_random_queries import QUERIES, STREAMS, arrivals, windows_of
from transom.errors import NotSupported, ReservedName
from transom.language import bind_script
from transom.plan.nodes.node import Node
from transom.reference.history import End
from transom.rules import optimize
from transom.testing.compare import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

CASES = int(os.environ.get("TRANSOM_RELATION_CASES", "2"))


def late_of(query: str, select: str = "SELECT * FROM missed", streams: str = STREAMS) -> Node:
    script = f"{streams} CREATE STREAM asked AS {query}; CREATE STREAM missed AS LATE OF asked; {select};"
    return bind_script(script).queries[-1]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("seed", range(CASES))
def test_the_operators_leave_out_what_the_reference_does(query: str, seed: int) -> None:
    rng = random.Random(f"late {query} {seed}")
    windows = windows_of(query)
    plan = late_of(query.format(w=rng.choice(windows), v=rng.choice(windows)))
    items = arrivals(rng)
    cuts = sorted(rng.randint(0, len(items)) for _ in range(3))
    batches = [items[start:end] for start, end in zip([0, *cuts], [*cuts, len(items)], strict=True)]
    batches.append([("a", End()), ("b", End())])
    reference = ReferenceRelations().start(plan, {})
    operators = KernelRelations(shards=rng.randint(1, 3), seed=seed).start(plan, {})
    for batch in batches:
        assert_same_rows(operators.feed(batch), reference.feed(batch))


def test_inputs_are_named_as_the_query_names_them_those_of_a_subquery_behind_its_own() -> None:
    plan = late_of(
        "SELECT q.k, z.x FROM (SELECT k FROM a [RANGE 6] UNION SELECT k FROM b [RANGE 6]) q JOIN a [NOW] AS z ON q.k = z.k",
        "SELECT input, k, x, y, t, frontier FROM missed WHERE input = 'q.b'",
    )
    (late,) = [node for node in plan.walk() if type(node).__name__ == "LateOf"]
    assert [name for name, _ in late.leaves] == ["q.a", "q.b", "z"]
    assert plan.schema.names == ["input", "k", "x", "y", "t", "frontier"]


def test_inputs_keep_their_places() -> None:
    """A join that commutes would number late tuples otherwise."""
    plan = late_of("SELECT z.k, b.y FROM a [RANGE 6] AS z JOIN b [RANGE 6] ON z.k = b.k")
    assert "join_commutes" not in [fired.rule for fired in optimize(plan)[1]]


def test_a_column_that_means_something_else_elsewhere_has_the_name_of_its_input() -> None:
    streams = "CREATE STREAM a (v STRING, t BIGINT) ORDER BY t; CREATE STREAM b (v BIGINT, t BIGINT) ORDER BY t;"
    plan = late_of("SELECT a.v FROM a [RANGE 6] JOIN b [RANGE 6] ON a.t = b.t", streams=streams)
    assert plan.schema.names == ["input", "v", "t", "b.v", "frontier"]


def test_a_column_that_would_be_there_twice_is_refused() -> None:
    streams = "CREATE STREAM a (input STRING, t BIGINT) ORDER BY t; CREATE STREAM b (v BIGINT, t BIGINT) ORDER BY t;"
    with pytest.raises(ReservedName, match="late tuples come with a column `input`"):
        late_of("SELECT b.v FROM a [RANGE 6] JOIN b [RANGE 6] ON a.t = b.t", streams=streams)


def test_a_join_of_late_tuples_is_refused_with_a_remedy() -> None:
    plan = late_of(
        "SELECT a.k FROM a [RANGE 6] JOIN b [RANGE 6] ON a.k = b.k",
        "SELECT m.k FROM missed [RANGE 6] AS m JOIN a [RANGE 6] AS z ON m.k = z.k",
    )
    with pytest.raises(NotSupported, match="write them to a table first"):
        KernelRelations().start(plan, {})
