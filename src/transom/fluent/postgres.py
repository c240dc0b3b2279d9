"""Results into PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import Any


def postgres(address: str, table: str, *, checkpoint: str | PathLike[str]) -> Callable[[Any, int], None]:
    """A function for `foreach_batch` that writes each micro-batch into a table of PostgreSQL exactly once.

    ```
    place = "out/_checkpoint"
    save = tr.postgres("postgresql://user@localhost/traffic", "hi_lo", checkpoint=place)
    hi_lo.start(foreach_batch=save, checkpoint=place)
    ```

    `address` is a URI of PostgreSQL's. `checkpoint` is that of the query. The rows of a micro-batch and a note of its number are
    one transaction. After a crash Spark hands the last micro-batch over again, and what is noted is left out. The table is there
    already, and has the columns of the results by name. It needs `pip install 'transom[postgres]'`.
    """
    from transom.spark.sinks.postgres_writer import PostgresWriter

    return PostgresWriter(address, table, fspath(checkpoint))
