"""The quality of a query's answers, moment by moment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from transom.errors import BadOption, BadRecord
from transom.quality.moment import METRICS, Moment, from_metrics, moment_of
from transom.quality.unstated import warn


@dataclass(frozen=True, repr=False)
class Quality:
    """What a query has kept, at the end of each micro-batch that Spark remembers. A notebook shows it as pictures.

    >>> counts = {"seen": 1000, "late": 4, "used": 990, "dropped": 0, "outside": 10, "held": 3}
    >>> quality = Quality("speeds", (Moment(**counts, target=0.01, frontier=8.0),))
    >>> quality.last.ratio, quality.last.holds
    (0.004, True)
    >>> print(quality)
    speeds: late 0.4 % of 1 % allowed
    """

    title: str = "query"
    moments: tuple[Moment, ...] = ()
    sql: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: Any) -> Quality:
        """Of a running or finished StreamingQuery; or of the Observation that was given to `to_df`.

        A StreamingQuery remembers its last `spark.sql.streaming.numRecentProgressUpdates` micro-batches. Warns, once for each
        query, where tuples came late and nothing says how late they may be (`LateTuplesWarning`).
        """
        if hasattr(query, "recentProgress"):
            reports = [as_dict(report) for report in query.recentProgress]
            for report in reports:
                warn(str(report.get("id", "")), report)
            return cls.of_reports(reports, query.name or "query")
        metrics = getattr(query, "get", None)
        if not isinstance(metrics, Mapping):
            raise BadOption(
                "only queries that run or have run have a quality report",
                given=type(query).__name__,
                exists=["StreamingQuery", "Observation"],
                remedy="give what start() returned, or the Observation given to to_df()",
            )
        warn(str(id(query)), {"observedMetrics": {METRICS: metrics}})
        found = from_metrics(metrics)
        return cls(moments=() if found is None else (found,))

    @classmethod
    def of_reports(cls, reports: Iterable[Any], title: str = "query") -> Quality:
        """Of progress reports of Spark: objects, JSON or what JSON gives."""
        found = (moment_of(as_dict(report)) for report in reports)
        return cls(title, tuple(moment for moment in found if moment is not None))

    @property
    def last(self) -> Moment | None:
        """The latest moment; None as long as nothing has arrived."""
        return self.moments[-1] if self.moments else None

    def __repr__(self) -> str:
        return f"<Quality of {self}>"

    def __str__(self) -> str:
        return f"{self.title}: {self.last or 'nothing has arrived yet'}"

    def to_html(self) -> str:
        """A page by itself.

        ```
        Path("quality.html").write_text(tr.Quality.of(running).to_html())
        ```
        """
        from transom.quality.page import page

        return page([self])

    def _repr_html_(self) -> str:
        from transom.quality.page import fragment

        return fragment(self)


def as_dict(report: Any) -> dict[str, Any]:
    """A progress report as what its JSON says. Spark's own are dictionaries too, but with rows in them."""
    text = report if isinstance(report, str) else getattr(report, "json", None)
    try:
        return dict(report) if text is None else dict(json.loads(text))
    except (TypeError, ValueError) as error:
        raise BadRecord(
            "this is no progress report of Spark's",
            given=repr(report)[:80],
            remedy="give running.recentProgress, or lines of JSON",
        ) from error
