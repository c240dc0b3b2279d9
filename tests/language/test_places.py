"""A name that is wrong is underlined, and not all that stands around it."""

from __future__ import annotations

import pytest

from transom.errors import NotOrdered, TransomError, UnknownColumn
from transom.language import bind_script

STREAM = "CREATE STREAM s (v DOUBLE, kind STRING, ts TIMESTAMP) ORDER BY ts {clause} SOURCE FILE 'in';"
QUERY = "SELECT count(*) AS n FROM s [TUMBLE 5 MINUTES {clause}];"


@pytest.mark.parametrize("stands", ["on the stream", "in the bracket"])
@pytest.mark.parametrize(
    ("error", "clause", "name"),
    [
        (UnknownColumn, "DRATIO 1% ARRIVAL BY received", "received"),
        (UnknownColumn, "DRATIO 1% ARRIVAL BY `as received`", "as received"),
        (UnknownColumn, "SLACK 1 SECOND PER SOURCE (kind, Source, v)", "Source"),
        (NotOrdered, "DRATIO 1% ARRIVAL BY kind", "kind"),
        (NotOrdered, "DRATIO 1% NORMAL ARRIVAL BY kind", "kind"),
        (NotOrdered, "SLACK 1 SECOND ARRIVAL BY kind", "kind"),
    ],
)
def test_columns_of_disorder_clauses(stands: str, error: type[TransomError], clause: str, name: str) -> None:
    of_stream, of_window = (clause, "") if stands == "on the stream" else ("", clause)
    with pytest.raises(error) as caught:
        bind_script(STREAM.format(clause=of_stream) + "\n" + QUERY.format(clause=of_window))
    span = caught.value.span
    assert span is not None
    assert span.text[span.start : span.end] == name
