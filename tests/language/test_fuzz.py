"""Malformed scripts: whatever is written, the answer is a plan or an error of ours, and it comes soon.

The default run tries some 4,000 mutated cases; TRANSOM_FUZZ=20000 tries as many as it says.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from tests.language.test_sql_cases import CASES
from transom.errors import TransomError
from transom.language import Script, bind_script
from transom.plan.sql.render import render

COUNT = int(os.environ.get("TRANSOM_FUZZ", "4000"))
PER_SEED = 100
SECONDS_PER_CASE = 20

TEXTS = [case.read_text() for case in CASES]
TOKEN = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|`[^`]*`|\w+|\s+|.", re.DOTALL)

WORDS = re.findall(
    r"\w+",
    """
    SELECT FROM WHERE GROUP BY HAVING ORDER DISTINCT JOIN ON UNION ALL EXCEPT OVER PARTITION ROWS RANGE PRECEDING
    FOLLOWING UNBOUNDED CURRENT ROW BETWEEN AND CREATE STREAM TABLE VIEW AS LATE OF INSERT INTO FILE KAFKA SOURCE FORMAT
    OPTIONS EXPLAIN ANALYZE CHECK SHOW STREAMS DESCRIBE DROP SLIDE TUMBLE WATTR RATTR SATTR PATTR LANDMARK UNTIL EVERY
    BAND TO NOW SESSION GAP MAX LAG OFFSET ORIGIN PARTIAL OFF SLACK DRATIO NORMAL BFSIZE HEARTBEAT AVERAGE PUNCTUATION
    WHEN ORDERED PER IDLE AFTER AHEAD ARRIVAL GENEROUS CONSISTENT SECONDS MINUTES MICROSECONDS INTERVAL TIMESTAMP DATE
    rank row_num arrival_ts window_end event_ts ISTREAM TUMBLING count sum ACTIVE EXPIRATION CASE END NULL IN EXISTS
    LATERAL VALUES WITH PIVOT ARRAY STRUCT CAST
    """,
)
SIGNS = [*"()[]{}<>,;.:*%+-/=!|&^~@#$?\\'\"`", "--", "/*", "*/", "->", "::", "''", "``", "$$", "{{", "}}", "<=>", "||"]
ODD = [
    "\0",
    "\x01",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\u00a0",
    "\u200b",
    "\u200f",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\ufffd",
    "\U0001f697",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e\u0301",
    "\u0627\u0644",
    "\u4e2d",
    "\u212a",
    "\u0130",
    "\u0661\u0662",
    "\u00b2",
    "\uff11",
    "\u2018",
    "\U0010ffff",
]
VALUES = [
    "0",
    "-1",
    "1e400",
    "1e-400",
    "9" * 400,
    "0." + "0" * 400 + "1",
    "9223372036854775808",
    "1.5.2",
    "0x1F",
    "1L",
    "1BD",
    "NaN",
    "'NaN'",
    "TIMESTAMP '0000-00-00'",
    "TIMESTAMP '99999-12-31'",
    "TIMESTAMP '0001-01-01T00:00:00+14:00'",
    "TIMESTAMP '9999-12-31T23:59:59-14:00'",
    "DATE '10000-01-01'",
    "DATE '2026-02-30'",
    "INTERVAL '5' MINUTE",
    "INTERVAL '1-2' YEAR TO MONTH",
    "INTERVAL",
    "99999999999999999999 DAYS",
    "1e30 SECONDS",
    "0.1 ROWS",
    "10%",
    "''",
    "5 MINUTES 5",
]

Mutation = Callable[[random.Random, list[str]], list[str]]


def truncate(rng: random.Random, tokens: list[str]) -> list[str]:
    text = "".join(tokens)
    return [text[: rng.randrange(len(text) + 1)]]


def behead(rng: random.Random, tokens: list[str]) -> list[str]:
    return tokens[rng.randrange(len(tokens)) :]


def delete(rng: random.Random, tokens: list[str]) -> list[str]:
    start = rng.randrange(len(tokens))
    return tokens[:start] + tokens[start + rng.choice([1, 1, 1, 2, 5]) :]


def duplicate(rng: random.Random, tokens: list[str]) -> list[str]:
    start = rng.randrange(len(tokens))
    end = start + rng.choice([1, 1, 2, 4, 10])
    return tokens[:end] + [" "] * rng.randrange(2) + tokens[start:]


def swap(rng: random.Random, tokens: list[str]) -> list[str]:
    one, two = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    swapped = list(tokens)
    swapped[one], swapped[two] = swapped[two], swapped[one]
    return swapped


def inserted(choices: list[str]) -> Mutation:
    def insert(rng: random.Random, tokens: list[str]) -> list[str]:
        place = rng.randrange(len(tokens) + 1)
        return [*tokens[:place], f" {rng.choice(choices)} ", *tokens[place:]]

    return insert


def replaced(choices: list[str], what: str = r"\w+") -> Mutation:
    def replace(rng: random.Random, tokens: list[str]) -> list[str]:
        places = [place for place, token in enumerate(tokens) if re.fullmatch(what, token)]
        changed = list(tokens)
        if places:
            changed[rng.choice(places)] = rng.choice(choices)
        return changed

    return replace


def odd_letters(rng: random.Random, tokens: list[str]) -> list[str]:
    text = "".join(tokens)
    place = rng.randrange(len(text) + 1)
    return [text[:place], rng.choice(ODD), text[place:]]


def splice(rng: random.Random, tokens: list[str]) -> list[str]:
    other = TOKEN.findall(rng.choice(TEXTS))
    return tokens[: rng.randrange(len(tokens))] + other[rng.randrange(len(other)) :]


def borrow(rng: random.Random, tokens: list[str]) -> list[str]:
    other = TOKEN.findall(rng.choice(TEXTS))
    start, place = rng.randrange(len(other)), rng.randrange(len(tokens))
    return tokens[:place] + other[start : start + rng.randrange(1, 12)] + tokens[place:]


def change_case(rng: random.Random, tokens: list[str]) -> list[str]:
    return [token.swapcase() if rng.random() < 0.3 else token for token in tokens]


MUTATIONS: list[Mutation] = [
    truncate,
    behead,
    delete,
    delete,
    duplicate,
    swap,
    swap,
    inserted(SIGNS),
    inserted(WORDS),
    inserted(VALUES),
    replaced(WORDS),
    replaced(VALUES, r"\d+"),
    replaced(SIGNS, r"[^\w\s]"),
    replaced(["", " "], r"[()\[\]'`]"),
    odd_letters,
    splice,
    borrow,
    change_case,
]


def mutated(seed: int) -> Iterator[str]:
    """The cases of one seed, each with one to four mutations."""
    rng = random.Random(seed)
    for _ in range(PER_SEED):
        kept, text = "", rng.choice(TEXTS)
        if rng.random() < 0.6:  # leave the definitions whole, so that more of what is wrong reaches the binder
            kept, text = definitions_and_query(text)
        tokens = TOKEN.findall(text)
        for _ in range(rng.choice([1, 1, 2, 4])):
            tokens = rng.choice(MUTATIONS)(rng, tokens) or [" "]
        yield kept + "".join(tokens)


def definitions_and_query(text: str) -> tuple[str, str]:
    """A script in front of its last statement, and the rest."""
    place = text.rstrip().rstrip(";").rfind(";\n") + 1
    return text[:place], text[place:]


class Hangs(BaseException):
    """Not an `Exception`, so that nothing on the way takes it for one."""


@contextmanager
def soon(seconds: float) -> Iterator[None]:
    """Stop what takes longer."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hangs(f"no answer after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def answers(sql: str) -> None:
    """Bind a script and look at all of it; anything but an error of ours is a failure."""
    shown = ""
    try:
        with soon(SECONDS_PER_CASE):
            look_at(bind_script(sql))
    except TransomError as error:
        shown = str(error).removeprefix(f"{error.name}: ")
    except (Exception, Hangs) as error:
        pytest.fail(f"{type(error).__name__}: {error!s:.300}\n--- script ---\n{sql:.3000}")
    assert len(shown) < 50_000, f"the message has {len(shown)} characters"


