"""Write docs/nexmark.md: each query of Nexmark next to what it asks."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
QUERIES = ROOT / "tests" / "nexmark" / "queries"

BEFORE = """# Nexmark

The queries q0 to q22 of the [Nexmark](https://github.com/nexmark/nexmark) benchmark over its three streams. Each is a file in
`tests/nexmark/queries`, beside the same question in DuckDB's SQL over a table of the events; a test compares the answers. Where
Nexmark means a result that is updated, ISTREAM gives a row for each change. Auctions are open for 10 seconds, and what
Nexmark keeps for ever is kept for a day.

`make nexmark` writes this page.
"""


def page() -> str:
    """The page."""
    parts = [BEFORE, f"```sql\n{(QUERIES / 'streams.sql').read_text().rstrip()}\n```\n"]
    for number in range(23):
        question, _, *query = (QUERIES / f"q{number}.sql").read_text().rstrip().splitlines()
        text = "\n".join(query)
        parts.append(f"## q{number}\n\n{question.removeprefix('-- ')}\n\n```sql\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    (ROOT / "docs" / "nexmark.md").write_text(page(), encoding="utf-8")
