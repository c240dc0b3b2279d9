"""What every OVER frame must be: a look back from the current row, in the unit it slides in."""

from __future__ import annotations

from transom.errors import BadFrame
from transom.semantics.length import Length, measure, positive, unit_of


def check_frame(preceding: Length | None, slide: Length | None) -> None:
    """Refuse a frame that looks forward, or whose SLIDE is in another unit. UNBOUNDED is None."""
    if preceding is not None:
        unit_of(preceding)
        if measure(preceding) < 0:
            raise BadFrame(
                "a frame ends at the current row and looks back", given=f"{preceding} PRECEDING", remedy="give 0 or more"
            )
    if slide is None:
        return
    positive("SLIDE", slide)
    if preceding is not None and unit_of(preceding) is not unit_of(slide):
        raise BadFrame(
            "a frame and its SLIDE are in the same unit",
            given=f"{preceding} PRECEDING SLIDE {slide}",
            remedy="measure both in rows, or both on the order column",
        )
