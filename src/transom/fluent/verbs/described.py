"""What a relation is: its columns, its SQL, its plan, and how it looks when it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from transom.explain import explain
from transom.fluent.showing import in_html, in_line, in_lines
from transom.fluent.verbs.planned import Planned
from transom.plan.sql.render import render
from transom.plan.types.schema import Schema


@dataclass(frozen=True, repr=False)
class Described(Planned):
    """What a relation says of itself."""

    def __repr__(self) -> str:
        return in_line(type(self).__name__, self.plan)

    def __str__(self) -> str:
        return in_lines(self.plan)

    def _repr_html_(self) -> str:
        return in_html(type(self).__name__, self.plan)

    @property
    def schema(self) -> Schema:
        """The columns, with their Spark types.

        >>> from transom import stream
        >>> print(stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").schema)
        speed DOUBLE, ts TIMESTAMP
        """
        return self.plan.schema

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        >>> from transom import stream
        >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").columns
        ['speed', 'ts']
        """
        return self.plan.schema.names

    def sql(self) -> str:
        """The query as SQL.

        >>> from transom import stream
        >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic").select("speed").sql()
        'SELECT speed FROM traffic'
        """
        return render(self.plan)

    def explain(self, *, shards: int | None = None) -> None:
        """Print what the query is and how it would be answered, with `shards` as they would be asked of `to_df()`.

        >>> from transom import stream
        >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic").select("speed").explain()
        plan:
          Project speed
            Scan traffic order by ts (external)
        ...
        """
        print(explain(self.plan, shards))
