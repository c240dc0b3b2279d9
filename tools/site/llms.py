"""`llms.txt`: the documents as an index with a sentence for each page, and as one text."""

from __future__ import annotations

import re
from collections.abc import Mapping

HEAD = """\
# Transom

> {description}

Windows over data streams on PySpark. `import transom as tr`; a query is SQL (`tr.sql`) or calls (`tr.stream(df).window(...)`),
and its result is an ordinary DataFrame. llms-full.txt has all pages in one text.

## Pages

"""
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def title_of(text: str) -> str:
    """The first heading of a page."""
    found = HEADING.search(text)
    return found[1].strip() if found else ""


def first_sentence(text: str) -> str:
    """The first sentence of prose after the heading.

    >>> first_sentence("# Glossary\\n\\nOne word, one meaning.  In the\\ncode too. More.")
    'One word, one meaning.'
    """
    body = HEADING.sub("", text, count=1)
    prose = next((part for part in re.split(r"\n\s*\n", body) if re.match(r"\s*[A-Za-z`*\"]", part)), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(prose.split()))
    return re.split(r"(?<=[.:?])\s", plain, maxsplit=1)[0]


def llms_index(description: str, pages: Mapping[str, str]) -> str:
    """A line for each page: its title, its place, its first sentence."""
    lines = [
        f"- [{title_of(text) or name}]({name.removesuffix('.md')}.html): {first_sentence(text)}" for name, text in pages.items()
    ]
    return HEAD.format(description=description) + "\n".join(lines) + "\n"


def llms_full(pages: Mapping[str, str]) -> str:
    """All pages, each with its name above it."""
    return "\n\n".join(f"<!-- {name} -->\n{text.strip()}" for name, text in pages.items()) + "\n"
