"""The page of papers: what each brought, and which modules say that a definition or an algorithm is from it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import transom

PACKAGE = Path(transom.__file__).parent

PAPERS = {
    "000": (
        "Li, Maier, Tufte, Papadimos, Tucker: Semantics and evaluation techniques for window aggregates in data streams, 2005",
        "What a window is: `windows`, `extent` and `wids`; context classes; one pass by window-id; panes; punctuation.",
    ),
    "001": (
        "Kim, Kim, Kim: Evaluation of sliding windows based on adaptive disorder control in continuous streams",
        "The drop ratio instead of a slack, the controller for normal delays, the record store, joins of windows in step.",
    ),
    "002": (
        "Patroumpas, Sellis: Window specification over data streams",
        "Scope functions and the taxonomy of windows; joins, set operations and DISTINCT over windows; rewriting rules.",
    ),
    "003": (
        "The Stream Mill papers on the Expressive Stream Language (ESL), University of California, Los Angeles",
        "Three kinds of timestamps; aggregates written in SQL with INITIALIZE, ITERATE, TERMINATE and EXPIRE; SLIDE.",
    ),
    "004": (
        "Gedik: Generic windowing support for extensible stream processing systems",
        "Windows with count, delta, time and punctuation policies, and operators that react to their events.",
    ),
}
CITED = re.compile(
    r"seed (00\d)\b(?:'s)?[ ,(]*(section \d(?:\.\d)*|definition \d|listing \d|figure \d|examples? \d+(?: to \d+)?)?"
)

HEAD = """\
# The papers, and where each definition lives

Five papers define what Transom does. Comments and docstrings name the paper, as seed 000 to 004, and the section that a
definition or an algorithm comes from. The tables below are made of these.

"""


def citations() -> dict[str, list[tuple[str, str, str]]]:
    """For each paper the modules that name it: the place in the paper, the module, and what the module is for."""
    found: dict[str, list[tuple[str, str, str]]] = {paper: [] for paper in PAPERS}
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        about = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        places: dict[str, set[str]] = {}
        for cited in CITED.finditer(text):
            places.setdefault(cited[1], set()).update([cited[2]] if cited[2] else [])
        for paper, where in places.items():
            found[paper].append((", ".join(sorted(where)), module, " ".join(about.split()).replace("|", "\\|")))
    return found


def papers_page() -> str:
    """A section for each paper."""
    parts = [HEAD]
    for paper, rows in citations().items():
        title, brought = PAPERS[paper]
        parts.append(f"## Seed {paper}\n\n{title}.\n\n{brought}\n\n| in the paper | module | what it is for |\n|---|---|---|")
        parts.append("\n".join(f"| {where} | `{module}` | {about} |" for where, module, about in sorted(rows)) + "\n")
    return "\n".join(parts)
