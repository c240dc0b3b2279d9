"""What an operator has emitted, as a table: rows in its columns, and window punctuations between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from transom.column_names import KIND
from transom.errors import WrongEmit
from transom.kernels.applied.applied_spec import PUNCTUATION, TUPLE, AppliedSpec
from transom.windowing import PUNCTUATION as MARK
from transom.windowing.attributes import record


def table_of(items: list[Any], spec: AppliedSpec) -> pa.Table:
    """The items in order; a punctuation is a row of NULLs."""
    names = spec.schema.names
    nothing = (None,) * len(names)
    rows = [nothing if item is MARK else _values(item, names, spec) for item in items]
    kinds = pa.array([PUNCTUATION if item is MARK else TUPLE for item in items], pa.int8())
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    arrays = [_array(list(values), field, spec) for values, field in zip(columns, spec.schema, strict=True)]
    return pa.Table.from_arrays([kinds, *arrays], schema=pa.schema([(KIND, pa.int8()), *spec.schema]))


def _values(item: Any, names: list[str], spec: AppliedSpec) -> tuple[Any, ...]:
    """The values of a row, or of a tuple that was passed on."""
    if isinstance(item, tuple) and getattr(item, "_fields", None) == tuple(names):
        return item
    found: Mapping[str, Any] = record(item)
    if set(found) != set(names):
        raise WrongEmit(
            f"output {spec.output!r} of {type(spec.operator).__name__} passes tuples on, and this is none of them",
            given=repr(item)[:200],
            exists=names,
            remedy="forward the tuples that handlers are given, unchanged, or emit rows of columns",
        )
    return tuple(found[name] for name in names)


def _array(values: list[Any], field: pa.Field, spec: AppliedSpec) -> pa.Array:
    try:
        return pa.array(values, field.type)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, TypeError, ValueError) as error:
        wrong = next((value for value in values if not _fits(value, field.type)), None)
        raise WrongEmit(
            f"output {spec.output!r} of {type(spec.operator).__name__}: {field.name} is a {field.type} ({error})",
            given=f"{wrong!r}, a {type(wrong).__name__}",
            exists=spec.schema.names,
            remedy="emit a value that fits, or change what the operator gives",
        ) from None


def _fits(value: Any, kind: pa.DataType) -> bool:
    try:
        pa.array([value], kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, TypeError, ValueError):
        return False
    return True
