"""Options of sources: what Spark's readers and ours know passes, anything else is refused, with the nearest name."""

from __future__ import annotations

import pytest

from transom.errors import BadOption, NotSupported
from transom.language import bind_script
from transom.plan.nodes.stream import Endpoint
from transom.plan.sources.source_check import check_source, check_target

KNOWN = [
    (
        "FILE",
        "x",
        "csv",
        "header sep nullValue multiLine maxFilesPerTrigger=2 PATHGLOBFILTER inferSchema rejects timestampFormat",
    ),
    ("FILE", "x.json", None, "allowComments maxBytesPerTrigger=1 latestFirst=false locale multiLine"),
    ("FILE", "x", "parquet", "maxFilesPerTrigger=1 mergeSchema timeZone"),
    ("KAFKA", "t", None, "kafka.bootstrap.servers kafka.anything.at.all startingOffsets failOnDataLoss maxOffsetsPerTrigger"),
    ("KAFKA", "t", "csv", "kafka.bootstrap.servers sep nullValue malformed=drop"),
    ("SOCKET", "h:1", "json", "malformed=drop allowSingleQuotes"),
    ("RATE", None, None, "rowsPerSecond=5 rampUpTime=5s numPartitions=1"),
    ("TABLE", "t", None, "maxFilesPerTrigger ignoreDeletes stream-from-timestamp streaming-max-rows-per-micro-batch"),
]


def options(text: str) -> tuple[tuple[str, str], ...]:
    flags = {"header", "multiline"}
    pairs = (one.partition("=") for one in text.split())
    return tuple((name, value or ("true" if name.lower() in flags else "x")) for name, _, value in pairs)


@pytest.mark.parametrize(("kind", "name", "form", "given"), KNOWN)
def test_what_readers_know_passes(kind: str, name: str | None, form: str | None, given: str) -> None:
    pairs = tuple((key, "," if key == "sep" else value) for key, value in options(given))
    check_source(Endpoint(kind, name, form, pairs))


@pytest.mark.parametrize(
    ("kind", "form", "given", "remedy"),
    [
        ("FILE", "csv", "haeder=true", "did you mean 'header'?"),
        ("FILE", "csv", "maxFilePerTrigger=1", "did you mean 'maxFilesPerTrigger'?"),
        ("FILE", "json", "header=true", ""),
        ("FILE", "parquet", "sep=x", ""),
        ("KAFKA", None, "bootstrap_servers", "did you mean 'kafka.bootstrap.servers'?"),
        ("KAFKA", None, "bootstrap.servers", "did you mean 'kafka.bootstrap.servers'?"),
        ("KAFKA", None, "startingOffset=earliest", "did you mean 'startingOffsets'?"),
        ("KAFKA", "csv", "allowComments", ""),
        ("SOCKET", "csv", "maxFilesPerTrigger=1", ""),
        ("RATE", None, "rowPerSecond=5", "did you mean 'rowsPerSecond'?"),
        ("TABLE", None, "maxFilePerTrigger=1", "did you mean 'maxFilesPerTrigger'?"),
    ],
)
def test_an_unknown_name_is_refused(kind: str, form: str | None, given: str, remedy: str) -> None:
    with pytest.raises(BadOption) as caught:
        check_source(Endpoint(kind, "x", form, options(given)))
    assert caught.value.remedy.startswith(remedy)
    assert caught.value.exists


@pytest.mark.parametrize(
    ("kind", "form", "given"),
    [
        ("FILE", "xml", ""),
        ("FILE", "csv", "header=yes"),
        ("FILE", "csv", "maxFilesPerTrigger=few"),
        ("FILE", "csv", "mode=PERMISSIVE"),
        ("FILE", "csv", "latestFirst=true"),
        ("KAFKA", "parquet", ""),
        ("KAFKA", None, "format=avro"),
        ("KAFKA", None, "malformed=reject"),
        ("SOCKET", "parquet", ""),
        ("SOCKET", None, "malformed=reject rejects=x"),
        ("RATE", "csv", ""),
        ("RATE", None, "rowsPerSecond=many"),
        ("TABLE", "csv", ""),
    ],
)
def test_a_value_that_cannot_be_is_refused(kind: str, form: str | None, given: str) -> None:
    with pytest.raises(BadOption):
        check_source(Endpoint(kind, "x", form, options(given)))


def test_a_kind_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotSupported):
        check_source(Endpoint("PIGEON", "post"))


def test_a_format_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(BadOption):
        check_target(Endpoint("FILE", "out", "xml"))
    check_target(Endpoint("FILE", "out", "csv"))
    check_target(Endpoint("FILE", "out"))


def test_binding_underlines_the_option() -> None:
    sql = "CREATE STREAM s (x INT)\n  SOURCE KAFKA 't' OPTIONS (bootstrap_servers 'h:1');"
    with pytest.raises(BadOption) as caught:
        bind_script(sql)
    span = caught.value.span
    assert span is not None
    assert sql[span.start : span.end] == "bootstrap_servers"
