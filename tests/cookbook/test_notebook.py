"""The notebook of the cookbook runs, from a DataFrame to a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cookbook import notebook

NOTEBOOK = Path(notebook.__file__).with_name("live_picture.ipynb")


@pytest.mark.spark
def test_the_notebook_ends_in_a_picture(spark: Any) -> None:
    """Its `getOrCreate` takes the session of the tests, and tunes it: the number of shards is put back."""
    shards = spark.conf.get("spark.sql.shuffle.partitions")
    try:
        values = notebook.run(NOTEBOOK)
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", shards)
    assert values[0].isStreaming
    assert "SUM(amount) AS sales" in values[1]._repr_html_()
    assert len(values[2]) == 5
    assert "<svg" in values[3]._repr_html_()
    assert values[3].last.late > 0
    spark.sql("DROP VIEW IF EXISTS sales")
