"""Windows over rows: their bounds are numbers of rows, counted in the stream or in a partition of it."""

from __future__ import annotations

from transom.semantics.windows.window import Window


class OfRows(Window):
    """A window whose extents are runs of rows in the order in which these are counted."""
