"""What an aggregate may be called: not what SQL calls a function already."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from transom.errors import BadAggregate


def check_name(name: str) -> None:
    """Refuse the name of a function that is built in."""
    if not name.isidentifier():
        raise BadAggregate("an aggregate is called by a plain word", given=name, remedy="use letters, digits and _")
    try:
        tree = sqlglot.parse_one(f"{name}(1)", read="spark")
    except SqlglotError:
        tree = exp.Null()
    if not isinstance(tree, exp.Anonymous) or name.lower() in ("oldest", "is_newest"):
        raise BadAggregate(f"{name!r} is built in", given=name, remedy="choose another name")