def look_at(script: Script) -> None:
    """All that EXPLAIN would ask of a script."""
    for plan in [plan for _, plan in script.statements if plan is not None]:
        for node in plan.chain():
            assert node.schema.columns, "a relation without columns"
            assert node.label()
        assert render(plan)


@pytest.mark.parametrize("seed", range(max(1, COUNT // PER_SEED)))
def test_mutated_cases(seed: int) -> None:
    for sql in mutated(seed):
        answers(sql)


STREAM = "CREATE STREAM s (k STRING, x DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/s';\n"
HUGE = "1" + "0" * 400
DEEP = 5_000
MEGABYTE = 1_000_000
LARGE = MEGABYTE if COUNT >= 20_000 else MEGABYTE // 5

EXTREMES = {
    "empty": "",
    "blank": " \n\t ",
    "semicolons": ";" * 1000,
    "nul": STREAM + "SELECT x\0 FROM s;",
    "lone_nul": "\0",
    "emoji": STREAM + "SELECT \U0001f697 FROM \U0001f697 [RANGE \U0001f697];",
    "right_to_left": STREAM + "SELECT \u202ex\u202c FROM s\u200f [TUMBLE 5 MINUTES];",
    "byte_order_mark": "\ufeff" + STREAM + "SELECT x FROM s;",
    "arabic_digits": STREAM + "SELECT count(*) FROM s [TUMBLE \u0661\u0662 MINUTES];",
    "superscript_digits": STREAM + "SELECT count(*) FROM s [TUMBLE 5\u00b2 MINUTES];",
    "fullwidth_digits": STREAM + "SELECT count(*) FROM s [RANGE \uff11\uff10 ROWS];",
    "huge_range_in_time": STREAM + f"SELECT count(*) FROM s [TUMBLE {HUGE} SECONDS];",
    "huge_range_in_rows": STREAM + f"SELECT count(*) FROM s [RANGE {HUGE} ROWS];",
    "huge_range_as_a_number": STREAM + f"SELECT count(*) FROM s [RANGE {HUGE} SLIDE 1 WATTR x];",
    "huge_slide_as_a_number": STREAM + f"SELECT count(*) FROM s [RANGE 1.5 SLIDE {HUGE} WATTR x];",
    "huge_exponent": STREAM + "SELECT count(*) FROM s [RANGE 1e400 SLIDE 1 WATTR x];",
    "huge_exponent_in_time": STREAM + "SELECT count(*) FROM s [TUMBLE 1e400 SECONDS];",
    "tiny_number": STREAM + f"SELECT count(*) FROM s [RANGE 1 SLIDE 0.{HUGE[1:]}1 WATTR x];",
    "huge_percent": STREAM + f"SELECT count(*) FROM s [TUMBLE 1 MINUTE DRATIO {HUGE}%];",
    "huge_slack_percent": STREAM + f"SELECT count(*) FROM s [TUMBLE 1 MINUTE SLACK {HUGE}%];",
    "huge_buffer": STREAM + f"SELECT count(*) FROM s [TUMBLE 1 MINUTE DRATIO 1% BFSIZE {HUGE}];",
    "huge_frame": STREAM + f"SELECT sum(x) OVER (ROWS {HUGE} PRECEDING) FROM s;",
    "huge_band": STREAM + f"SELECT count(*) FROM s [BAND -{HUGE} TO {HUGE} SLIDE 1 WATTR x];",
    "huge_number_of_digits": STREAM + f"SELECT count(*) FROM s [RANGE {'9' * 10_000} ROWS];",
    "number_with_an_empty_exponent": STREAM + "SELECT count(*) FROM s [TUMBLE 30e WATTR x];",
    "percent_with_an_empty_exponent": STREAM + "SELECT count(*) FROM s [TUMBLE 5 MINUTES DRATIO 1e%];",
    "tiny_slide": STREAM + "SELECT count(*) FROM s [RANGE 1e308 SLIDE 1e-308 WATTR x];",
    "tiny_slide_of_a_landmark": STREAM + "SELECT count(*) FROM s [LANDMARK EVERY 1e308 SLIDE 1e-308 WATTR x];",
    "huge_gap": STREAM + f"SELECT count(*) FROM s [SESSION GAP {HUGE} WATTR x];",
    "huge_lag": STREAM + f"SELECT count(*) FROM s [RANGE 1 WATTR x LAG {HUGE}];",
    "huge_slack": STREAM + f"SELECT count(*) FROM s [TUMBLE 1 WATTR x SLACK {HUGE}];",
    "huge_offset": STREAM + f"SELECT count(*) FROM s [TUMBLE 1 WATTR x OFFSET {HUGE}];",
    "buffer_in_rows": STREAM + "SELECT count(*) FROM s [TUMBLE 5 MINUTES SLACK 1 SECOND BFSIZE 10 ROWS];",
    "buffer_in_time": STREAM + "SELECT count(*) FROM s [TUMBLE 5 MINUTES SLACK 1 SECOND BFSIZE 10 SECONDS];",
    "set_statement": "SET x = 1;",
    "command_in_parentheses": "(SHOW STREAMS);",
    "huge_literal": STREAM + f"SELECT {'9' * 10_000} AS n FROM s;",
    "huge_interval": STREAM + f"SELECT count(*) FROM s [TUMBLE INTERVAL '{HUGE}' MINUTE];",
    "huge_decimal_type": f"CREATE STREAM s (x DECIMAL({HUGE}, 2)) SOURCE FILE 'data/s';",
    "date_out_of_range": STREAM + "SELECT count(*) FROM s [LANDMARK FROM DATE '10000-01-01' SLIDE 1 DAY];",
    "year_zero": STREAM + "SELECT count(*) FROM s [LANDMARK FROM TIMESTAMP '0000-01-01' SLIDE 1 DAY];",
    "before_year_one": STREAM + "SELECT count(*) FROM s [LANDMARK FROM TIMESTAMP '0001-01-01T00:00:00+14:00' SLIDE 1 DAY];",
    "after_year_9999": STREAM + "SELECT count(*) FROM s [ORIGIN TIMESTAMP '9999-12-31T23:59:59-14:00' RANGE 1 DAY SLIDE 1 DAY];",
    "month_13": STREAM + "SELECT count(*) FROM s [BAND TIMESTAMP '2026-13-01' TO TIMESTAMP '2026-14-01' SLIDE 1 DAY];",
    "second_60": STREAM + "SELECT count(*) FROM s [LANDMARK FROM TIMESTAMP '2026-01-01T00:00:60' SLIDE 1 DAY];",
    "literal_date_out_of_range": STREAM + "SELECT DATE '99999-99-99' AS d FROM s WHERE ts > TIMESTAMP '99999-01-01';",
    "deep_parentheses": STREAM + f"SELECT {'(' * DEEP}x{')' * DEEP} AS y FROM s;",
    "deep_parentheses_open": STREAM + f"SELECT {'(' * DEEP}x FROM s;",
    "deep_brackets": STREAM + f"SELECT * FROM s {'[' * DEEP}TUMBLE 5 MINUTES{']' * DEEP};",
    "deep_subscripts": STREAM + f"SELECT x{'[x' * DEEP}{']' * DEEP} AS y FROM s;",
    "deep_subqueries": STREAM + f"SELECT * FROM {'(SELECT * FROM ' * DEEP}s{') q' * DEEP};",
    "some_subqueries": STREAM + f"SELECT * FROM {'(SELECT * FROM ' * 30}s{') q' * 30};",
    "deep_calls": STREAM + f"SELECT {'abs(' * DEEP}x{')' * DEEP} AS y FROM s;",
    "deep_cases": STREAM + f"SELECT {'CASE WHEN x > 1 THEN ' * DEEP}x{' END' * DEEP} AS y FROM s;",
    "deep_negation": STREAM + f"SELECT * FROM s WHERE {'NOT ' * DEEP}x > 1;",
    "deep_minus": STREAM + f"SELECT {'- ' * DEEP}x AS y FROM s;",
    "deep_types": f"CREATE STREAM s (x {'ARRAY<' * DEEP}INT{'>' * DEEP}) SOURCE FILE 'data/s';",
    "some_parentheses": STREAM + f"SELECT {'(' * 150}x{')' * 150} AS y FROM s;",
    "long_sum": STREAM + f"SELECT {' + '.join(['x'] * DEEP)} AS y FROM s;",
    "long_conjunction": STREAM + f"SELECT * FROM s WHERE {' AND '.join(['x > 1'] * DEEP)};",
    "long_conjunction_in_a_bracket": STREAM + f"SELECT count(*) FROM s [RANGE 9 ROWS WHERE {' OR '.join(['x > 1'] * DEEP)}];",
    "many_items": STREAM + f"SELECT {', '.join(f'x AS x{n}' for n in range(2000))} FROM s;",
    "many_columns": f"CREATE STREAM w ({', '.join(f'c{n} INT' for n in range(2000))}) SOURCE FILE 'data/s'; SELECT * FROM w;",
    "many_partitions": STREAM + f"SELECT count(*) FROM s [RANGE 9 ROWS PATTR {', '.join(['k'] * 2000)}];",
    "derived_from_derived": STREAM
    + "CREATE STREAM d0 AS SELECT * FROM s;\n"
    + "\n".join(f"CREATE STREAM d{n} AS SELECT * FROM d{n - 1};" for n in range(1, 40))
    + "\nSELECT * FROM d39;",
    "long_name": STREAM + f"SELECT {'x' * MEGABYTE} FROM s;",
    "long_string": STREAM + f"SELECT * FROM s WHERE k = '{'x' * MEGABYTE}';",
    "long_string_open": STREAM + f"SELECT * FROM s WHERE k = '{'x' * MEGABYTE}",
    "long_comment": f"/*{'x' * MEGABYTE}*/" + STREAM,
    "long_comment_open": f"/*{'x' * MEGABYTE}" + STREAM,
    "long_blank": STREAM + " " * MEGABYTE + "SELECT x FROM s;",
    "long_line_with_an_error": STREAM + f"SELECT {', '.join(['x AS x'] * 1000)}, y FROM s;",
    "megabyte_of_words": "lorem ipsum dolor " * (MEGABYTE // 18),
    "many_statements": STREAM + "SHOW STREAMS;\n" * (LARGE // 14),
    "many_clauses": STREAM + "SELECT count(*) FROM s [" + "SLACK 1 SECOND " * (LARGE // 15) + "];",
    "many_brackets": "[" * LARGE,
    "many_parentheses": "(" * LARGE,
    "many_quotes": "'" * LARGE,
    "megabyte_of_noise": "".join(random.Random(1).choices("SELECT FROM[]()'`\"-*/;,.0123456789\n\u00e4\U0001f697", k=MEGABYTE)),
    "megabyte_of_newlines": STREAM + "\n" * MEGABYTE + "SELECT y FROM s;",
    "many_duration": STREAM + "SELECT count(*) FROM s [TUMBLE " + "1 SECOND " * (LARGE // 9) + "];",
    "megabyte_of_interval": STREAM + "SELECT count(*) FROM s [TUMBLE INTERVAL '" + "1 second " * (MEGABYTE // 9) + "'];",
}


@pytest.mark.parametrize("name", EXTREMES)
def test_extreme_scripts(name: str) -> None:
    answers(EXTREMES[name])


def test_the_watch_can_fail() -> None:
    with pytest.raises(Hangs), soon(0.05):
        time.sleep(5)
