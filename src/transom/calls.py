"""Arguments of public functions and methods: what does not fit is refused by name, before the call.

A keyword that there is not, an argument that is missing and one too many are a `BadCall`. Arguments that mean the same
everywhere (`spark`, `shards`, `checkpoint` ...) are checked here, once for all callables; others where they are used.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from os import PathLike
from types import FunctionType
from typing import Any, TypeVar

from transom.errors import BadCall, nearest

Function = TypeVar("Function", bound=Callable[..., Any])

Kind = tuple[Callable[[Any], bool], str, str]
"""Whether a value fits, what the argument is, and what to give instead."""


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | Mapping)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


FLAG: Kind = (lambda value: isinstance(value, bool), "is True or False", "give one of the two")
TEXT: Kind = (_is_text, "is text", "give text that is not empty")
ARGUMENTS: dict[str, Kind] = {
    "spark": (lambda value: hasattr(type(value), "createDataFrame"), "is a Spark session", "give a SparkSession"),
    "builder": (
        lambda value: hasattr(value, "config") and hasattr(value, "getOrCreate"),
        "is a builder of sessions",
        "write tr.tune(SparkSession.builder).getOrCreate()",
    ),
    "shards": (_is_count, "is a number of shards", "give a whole number above zero"),
    "checkpoint": (
        lambda value: _is_text(value) or isinstance(value, PathLike),
        "is a folder",
        'give its path: "out/_checkpoint"',
    ),
    "observation": (lambda value: hasattr(type(value), "get"), "is an Observation of PySpark's", "give Observation()"),
    "timeout": (_is_number, "is a number of seconds", "give a number, such as 60"),
    "port": (lambda value: value == 0 or (_is_count(value) and value < 65_536), "is a port", "leave it out for a free one"),
    "streams": (lambda value: isinstance(value, Mapping), "are given by name", 'write streams={"traffic": df}'),
    "opentelemetry": (
        lambda value: isinstance(value, bool) or hasattr(value, "get_meter"),
        "is True or a MeterProvider",
        "give one of the two",
    ),
    "reports": (_is_list, "are a list of progress reports", "give running.recentProgress, or lines of JSON"),
    "tuples": (_is_list, "are a list", "give a list of tuples or dictionaries"),
    **dict.fromkeys(("address", "called", "format", "host", "query_name", "table", "title", "token"), TEXT),
    **dict.fromkeys(
        ("active_expiration", "available_now", "bounded", "defined", "editor", "end", "extended", "ignorenulls", "landmark"), FLAG
    ),
    **dict.fromkeys(("normal", "now", "partial", "per_shard", "unbounded_state"), FLAG),
}
"""Arguments that mean the same wherever they are given; None is for those that may be left out."""


def checked(function: Function, called: str = "") -> Function:
    """The same function, which refuses arguments that do not fit; `called` is what users call it, if not by its name.

    >>> @checked
    ... def run(*, shards: int | None = None) -> None: ...
    >>> run(shrds=3)
    Traceback (most recent call last):
        ...
    transom.errors.BadCall: BadCall: run has no argument 'shrds'
      given:  shrds=3
      exists: shards
      remedy: did you mean 'shards'?
    """
    signature = inspect.signature(function)
    known = [
        (name, sys.maxsize if one.kind is one.KEYWORD_ONLY else place, one.default is None, ARGUMENTS[name])
        for place, (name, one) in enumerate(signature.parameters.items())
        if name in ARGUMENTS and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]

    @wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        for name, place, optional, kind in known:
            if name in named or place < len(positional):
                _check(name, named[name] if name in named else positional[place], optional, kind)
        try:
            return function(*positional, **named)
        except TypeError:
            _refuse(called or function.__name__, signature, positional, named)
            raise

    return call  # type: ignore[return-value]


def _check(name: str, value: Any, optional: bool, kind: Kind) -> None:
    fits, what, remedy = kind
    if not (value is None and optional) and not fits(value):
        raise BadCall(f"{name} {what}", given=f"{name}={value!r}"[:80], remedy=remedy)


def _refuse(name: str, signature: inspect.Signature, positional: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Raise if a call does not fit a signature, and say where."""
    try:
        signature.bind(*positional, **named)
        return
    except TypeError:
        pass
    parameters = [one for one in signature.parameters.values() if one.name != "self"]
    by_name = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    for keyword, value in named.items():
        if keyword not in by_name and not any(one.kind is one.VAR_KEYWORD for one in parameters):
            raise BadCall(
                f"{name} has no argument {keyword!r}",
                given=f"{keyword}={value!r}"[:80],
                exists=by_name,
                remedy=nearest(keyword, by_name),
            ) from None
    by_place = [one for one in signature.parameters.values() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if len(positional) > len(by_place) and not any(one.kind is one.VAR_POSITIONAL for one in parameters):
        extra = repr(positional[len(by_place)])[:80]
        raise BadCall(f"{name} has an argument too many", given=extra, exists=by_name, remedy="give it by name") from None
    twice = next((one.name for one in by_place[: len(positional)] if one.name in named), None)
    if twice is not None:
        raise BadCall(f"{name} is given {twice!r} twice", given=f"{twice}={named[twice]!r}"[:80], remedy="give it once") from None
    missing = [one.name for one in by_place[len(positional) :] if one.default is one.empty and one.name not in named]
    missing += [
        one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty and one.name not in named
    ]
    raise BadCall(f"{name} needs {missing[0]!r}", exists=by_name, remedy=f"give it: {name}({missing[0]}=...)") from None


def check_all(names: Mapping[str, Any], public: Iterable[str]) -> dict[str, Any]:
    """What a package exports, with its arguments checked: functions where they are defined, and the methods of classes."""
    done: dict[Any, Any] = {}
    for name in public:
        one = names[name]
        if isinstance(one, FunctionType) and one not in done:
            done[one] = checked(one)
            setattr(sys.modules[one.__module__], one.__name__, done[one])
        elif isinstance(one, type):
            for part in one.__mro__:
                if part.__module__.startswith("transom."):
                    check_methods(part)
    return {name: done.get(names[name], names[name]) for name in public}


def check_methods(kind: type) -> type:
    """A class whose public methods refuse arguments that do not fit."""
    done: dict[Any, Any] = {}
    for name, method in list(vars(kind).items()):
        own = isinstance(method, FunctionType | classmethod) and (not name.startswith("_") or name == "__call__")
        if not own or hasattr(getattr(method, "__func__", method), "__wrapped__"):
            continue
        if method not in done:
            done[method] = classmethod(checked(method.__func__)) if isinstance(method, classmethod) else checked(method)
        setattr(kind, name, done[method])
    return kind
