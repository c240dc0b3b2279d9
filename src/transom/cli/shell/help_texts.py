"""`help` in the shell: the statements, and a page for each topic."""

from __future__ import annotations

TOPICS = {
    "": """\
Statements end in ; and may take several lines.

  CREATE STREAM s (column TYPE, ...) ORDER BY ts SLACK 30 SECONDS SOURCE FILE 'folder' FORMAT csv;
  SELECT ... FROM s [TUMBLE 5 MINUTES] GROUP BY ...;   rows over what the files or tables hold now
  CREATE STREAM q AS SELECT ...;                       a query under a name
  CREATE STREAM missed AS LATE OF q;                   the tuples that missed a window of q
  CREATE VIEW v AS SELECT ... FROM s [window] ...;     kept up to date meanwhile; then SELECT * FROM v;
  EXPLAIN q;  EXPLAIN ANALYZE q;  CHECK q;             how it is answered; measured; is it right
  SHOW STREAMS;  DESCRIBE STREAM s;  DROP STREAM s;
  quit                                                 or Ctrl-D

help windows, help disorder, help frames, help joins, help sources: more of each.""",
    "windows": """\
Between FROM s [ and ]:

  TUMBLE 5 MINUTES                     one after the other
  RANGE 5 MINUTES SLIDE 1 MINUTE       five minutes, every minute
  RANGE 100 ROWS SLIDE 10 ROWS         the last 100 tuples, every 10; PATTR key: of each key
  RANGE 5 MINUTES                      at every instant
  SESSION GAP 30 SECONDS               until nothing comes for so long; with GROUP BY those of each group
  LANDMARK FROM TIMESTAMP '...' SLIDE 1 HOUR, LANDMARK EVERY 1 DAY SLIDE 1 HOUR, BAND x TO y SLIDE s, NOW

WATTR column windows on another column. window_start, window_end and wid can be selected.""",
    "disorder": """\
Behind ORDER BY of a stream, or in a bracket:

  SLACK 30 SECONDS         a tuple may be so far behind the newest one (Spark: the delay of withWatermark)
  DRATIO 1%                wait as long as it takes for at most 1 % to come late
  ORDERED, HEARTBEAT, PUNCTUATION (columns) WHEN condition
  LATE GENEROUS, LATE CONSISTENT       a late tuple counts in windows that are open; or in none
  PER SOURCE (device), IDLE AFTER 1 MINUTE, AHEAD 1 HOUR, BFSIZE 10000, ARRIVAL BY column""",
    "frames": """\
One row for each tuple:

  avg(speed) OVER (PARTITION BY seg_id RANGE 5 MINUTES PRECEDING)
  sum(price) OVER (PARTITION BY item ROWS 49 PRECEDING SLIDE 10 ROWS)""",
    "joins": """\
  FROM a JOIN b ON a.k = b.k AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 1 HOUR    an interval join
  FROM a [RANGE 1 HOUR] AS a JOIN b [RANGE 10 MINUTES] AS b ON a.k = b.k         windows of both
  FROM a ASOF JOIN b MATCH_CONDITION (a.ts >= b.ts) ON a.k = b.k                 the last before it
  FROM a [TUMBLE 5 MINUTES] JOIN table ON ...                                    with a table""",
    "sources": """\
  SOURCE FILE 'folder' FORMAT csv OPTIONS (header 'true')    csv, json, parquet, ...
  SOURCE KAFKA 'topic' FORMAT json OPTIONS (kafka.bootstrap.servers '...')
  SOURCE TABLE name, SOURCE SOCKET, SOURCE RATE
  INSERT INTO FILE 'folder' FORMAT jsonl SELECT ...;         or TABLE name, KAFKA 'topic'""",
}


def asks_for_help(text: str) -> bool:
    r"""Whether a line is `help`, `help topic`, `?` or `\?`."""
    words = text.rstrip("; \n").lower().split()
    return bool(words) and words[0] in ("help", "?", "\\?", "\\h") and len(words) <= 2


def help_text(text: str) -> str:
    """The page of a topic; of an unknown topic, the list of topics.

    >>> help_text("help frames;").splitlines()[0]
    'One row for each tuple:'
    >>> help_text("help me")
    'There is no help on me. Topics: disorder, frames, joins, sources, windows.'
    """
    _, *words = text.rstrip("; \n").lower().split()
    topic = words[0] if words else ""
    found = TOPICS.get(topic) or TOPICS.get(f"{topic}s")
    return found or f"There is no help on {topic}. Topics: {', '.join(sorted(filter(None, TOPICS)))}."
