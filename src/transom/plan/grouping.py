"""What a window is grouped by."""

from __future__ import annotations

from collections.abc import Iterable

from transom.column_names import WINDOW_COLUMNS
from transom.plan.types.schema import Schema


def keys_of(columns: Iterable[str], schema: Schema) -> tuple[str, ...]:
    """The columns that make groups: those of the window itself are the same for all of its rows."""
    hidden = {column.name.lower() for column in schema.hidden}
    return tuple(name for name in columns if not (name.lower() in WINDOW_COLUMNS and name.lower() in hidden))
