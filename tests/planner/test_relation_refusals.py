"""What joins of windows refuse, by name and with a remedy: rows that would appear twice, or that nothing can compare."""

from __future__ import annotations

import pytest

from transom.errors import NotSupported
from transom.language import bind_script
from transom.planner import plan as planned

STREAMS = """
CREATE STREAM a (k STRING, x BIGINT, t BIGINT) ORDER BY t;
CREATE STREAM b (k STRING, y BIGINT, t BIGINT) ORDER BY t;
"""

THREE = "FROM a [RANGE 6] AS p {kind} JOIN b [RANGE 6] AS q ON p.k = q.k JOIN a [RANGE 6] AS r ON r.k = p.k"
VARIES = "[RANGE CASE WHEN window_end % 4 = 0 THEN 6 ELSE 2 END MAX 6 SLIDE 2]"


def plan_of(query: str) -> object:
    return planned(bind_script(f"{STREAMS}{query};").queries[-1])


@pytest.mark.parametrize(
    ("query", "what", "remedy"),
    [
        (f"SELECT p.x, r.x AS z {THREE.format(kind='').replace('a [RANGE 6] AS p', f'a {VARIES} AS p')}", "varies", "ISTREAM"),
        ("SELECT x, y FROM a [RANGE 6] LEFT JOIN b [RANGE 6] ON a.k = b.k AND x + y > 3", "compares", "a.x > 3 - b.y"),
    ],
)
def test_refused_by_name(query: str, what: str, remedy: str) -> None:
    with pytest.raises(NotSupported) as refused:
        plan_of(query)
    assert what in refused.value.problem
    assert remedy in str(refused.value)


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT p.x, r.x AS z {THREE.format(kind='LEFT')}",
        f"SELECT p.x, r.x AS z {THREE.format(kind='LEFT SEMI')}",
        f"SELECT ISTREAM p.x, r.x AS z {THREE.format(kind='LEFT')}",
        f"SELECT count(*) AS n {THREE.format(kind='LEFT ANTI')}",
        f"SELECT x, y FROM a {VARIES} LEFT JOIN b [RANGE 6] ON a.k = b.k AND 3 - y < x",
    ],
)
def test_not_refused(query: str) -> None:
    assert plan_of(query)
