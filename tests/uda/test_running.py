"""What bodies do while they run: failures, recursion, tables they read, and nothing that they do not say."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from typing import Any

import pytest

from tests.uda.bodies import SPECIFICATION, aggregates
from transom.errors import AggregateFailed, TooMuchRecursion, TypeMismatch
from transom.language import bind_script
from transom.reference.values.body import run
from transom.uda.compile.program import Drive, Program, compiled
from transom.uda.definition import UserAggregate
from transom.uda.plain_values import as_column


def base(sql: str, name: str, tables: dict[str, Any] | None = None) -> Program:
    found = bind_script(sql).catalog.aggregates[name]
    assert isinstance(found, UserAggregate)
    program = compiled(found, tables)[0]
    assert program is not None
    return program


def one(body: str, arguments: str = "x DOUBLE", returns: str = "DOUBLE", tables: str = "") -> Program:
    """An aggregate whose ITERATE is the body."""
    return base(
        f"CREATE AGGREGATE f({arguments}) RETURNS {returns} {{ {tables} INITIALIZE: {{ {body} }} ITERATE: {{ {body} }} }};", "f"
    )


def test_a_failure_names_aggregate_clause_statement_and_tuple() -> None:
    program = base(
        """CREATE AGGREGATE ratio(x DOUBLE, y DOUBLE) RETURNS DOUBLE {
             INITIALIZE: { INSERT INTO RETURN VALUES (0.0); }
             ITERATE: { INSERT INTO RETURN VALUES (1.0); INSERT INTO RETURN SELECT x / y; }
           };""",
        "ratio",
    )
    with pytest.raises(AggregateFailed) as caught:
        program.whole([[1.0, 2.0, 3.0], [1.0, 1.0, 0.0]])
    shown = str(caught.value)
    assert "aggregate ratio failed in ITERATE: float division by zero" in shown
    assert "SELECT x / y" in shown
    assert "{'x': 3.0, 'y': 0.0}" in shown
    assert "^^^" in shown


@pytest.mark.parametrize(
    ("returns", "argument", "fits", "too_large"),
    [
        ("TINYINT", "INT", [-128, 127], [-129, 128]),
        ("SMALLINT", "INT", [-(2**15), 2**15 - 1], [-(2**15) - 1, 2**15]),
        ("INT", "BIGINT", [-(2**31), 2**31 - 1], [-(2**31) - 1, 2**31]),
        ("BIGINT", "BIGINT", [-(2**63), 2**63 - 1], [-(2**63) - 1, 2**63]),
        ("DECIMAL(3, 1)", "DECIMAL(9, 3)", [Decimal("99.949"), Decimal("-99.949")], [Decimal("99.95"), Decimal("-99.95")]),
    ],
)
@pytest.mark.parametrize("value", ["x", "v", "CASE WHEN x IS NULL THEN NULL ELSE x END", "sum(v)"])
def test_a_result_that_is_too_large_names_clause_statement_and_tuple(
    value: str, returns: str, argument: str, fits: list[Any], too_large: list[Any]
) -> None:
    sql = f"""CREATE AGGREGATE kept(x {argument}) RETURNS {returns} {{
      TABLE t(v {argument});
      INITIALIZE: {{ INSERT INTO t VALUES (x); INSERT INTO RETURN SELECT {value} FROM t; }}
      ITERATE: {{ UPDATE t SET v = x; INSERT INTO RETURN SELECT {value} FROM t; }}
    }};"""
    program, found = base(sql, "kept"), aggregates(sql)["kept"]
    good = [*fits, None]
    assert program.whole([good]) == run(found, [[each] for each in good], {}) == good
    for bad in too_large:
        with pytest.raises(AggregateFailed) as caught:
            program.whole([[fits[0], bad]])
        shown = str(caught.value)
        assert f"aggregate kept failed in ITERATE: {bad} does not fit into {returns}" in shown
        assert f"INSERT INTO RETURN SELECT {value} FROM t" in shown
        assert f"'x': {bad!r}" in shown
        assert "remedy: return a wider type" in shown
        with pytest.raises(AggregateFailed, match=f"{bad} does not fit into"):
            run(found, [[bad]], {})


def test_a_constant_that_is_too_large_is_refused_before_anything_runs() -> None:
    with pytest.raises(TypeMismatch, match="300 does not fit into TINYINT"):
        one("INSERT INTO RETURN VALUES (300);", returns="TINYINT")


def test_recursion_without_end_is_stopped() -> None:
    program = base(
        """CREATE AGGREGATE again(x BIGINT) RETURNS BIGINT {
             TABLE t(v BIGINT);
             INITIALIZE: { INSERT INTO t VALUES (x); INSERT INTO RETURN SELECT again(v) FROM t; }
             ITERATE: { }
           };""",
        "again",
    )
    with pytest.raises(TooMuchRecursion):
        program.whole([[1]])


def test_recursion_that_ends() -> None:
    """The sum of 1 to n, by a recursion of depth n."""
    sql = """CREATE AGGREGATE summed(n BIGINT) RETURNS BIGINT {
               TABLE smaller(v BIGINT);
               INITIALIZE: {
                 INSERT INTO smaller SELECT n - 1 WHERE n > 0;
                 INSERT INTO RETURN VALUES (0);
                 INSERT INTO RETURN SELECT n + summed(v) FROM smaller;
               }
               ITERATE: { }
             };"""
    found = aggregates(sql)["summed"]
    assert max(base(sql, "summed").whole([[5]])) == max(run(found, [[5]], {})) == 15


def test_ordinary_tables_are_read() -> None:
    sql = """CREATE TABLE limits (item BIGINT, hi DOUBLE);
             CREATE AGGREGATE above(item BIGINT, x DOUBLE) RETURNS DOUBLE {
               INITIALIZE: { INSERT INTO RETURN SELECT x - l.hi FROM limits AS l WHERE l.item = above.item AND x > l.hi; }
               ITERATE: { INSERT INTO RETURN SELECT x - l.hi FROM limits AS l WHERE l.item = above.item AND x > l.hi; }
             };"""
    rows = [(1, 10.0), (2, None)]
    found = aggregates(sql)["above"]
    columns = [[1, 1, 2, 3], [12.0, 9.0, 50.0, 1.0]]
    expected = run(found, list(zip(*columns, strict=True)), {"limits": [{"item": i, "hi": hi} for i, hi in rows]})
    assert base(sql, "above", {"limits": rows}).whole(columns) == expected == [2.0]


@pytest.mark.parametrize(
    "text",
    ["__import__('os').system('false')", "'); raise SystemExit #", '"""', "{0}", "%s", "\\n\\x00", "x0", "emit", "f'{1/0}'"],
)
def test_texts_stay_texts(text: str) -> None:
    spelled = text.replace("\\", "\\\\").replace("'", "\\'")
    assert one(f"INSERT INTO RETURN VALUES ('{spelled}');", returns="STRING").whole([[1.0]]) == [text]


