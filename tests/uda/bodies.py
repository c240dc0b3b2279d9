"""Aggregates to test with: those of the specification, of the library, and odd ones."""

from __future__ import annotations

from transom.language import Catalog, bind_script
from transom.language.library import names, text_of
from transom.uda.definition import UserAggregate

SPECIFICATION = """
CREATE AGGREGATE myavg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(tsum DOUBLE, cnt BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE:    { UPDATE state SET tsum = tsum + x, cnt = cnt + 1; }
  TERMINATE:  { INSERT INTO RETURN SELECT tsum / cnt FROM state; }
  COMBINE:    { UPDATE state SET tsum = tsum + other.tsum, cnt = cnt + other.cnt; }
};
CREATE WINDOW AGGREGATE myavg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(tsum DOUBLE, cnt BIGINT);
  TABLE inwindow(wnext DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET tsum = tsum + x, cnt = cnt + 1; INSERT INTO RETURN SELECT tsum / cnt FROM state; }
  EXPIRE:     { UPDATE state SET tsum = tsum - oldest().wnext, cnt = cnt - 1; }
};
CREATE AGGREGATE mymax(x DOUBLE) RETURNS DOUBLE ALGEBRAIC {
  TABLE state(v DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); }
  ITERATE:    { UPDATE state SET v = GREATEST(v, x); }
  TERMINATE:  { INSERT INTO RETURN SELECT v FROM state; }
};
CREATE WINDOW AGGREGATE mymax(x DOUBLE) RETURNS DOUBLE ALGEBRAIC {
  TABLE inwindow(v DOUBLE);
  INITIALIZE: { INSERT INTO RETURN VALUES (x); }
  ITERATE:    { DELETE FROM inwindow WHERE v <= x AND NOT is_newest(); INSERT INTO RETURN SELECT oldest().v; }
};
"""

