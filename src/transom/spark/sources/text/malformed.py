"""What becomes of records that cannot be read: an error, nothing, or a line in a folder of rejects."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

import pyarrow as pa
from pyspark.sql import Column as SparkColumn
from pyspark.sql import functions as sf
from pyspark.sql.pandas.functions import ArrowUDFType, arrow_udf

from transom.column_names import POSITION, SOURCE
from transom.errors import BadTuple
from transom.spark.sources.filesystem import open_folder

REMEDY = "mend the record, or say OPTIONS (malformed 'drop')"
REMEDY_OF_FILES = f"{REMEDY}, or (malformed 'reject', rejects 'folder')"
HEADER = "if it is a header, say OPTIONS (header 'true'); else "


@dataclass(frozen=True)
class Problems:
    """What to do with the texts of a source that Spark cannot parse. `folder` is where its files are."""

    policy: str
    folder: str = ""
    rejects: str | None = None
    counted: bool = True
    """Whether those left out are counted. It takes a function in Python over a column that is mostly NULL."""
    is_file: bool = True

    @property
    def file(self) -> SparkColumn:
        return sf.concat(sf.lit(f"{self.folder}/"), sf.col(SOURCE)) if self.is_file else sf.col(SOURCE)

    def message(self, reason: SparkColumn, text: SparkColumn) -> SparkColumn:
        """The text of a BadTuple."""
        position = sf.col(POSITION)
        remedy = sf.lit(REMEDY_OF_FILES if self.is_file else REMEDY)
        header = sf.when((position == 1) & ~text.startswith("{"), sf.lit(HEADER)).otherwise(sf.lit(""))
        return sf.format_string(
            "BadTuple: %s, line %s: %s\n  given:  %s\n  remedy: %s%s\n", self.file, position, reason, text, header, remedy
        )

    def note(self, reason: SparkColumn, text: SparkColumn) -> SparkColumn:
        """What is noted of a record: its file; to reject it, all of it."""
        if self.policy != "reject":
            return sf.to_json(sf.struct(self.file.alias("file")))
        return sf.to_json(
            sf.struct(self.file.alias("file"), sf.col(POSITION).alias("line"), reason.alias("reason"), text.alias("record"))
        )

    def noted(self, notes: SparkColumn) -> SparkColumn:
        """True for each record without a note; the notes are kept where they can be found."""
        kept: Callable[..., SparkColumn] = arrow_udf(
            _keeper(self.policy, self.rejects), "boolean", ArrowUDFType.SCALAR_ITER
        ).asNondeterministic()
        return kept(notes)


def _keeper(policy: str, rejects: str | None) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def keep(notes: Iterator[pa.Array]) -> Iterator[pa.Array]:
        seen: dict[str, list[str]] = {}
        for batch in notes:
            for note in batch.drop_null().to_pylist():
                seen.setdefault(json.loads(note)["file"], []).append(note)
            yield batch.is_null()
        for source, lines in seen.items():
            report(source, len(lines), policy, rejects, lines)

    keep.__annotations__ = {"notes": Iterator[pa.Array], "return": Iterator[pa.Array]}
    return keep


def report(source: str, count: int, policy: str, rejects: str | None, lines: Iterable[str]) -> None:
    """Say how many records of a file were left out, and write them where they can be found.

    One file of rejects per input file, replaced as a whole: reading the input again changes nothing.
    """
    print(f"transom: {count} malformed records of {source} left out", file=sys.stderr)
    if rejects is not None:
        text = "".join(f"{line}\n" for line in lines) if policy == "reject" else json.dumps({"file": source, "dropped": count})
        open_folder(rejects).replace(_name(source, policy), text)


def forget(source: str, policy: str, rejects: str | None) -> None:
    """Before a file is read: what was left out of it when it was read before no longer counts."""
    if rejects is not None:
        open_folder(rejects).replace(_name(source, policy), "")


def _name(source: str, policy: str) -> str:
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    return f"{quote(source.rsplit('/', 1)[-1], safe='')}-{digest}.{'jsonl' if policy == 'reject' else 'json'}"


@dataclass
class Unreadable:
    """Files of a binary format that cannot be read, or not to their end."""

    source: str
    policy: str
    rejects: str | None
    seen: list[tuple[int, str]] = field(default_factory=list)

    def take(self, row: int, reason: str) -> None:
        if self.policy == "fail":
            raise BadTuple(f"{self.source}, line {row}: {reason}", given="", remedy=REMEDY_OF_FILES.replace("record", "file"))
        self.seen.append((row, reason))

    def finish(self) -> None:
        if self.seen:
            lines = (
                json.dumps({"file": self.source, "line": row, "reason": reason, "record": ""}, ensure_ascii=False)
                for row, reason in self.seen
            )
            report(self.source, len(self.seen), self.policy, self.rejects, lines)
