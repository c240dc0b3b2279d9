"""Operators on their way to executors: classes of a user's own files go along, since workers do not look where the program is."""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from pyspark import cloudpickle

from transom.errors import NotPicklable

INSTALLED = [Path(path).resolve() for path in {*sysconfig.get_paths().values(), *site.getsitepackages()}]
"""Where workers find modules by themselves."""


class CarriedOperator:
    """An operator in bytes, with its class; on the other side it is the operator."""

    def __init__(self, operator: Any, title: str) -> None:
        try:
            self._data = _pickled(operator)
        except Exception as error:
            raise NotPicklable(
                f"{type(operator).__name__} cannot be sent to executors: {error}",
                given=title,
                remedy="open files and connections in a handler, not in __init__, and keep settings in plain values",
            ) from error

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        return cloudpickle.loads, (self._data,)


def _pickled(operator: Any) -> bytes:
    """The operator and what its class needs of its file; where something there cannot be pickled, its class by name."""
    try:
        with _by_value(operator):
            return bytes(cloudpickle.dumps(operator))  # type: ignore[no-untyped-call]
    except Exception:
        return bytes(cloudpickle.dumps(operator))  # type: ignore[no-untyped-call]


@contextmanager
def _by_value(operator: Any) -> Iterator[None]:
    """Pickle the modules of a user's own files as what they hold, and not by name."""
    own = list(_own_modules(operator))
    for module in own:
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)  # type: ignore[no-untyped-call]


def _own_modules(operator: Any) -> Iterator[ModuleType]:
    """The modules of the operator's classes that are not installed, and those in the same folders."""
    classes = [sys.modules.get(kind.__module__) for kind in type(operator).__mro__]
    folders = {path.parent for module in classes if module is not None and (path := _file(module)) is not None}
    for module in list(sys.modules.values()):
        path = _file(module)
        if path is not None and path.parent in folders and module.__name__ != "__main__":
            yield module


def _file(module: ModuleType) -> Path | None:
    """The file of a module of a user's own; None of what is installed, or part of Transom."""
    name = getattr(module, "__file__", None)
    if name is None or getattr(module, "__name__", "").partition(".")[0] == "transom":
        return None
    path = Path(name).resolve()
    return None if any(path.is_relative_to(one) for one in INSTALLED) else path
