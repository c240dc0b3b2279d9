"""Scripts that are bound and checked: what a run would refuse is refused here, where it stands in the text."""

from __future__ import annotations

from functools import partial

from transom.language import Catalog, Script, bind_script
from transom.language.parse.spans import with_span
from transom.planner.runnable import check_runs


def checked_script(sql: str, catalog: Catalog | None = None) -> Script:
    """A script of which every query can run, as far as that is known without Spark.

    >>> script = checked_script("CREATE STREAM s (x INT, t TIMESTAMP) ORDER BY t; SELECT max(x) AS hi FROM s [TUMBLE 1 HOUR];")
    >>> len(script.queries)
    1
    """
    script = bind_script(sql, catalog or Catalog(spark_alone=True))
    for statement, plan in script.statements:
        if plan is not None:
            with_span(statement.span, partial(check_runs, plan))
    return script