ODD = """
-- logic with NULLs, in every shape that a condition has
CREATE AGGREGATE logic(x BIGINT, y BIGINT) RETURNS BIGINT {
  TABLE seen(a BIGINT, b BIGINT, n BIGINT);
  INITIALIZE: { INSERT INTO seen VALUES (x, y, 0); }
  ITERATE: {
    INSERT INTO seen VALUES (x, y, 1), (y, NULL, 2);
    UPDATE seen SET n = n + 1 WHERE NOT (a > x OR b = y) AND n < 9;
    UPDATE seen SET n = n + 10 WHERE a IN (1, x) OR b IS NULL OR a BETWEEN y AND 3;
    UPDATE seen SET b = CASE WHEN b > a THEN a WHEN a IS NOT NULL THEN COALESCE(b, n, 7) END WHERE a <=> x;
    DELETE FROM seen WHERE a = x AND n > 12;
    INSERT INTO RETURN SELECT a * 2 - b % 3 + n FROM seen WHERE a <> 2 ORDER BY n DESC, a LIMIT 3;
  }
};
-- look-ups by two columns, and columns that are looked up by and change
CREATE AGGREGATE moves(x BIGINT, y BIGINT) RETURNS (k BIGINT, v BIGINT) {
  TABLE t(k BIGINT, j BIGINT, v BIGINT);
  INITIALIZE: { INSERT INTO t VALUES (x, y, 1); }
  ITERATE: {
    UPDATE t SET k = k + 1, v = v + k WHERE k = x AND j = y;
    UPDATE t SET j = y WHERE k = x;
    INSERT INTO t SELECT x, y, count(*) FROM t WHERE k = x;
    DELETE FROM t WHERE k = y AND j = x;
    INSERT INTO RETURN SELECT k, sum(v) FROM t GROUP BY k HAVING count(*) > 1 ORDER BY k;
  }
  TERMINATE: { INSERT INTO RETURN SELECT count(DISTINCT k), max(v) FROM t; }
};
-- keys that are there once, looked up again after rows came and went; the same expression in many places
CREATE AGGREGATE keyed(x BIGINT, y BIGINT) RETURNS BIGINT {
  TABLE t(k BIGINT, j BIGINT, n BIGINT);
  INITIALIZE: { INSERT INTO t VALUES (x % 3, y, 1); }
  ITERATE: {
    INSERT INTO t SELECT x % 3, y, 0 WHERE NOT EXISTS (SELECT 1 FROM t WHERE k = x % 3 AND y = j);
    UPDATE t SET n = n + 1 WHERE k = x % 3 AND j = y;
    INSERT INTO RETURN SELECT n * 10 FROM t WHERE k = x % 3 AND j = y AND n > 1;
    DELETE FROM t WHERE k = x % 3 AND j = y AND n > 2;
    INSERT INTO RETURN SELECT (SELECT n FROM t WHERE k = x % 3 AND j = y) + abs(x * 7 - y) % 5;
    UPDATE t SET n = n + abs(x * 7 - y) % 5 WHERE n < 2 AND j = y;
    INSERT INTO RETURN SELECT LEAST(a.n, b.n, -x % 3) FROM t AS a, t AS b WHERE a.k = x % 3 AND a.j = y AND b.k = y AND b.j = a.j;
  }
  TERMINATE: { INSERT INTO RETURN SELECT sum(n) FROM t WHERE k IN (SELECT u.j FROM t AS u); }
};
-- remainders of one dividend; rows that are put in where there is none, and are there when their tuple leaves
CREATE WINDOW AGGREGATE counted(x BIGINT, y BIGINT) RETURNS BIGINT {
  TABLE one(slot BIGINT, n BIGINT);
  TABLE two(slot BIGINT, j BIGINT, n BIGINT);
  TABLE inwindow(a BIGINT, b BIGINT);
  INITIALIZE: {
    INSERT INTO one VALUES (x % 3, 1);
    INSERT INTO two VALUES (x % 2, y, 1);
    INSERT INTO RETURN VALUES (LEAST(x % 3, y, x));
  }
  ITERATE: {
    INSERT INTO one SELECT x % 3, 0 WHERE NOT EXISTS (SELECT 1 FROM one WHERE slot = x % 3);
    INSERT INTO two SELECT x % 2, y, 0 WHERE NOT EXISTS (SELECT 1 FROM two WHERE slot = x % 2 AND j = y);
    UPDATE one SET n = n + 1 WHERE slot = x % 3;
    UPDATE two SET n = n + x % 5 WHERE slot = x % 2 AND j = y;
    INSERT INTO RETURN SELECT GREATEST(o.n, t.n, x % 7) * 100 + (SELECT q.n FROM one AS q WHERE q.slot = x % 3)
      FROM one AS o, two AS t WHERE o.slot = x % 3 AND t.slot = x % 2 AND t.j = y;
  }
  EXPIRE: {
    UPDATE one SET n = n - 1 WHERE slot = oldest().a % 3;
    UPDATE two SET n = n - oldest().a % 5 WHERE slot = oldest().a % 2 AND j = oldest().b;
    UPDATE one SET n = n + 10 WHERE slot = oldest().b;
  }
};
-- the oldest tuple is another one after a DELETE, and so is what is computed of it
CREATE WINDOW AGGREGATE shifting(x BIGINT) RETURNS BIGINT {
  TABLE t(k BIGINT, n BIGINT);
  TABLE inwindow(a BIGINT);
  INITIALIZE: { INSERT INTO t VALUES (x, 1); INSERT INTO RETURN VALUES (x); }
  ITERATE: {
    INSERT INTO t SELECT x, 0 WHERE NOT EXISTS (SELECT 1 FROM t WHERE k = x);
    UPDATE t SET n = n + 1 WHERE k = oldest().a;
    INSERT INTO RETURN SELECT oldest().a * 10 + 1;
    DELETE FROM inwindow WHERE a < x AND NOT is_newest();
    INSERT INTO RETURN SELECT oldest().a * 10 + 1;
    INSERT INTO RETURN SELECT n FROM t WHERE k = oldest().a;
    INSERT INTO RETURN SELECT oldest().a % 3 * 10 + oldest().a % 2;
  }
  EXPIRE: { UPDATE t SET n = n - 1 WHERE k = oldest().a; }
};
-- a table with two keys, asked for the same value by each
CREATE AGGREGATE both_ways(x BIGINT, y BIGINT) RETURNS BIGINT {
  TABLE t(k BIGINT, j BIGINT, n BIGINT);
  INITIALIZE: { INSERT INTO t VALUES (x, y, 1); }
  ITERATE: {
    INSERT INTO t SELECT x, y, 0 WHERE NOT EXISTS (SELECT 1 FROM t WHERE k = x) AND NOT EXISTS (SELECT 1 FROM t WHERE j = y);
    UPDATE t SET n = n + 1 WHERE k = x;
    UPDATE t SET n = n + 10 WHERE j = x;
    INSERT INTO RETURN SELECT n FROM t WHERE j = x;
    INSERT INTO RETURN SELECT n FROM t WHERE k = x;
  }
};
-- queries on inwindow, joins, subqueries, a base aggregate over a table
CREATE AGGREGATE total(x BIGINT) RETURNS BIGINT {
  TABLE state(s BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (COALESCE(x, 0)); }
  ITERATE: { UPDATE state SET s = s + COALESCE(x, 0); }
  TERMINATE: { INSERT INTO RETURN SELECT s FROM state; }
};
CREATE WINDOW AGGREGATE asks(x BIGINT, y BIGINT) RETURNS BIGINT {
  TABLE state(n BIGINT, gone BIGINT);
  TABLE inwindow(a BIGINT, b BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (1, 0); }
  ITERATE: {
    DELETE FROM inwindow WHERE a = 2 AND b > y;
    INSERT INTO RETURN SELECT total(a) FROM inwindow WHERE NOT is_newest();
    INSERT INTO RETURN SELECT count(*) FROM inwindow AS p JOIN inwindow AS q ON p.a = q.b;
    INSERT INTO RETURN SELECT oldest().b WHERE EXISTS (SELECT 1 FROM inwindow WHERE a > x);
    UPDATE state SET n = (SELECT max(b) FROM inwindow WHERE a NOT IN (SELECT b FROM inwindow WHERE b IS NOT NULL));
    INSERT INTO RETURN SELECT n + gone FROM state;
  }
  EXPIRE: {
    UPDATE state SET gone = gone + 1 WHERE (SELECT count(*) FROM inwindow) > 1;
    DELETE FROM inwindow WHERE a = oldest().a;
  }
};
"""


def aggregates(sql: str) -> dict[str, UserAggregate]:
    """The aggregates that a script defines."""
    found = bind_script(sql).catalog.aggregates
    return {name: one for name, one in found.items() if isinstance(one, UserAggregate)}


def library() -> dict[str, UserAggregate]:
    return {name: aggregates(text_of(name))[name] for name in sorted(names())}


def everything() -> dict[str, UserAggregate]:
    return {**aggregates(SPECIFICATION), **aggregates(ODD), **library()}


__all__ = ["ODD", "SPECIFICATION", "Catalog", "aggregates", "everything", "library"]
