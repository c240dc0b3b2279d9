"""Reading attributes of tuples, which are dictionaries or objects (named tuples, dataclasses, Spark rows)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from operator import attrgetter, itemgetter
from typing import Any


def source(name: str, mapping: bool, of: str = "t") -> str:
    """Python that reads an attribute of a tuple.

    >>> source("ts", mapping=False), source("ts", mapping=True), source("a b", mapping=False)
    ('t.ts', "t['ts']", "getattr(t, 'a b')")
    """
    if mapping:
        return f"{of}[{name!r}]"
    if name.isidentifier() and not iskeyword(name) and name.isascii():
        return f"{of}.{name}"
    return f"getattr({of}, {name!r})"


def names(t: object) -> list[str]:
    """The attributes of a tuple, for messages and for tables."""
    if isinstance(t, Mapping):
        return [str(name) for name in t]
    fields = getattr(t, "_fields", None) or getattr(t, "__fields__", None) or getattr(t, "__dataclass_fields__", None)
    return list(fields) if fields else list(getattr(t, "__dict__", ()))


def value(t: Any, name: str) -> Any:
    """One attribute of a tuple."""
    if type(t) is dict:
        return t[name]
    return t[name] if not isinstance(t, tuple) and isinstance(t, Mapping) else getattr(t, name)


def getter(t: object, several: Sequence[str], single: bool = False) -> Callable[[Any], Any]:
    """A function, which can be pickled, that reads these attributes of tuples made like this one.

    It returns a tuple that begins with their values, or, with `single`, the only value.

    >>> getter({"a": 1, "b": 2}, ["a", "b"])({"a": 3, "b": 4})
    (3, 4)
    """
    named = several if single or len(several) > 1 else (*several, *several)
    return itemgetter(*named) if isinstance(t, Mapping) else attrgetter(*named)


def record(t: object) -> dict[str, Any]:
    """A tuple as a dictionary; what has no attributes is its own `value`.

    >>> record({"id": 1}), record(7)
    ({'id': 1}, {'value': 7})
    """
    found = names(t)
    return {name: value(t, name) for name in found} if found else {"value": t}
