"""How well a query keeps what it was asked for: read from the progress that Spark reports, shown as words and as a page."""

from transom.quality.moment import Aged, Moment
from transom.quality.quality import Quality

__all__ = ["Aged", "Moment", "Quality"]
