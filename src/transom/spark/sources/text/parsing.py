"""Records of text parsed by Spark (`from_csv`, `from_json`), and what becomes of those that it cannot parse."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark.errors import PySparkException
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from transom.column_names import KEPT, MALFORMED, PAD, PARSED, REASON, TEXT
from transom.errors import BadOption, NotSupported
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.quoted import quoted
from transom.spark.quiet import quietly
from transom.spark.sources.source_columns import ddl_of
from transom.spark.sources.text.malformed import Problems

PATTERNS = ("timestampformat", "timestampntzformat", "dateformat")
NESTED = ("ARRAY", "MAP", "STRUCT")


@dataclass(frozen=True)
class Parsing:
    """How texts become the columns of a stream."""

    stream: StreamDefinition
    format: str
    options: dict[str, str] = field(default_factory=dict)
    padded: bool = False

    def check(self, spark: SparkSession) -> None:
        """Refuse types that csv does not have, and let Spark look at patterns of times and at zones, before a query starts."""
        for column in self.stream.columns if self.format == "csv" else ():
            if column.type.upper().startswith(NESTED):
                remedy = "use FORMAT json, or declare a STRING"
                raise NotSupported("a column of csv holds one value", given=f"{column.name} {column.type}", remedy=remedy)
        if not self.options:
            return
        patterns = [pattern for name, pattern in self.options.items() if name.lower() in PATTERNS]
        one = spark.sql("SELECT * FROM VALUES ('0') AS t(text)")  # Spark evaluates it without a job
        parsed = self.parsed(sf.col("text")).alias("parsed")
        try:
            with quietly():
                one.select(parsed, *(sf.try_to_timestamp("text", sf.lit(pattern)) for pattern in patterns)).collect()
        except PySparkException as error:
            given = ", ".join(f"{name} {value!r}" for name, value in self.options.items())
            raise BadOption(
                f"Spark does not take these options: {str(error).splitlines()[0]}", given=given, remedy="correct them"
            ) from None

    def parsed(self, text: SparkColumn) -> SparkColumn:
        """The columns of the stream, and the text itself where it is malformed."""
        return self._parse(text, ddl_of(self.stream))

    def reason(self, text: SparkColumn, parsed: SparkColumn) -> SparkColumn:
        """Why a text is malformed: the first column that is NULL though the text has something for it."""
        texts = self._parse(text, ", ".join(f"{quoted(column.name)} STRING" for column in self.stream.columns))
        reasons = []
        for column in self.stream.columns:
            given = texts.getField(column.name)
            problem = sf.concat(sf.lit(f"column {column.name!r}: '"), given, sf.lit(f"' is no {column.type.upper()}"))
            reasons.append(sf.when(parsed.getField(column.name).isNull() & given.isNotNull(), problem))
        columns = ", ".join(column.name for column in self.stream.columns)
        what = "csv record with the fields" if self.format == "csv" else "JSON object with fields like"
        return sf.coalesce(*reasons, sf.lit(f"it is no {what} {columns}"))

    def _parse(self, text: SparkColumn, columns: str) -> SparkColumn:
        pad = f", {PAD} STRING" if self.padded else ""
        options = {**self.options, "mode": "PERMISSIVE", "columnNameOfCorruptRecord": MALFORMED}
        schema = f"{columns}{pad}, {MALFORMED} STRING"
        return sf.from_csv(text, schema, options) if self.format == "csv" else sf.from_json(text, schema, options)

    @property
    def hidden(self) -> list[str]:
        """Fields of what was parsed that are no columns of the stream."""
        return [*([PAD] if self.padded else []), MALFORMED]


def parse(frame: DataFrame, parsing: Parsing, problems: Problems) -> DataFrame:
    """The columns of the stream in place of the texts; the other columns stay.

    Each text is parsed once: Spark pushes a filter on the result below the parsing, and so parses again, but no generator.
    """
    names = [column.name for column in parsing.stream.columns]
    others = [name for name in frame.columns if name not in (TEXT, REASON, *names)]
    text, known, parsed = sf.col(TEXT), sf.col(REASON), sf.col(PARSED)
    read = parsing.parsed(text)
    if set(names) <= set(frame.columns):
        nothing = (sf.lit(None).cast("string").alias(name) for name in parsing.hidden)
        values = sf.struct(*(sf.col(quoted(name)) for name in names), *nothing)
        read = sf.when(text.isNull() & known.isNull(), values).otherwise(read)
    rows = frame.select(read.alias(PARSED), text, known, *others)
    good = known.isNull() & parsed.isNotNull() & parsed.getField(MALFORMED).isNull()
    reason = sf.coalesce(known, parsing.reason(text, parsed))
    if problems.policy == "fail":
        row = sf.when(good, sf.array(parsed)).otherwise(sf.raise_error(problems.message(reason, text)))
    elif problems.counted:
        rows = rows.withColumn(KEPT, problems.noted(sf.when(~good, problems.note(reason, text))))
        row = sf.when(sf.col(KEPT), sf.array(parsed))
    else:
        row = sf.when(good, sf.array(parsed))
    return rows.select(sf.inline(row), *others).drop(*parsing.hidden)
