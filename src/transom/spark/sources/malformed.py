"""What becomes of records that cannot be read: an error, nothing, or a line in a folder of rejects."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass, field
from urllib.parse import quote

from transom.errors import BadTuple
from transom.spark.sources.filesystem import open_folder


@dataclass(frozen=True)
class Malformed:
    """A record that cannot be read, and why."""

    line: int
    reason: str
    record: bytes

    @property
    def text(self) -> str:
        return self.record.decode("utf-8", errors="backslashreplace")


@dataclass
class Policy:
    """What to do with the malformed records of one file (or connection)."""

    source: str
    malformed: str = "fail"
    rejects: str | None = None
    seen: list[Malformed] = field(default_factory=list)

    def take(self, records: list[Malformed]) -> None:
        if records and self.malformed == "fail":
            raise _error(self.source, records[0])
        if self.malformed == "reject":
            self.seen.extend(records)
        else:
            self.seen.extend(Malformed(one.line, one.reason, b"") for one in records)

    def finish(self) -> None:
        """After the last record: say how many were left out, and write them where they can be found.

        One file of rejects per input file, replaced as a whole: reading the input again changes nothing.
        """
        if self.seen:
            print(f"transom: {len(self.seen)} malformed records of {self.source} left out", file=sys.stderr)
        if self.rejects is None:
            return
        folder = open_folder(self.rejects)
        name = f"{quote(self.source.rsplit('/', 1)[-1], safe='')}-{_digest(self.source)}"
        if self.malformed == "reject":
            folder.replace(f"{name}.jsonl", "".join(f"{_line(self.source, one)}\n" for one in self.seen))
        else:
            folder.replace(f"{name}.json", json.dumps({"file": self.source, "dropped": len(self.seen)}) if self.seen else "")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _line(source: str, one: Malformed) -> str:
    return json.dumps({"file": source, "line": one.line, "reason": one.reason, "record": one.text}, ensure_ascii=False)


def _error(source: str, one: Malformed) -> BadTuple:
    header = "if it is a header, say OPTIONS (header 'true'); else " if one.line == 1 and not one.text.startswith("{") else ""
    return BadTuple(
        f"{source}, line {one.line}: {one.reason}",
        given=one.text,
        remedy=f"{header}mend the record, or say OPTIONS (malformed 'drop'), or (malformed 'reject', rejects 'folder')",
    )
