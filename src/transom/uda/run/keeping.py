"""Plain Python values as JSON, with what JSON does not know written out: tuples, sets, deques, decimals, times, other keys."""

from __future__ import annotations

from collections import deque
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from transom.errors import NotPicklable

KNOWN = ("None", "bool", "int", "float", "str", "Decimal", "date", "datetime", "list", "tuple", "set", "dict", "deque")


def keep(value: Any, name: str, where: str) -> Any:
    """A value that JSON can hold. `name` and `where` are for the message if there is none."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Decimal | datetime | date):
        return {"!": type(value).__name__, "of": str(value) if isinstance(value, Decimal) else value.isoformat()}
    if isinstance(value, list):
        return [keep(one, name, where) for one in value]
    if type(value) in (tuple, set, frozenset, deque):
        made = {"!": type(value).__name__, "of": [keep(one, name, where) for one in value]}
        return {**made, "maxlen": value.maxlen} if isinstance(value, deque) else made
    if isinstance(value, dict):
        return {"!": "dict", "of": [[keep(key, name, where), keep(one, name, where)] for key, one in value.items()]}
    if hasattr(value, "item") and not isinstance(value, type):
        return keep(value.item(), name, where) if getattr(value, "ndim", 1) == 0 else _refused(value, name, where)
    return _refused(value, name, where)


def _refused(value: Any, name: str, where: str) -> Any:
    raise NotPicklable(
        f"the state of {name} cannot be kept: {where} is a {type(value).__name__}",
        given=repr(value)[:80],
        exists=KNOWN,
        remedy="keep plain values, or give the class save() and restore(kept)",
    )


_MAKE: dict[str, Any] = {
    "Decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "tuple": lambda of: tuple(map(kept, of)),
    "set": lambda of: set(map(kept, of)),
    "frozenset": lambda of: frozenset(map(kept, of)),
    "dict": lambda of: {kept(key): kept(one) for key, one in of},
}


def kept(value: Any) -> Any:
    """The inverse."""
    if isinstance(value, list):
        return [kept(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value["!"] == "deque":
        return deque(map(kept, value["of"]), maxlen=value["maxlen"])
    return _MAKE[value["!"]](value["of"])
