"""What every OVER frame must be: a look back from the current row, in the unit it slides in, or sliding by rows."""

from __future__ import annotations

from transom.errors import BadFrame
from transom.semantics.length import Length, Rows, measure, positive, unit_of


def check_frame(preceding: Length | None, slide: Length | None) -> None:
    """Refuse a frame that looks forward, or rows that slide by time. UNBOUNDED is None; a frame in time may slide by rows."""
    if preceding is not None:
        unit_of(preceding)
        if measure(preceding) < 0:
            raise BadFrame(
                "a frame ends at the current row and looks back", given=f"{preceding} PRECEDING", remedy="give 0 or more"
            )
    if slide is None:
        return
    positive("SLIDE", slide)
    if preceding is not None and not isinstance(slide, Rows) and unit_of(preceding) is not unit_of(slide):
        raise BadFrame(
            "a frame that slides along the order column is measured on it",
            given=f"{preceding} PRECEDING SLIDE {slide}",
            remedy="measure both on the order column, or give SLIDE in ROWS",
        )