@pytest.mark.parametrize("name", ["emit", "s", "out", "x0", "w", "None", "__class__", "import", "lambda", "é"])
def test_names_of_ours_are_not_names_of_theirs(name: str) -> None:
    tables = f"TABLE `{name}`(`{name}` DOUBLE);"
    program = base(
        f"""CREATE AGGREGATE f(`{name}` DOUBLE) RETURNS DOUBLE {{
              {tables}
              INITIALIZE: {{ INSERT INTO `{name}` VALUES (f.`{name}`); }}
              ITERATE: {{
                UPDATE `{name}` SET `{name}` = `{name}` + f.`{name}`;
                INSERT INTO RETURN SELECT `{name}` FROM `{name}`;
              }}
            }};""",
        "f",
    )
    assert program.whole([[1.0, 2.0, 4.0]]) == [3.0, 7.0]


def test_decimals_are_exact_and_doubles_are_doubles() -> None:
    body = "INSERT INTO RETURN SELECT x + 0.1;"
    assert one(body, "x DECIMAL(10, 2)", "DECIMAL(10, 2)").whole([[Decimal("0.20")]]) == [Decimal("0.30")]
    assert one(body).whole([[0.2]]) == [0.2 + 0.1]


def test_nan_equals_itself_and_is_the_largest() -> None:
    body = "INSERT INTO RETURN SELECT 1 WHERE x = x AND x > 5.0 AND NOT x < 1e300;"
    assert one(body, returns="INT").whole([[float("nan"), float("inf"), 1.0]]) == [1, 1]


def test_programs_are_sent_and_states_are_kept() -> None:
    found = aggregates(SPECIFICATION)["myavg"]
    program = pickle.loads(pickle.dumps(compiled(found)[1]))
    state = program.fresh()
    first = program.step(state, Drive("rows"), [[1.0, 2.0]], reach=1)[0]
    again = program.restored(state.dump())
    assert first + program.step(again, Drive("rows"), [[4.0]], reach=1)[0] == [1.0, 1.5, 3.0]


def test_combining_is_the_same_as_running_through() -> None:
    program = base(SPECIFICATION, "myavg")
    left, right = program.fresh(), program.fresh()
    for state, values in ((left, [1.0, 2.0]), (right, [3.0, 10.0])):
        program.step(state, Drive(), [values])
    program.combine(left, right)
    assert program.finish(left) == program.whole([[1.0, 2.0, 3.0, 10.0]]) == [4.0]


def test_numbers_that_are_too_large_are_infinite() -> None:
    assert one("INSERT INTO RETURN SELECT power(x, 2000);").whole([[3.0, -1.0]]) == [math.inf, 1.0]
    assert one("INSERT INTO RETURN SELECT power(x, 2001);").whole([[-3.0]]) == [-math.inf]
    assert one("INSERT INTO RETURN SELECT exp(x);").whole([[1000.0, 0.0]]) == [math.inf, 1.0]
    assert math.isnan(one("INSERT INTO RETURN SELECT power(x, 0.5);").whole([[-2.0]])[0])


def test_decimals_are_rounded_as_spark_rounds_them() -> None:
    returned = [Decimal("5.4289"), Decimal("11.0889"), Decimal("-0.005"), Decimal("0.015"), None]
    found = as_column(returned, (("", "DECIMAL(10, 2)"),), "f").to_pylist()
    assert found == [Decimal("5.43"), Decimal("11.09"), Decimal("-0.01"), Decimal("0.02"), None]


def test_rows_that_move_to_another_key_keep_their_place() -> None:
    program = base(
        """CREATE AGGREGATE f(x BIGINT) RETURNS BIGINT {
             TABLE t(k BIGINT, n BIGINT);
             INITIALIZE: { INSERT INTO t VALUES (1, 10), (2, 20); }
             ITERATE: { UPDATE t SET k = 2 WHERE k = x; INSERT INTO RETURN SELECT n FROM t WHERE k = 2; }
           };""",
        "f",
    )
    assert program.whole([[0, 1]]) == [10, 20]
