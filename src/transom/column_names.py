"""The names of columns that cross from one stage, room or process to the next, each in this one place.

Those with two underscores stand beside the columns of a user while a query runs, and no column of a user has one of their names,
with or without a number behind it (`transom.semantics.tuples`). Names in lower case letters and a colon are how the names of
columns begin that are made of a user's: `k:street` is the key `street`.

State is stored under these names, and they cross the shuffle: to change one, migrate checkpoints (`transom.kernels.state`).
"""

from __future__ import annotations

# -- what users can name ------------------------------------------------------------------------------------------------

ROW_NUM = "row_num"
"""The position of a tuple, from 1, among the arrivals of its stream or partition."""

ARRIVAL_TS = "arrival_ts"
"""When a tuple arrived."""

WINDOW_START = "window_start"
"""The first place of a window."""

WINDOW_END = "window_end"
"""The place behind a window's last."""

WID = "wid"
"""The window-id."""

EVENT_TS = "event_ts"
"""The timestamp of a result: the instant of its window, or that of the tuple it is for."""

FRONTIER = "frontier"
"""Of a late tuple: the frontier that excluded it."""

INPUT_NAME = "input"
"""Of a late tuple of several streams: the stream that it is of."""

IMPLICIT = (ROW_NUM, ARRIVAL_TS)
"""What every tuple has besides its own columns."""

WINDOW_COLUMNS = (WINDOW_START, WINDOW_END, WID, EVENT_TS)
"""What every window says of itself."""

# -- from a source ------------------------------------------------------------------------------------------------------

SOURCE = "__source"
"""The substream a row comes from: a file, a partition of a topic."""

ORIGIN = "__origin"
"""Of a substream that goes through several files: the file, since these have an order."""

POSITION = "__position"
"""Ascending within the substream."""

ARRIVAL = "__arrival"
"""When the row arrived, where the source knows."""

TEXT = "__text"
"""The text of a record, for Spark to parse; NULL where the source has parsed it."""

REASON = "__reason"
"""Why a record is malformed, where that is known before Spark parses it."""

PARSED = "__parsed"
"""What Spark has made of a text."""

MALFORMED = "__malformed"
"""The text itself, where Spark could not parse it."""

KEPT = "__kept"
"""Whether a record stays, once malformed ones are noted."""

PAD = "__pad"
"""A second field where the stream has one column: a csv record with one empty field would be an empty line."""

INPUT_END = "__end"
"""Set in a row that is no tuple: the input has ended."""

TICK = "__tick"
"""Set in a row that is no tuple: time has passed."""

# -- below an operator --------------------------------------------------------------------------------------------------

KEEP = "__keep"
"""Whether a tuple has passed the filters below; one that has not still brings progress."""

MATCHED = "__matched"
"""What of a static table a tuple has met."""

TABLE_KEY = "__on"
"""What a row of a static table must equal, by its number."""

TABLE_ROW = "__row"
"""A row of a static table, among those that agree with a tuple in what must be equal."""

NOW = "__now"
"""The time of the micro-batch, in microseconds."""

# -- into bucket --------------------------------------------------------------------------------------------------------

VALUE = "__value"
"""The windowing attribute."""

ORDER = "__order"
"""The order column, where it is not the attribute."""

PICK = "__pick"
"""Whether a tuple counts in its window: the condition of a filtered window."""

AHEAD = "__ahead"
"""Whether a tuple is further ahead of its arrival than MAX AHEAD allows, and so set aside."""

IS_PUNCTUATION = "__punct"
"""Whether a row is a punctuation."""

PROMISED = "__px"
"""The value that a punctuation promises."""

KEY = "k:"
"""A column of the key."""

OWN = "t:"
"""A column of the tuple itself, which comes out again."""

FIXED = "g:"
"""A column that promises name."""

INPUT = "g:input"
"""Of several inputs: which one a row came by."""

IDLE = "g:idle"
"""Whether others need not wait for that input."""

INSTANTS = "g:instants"
"""The instants that the operator below has had."""

LISTED = "l:"
"""A column of a tuple that may be late, where late tuples are wanted."""

DELTA_ATTRIBUTE = "xp:"
"""What a delta policy compares."""

ASIDE = "x@"
"""What an operator on relations needs of a tuple besides: partitions, and the order of arrival."""

# -- in a slice, from bucket to the operator ----------------------------------------------------------------------------

AXIS = "__axis"
"""The place on the axis."""

PANE = "__pane"
"""The pane, instead of the place, where no more of it matters."""

INDEX = "__index"
"""The position in the slice, where the order of its rows matters: there is punctuation, or rows are sorted."""

HIGH = "__high"
"""The largest place of the slice before the tuple, where it is not in order."""

SEQUENCE_NUMBER = "__seq"
"""How many of the sequence came before the tuple, where a controller looks at that."""

PROMISED_PLACE = "__x"
"""The place that a punctuation promises."""

ENTER = "__enter"
"""Of partials: the first window that is still open for their tuples."""

ROW_COUNT = "__rows"
"""Of partials: the number of their tuples."""

# -- out of an operator -------------------------------------------------------------------------------------------------

KIND = "__kind"
"""What a row is: a result or tuple, a late tuple, a sign of life, or a window punctuation."""

AGGREGATE = "__y"
"""The result of an aggregate, by its number."""

LATE_TUPLE = "__late"
"""A late tuple on its way through the operators above, by the number of its stream."""

PROGRESS = "__progress"
"""What the results to come will keep."""

BOUNDARIES = "__boundaries"
"""The instants of the extents that have ended."""

HAS_ENDED = "__ended"
"""Whether the operator's input has ended."""

IS_IDLE = "__idle"
"""Whether others need not wait for the operator."""

ABOUT = "__about"
"""What a shard reports of itself, as JSON."""

JOIN_KEY = "__k"
"""The keys of the inputs of a join that Spark runs, by the number of the input."""

EXTENT = "__extent"
"""Prefix of the columns that identify an extent, for DISTINCT and ORDER BY."""

SORTED_BY = "__by"
"""What the rows of an extent are sorted by: the n-th value."""

SORTED_AT = "__at"
"""Where that value stands, if Arrow does not sort it as SQL does."""

# -- relations ----------------------------------------------------------------------------------------------------------

CHANGE = "__change"
"""Whether a row enters a relation (1) or leaves it (-1)."""

AFTER = "__after"
"""Whether it does so right after the instant."""

MOMENT = "__moment"
"""When it does so."""

THERE = "__there"
"""Of the latest state of a relation: false in the row that says that nothing is there."""

OPENS = "__opens"
"""Whether a tuple opens a window."""

OWN_TS = "__ts"
"""The timestamp of an input's tuple, which a pair takes its own from."""

ARRIVED = "__arrived"
"""The number of an input's tuple in the order of arrival, where rows are wanted in order."""

STAMP = "__stamp:"
"""How a text begins that stands for what the window of a tuple stamps on it: bucket computes it, not Spark."""

# -- applied operators, and windows with policies -----------------------------------------------------------------------

INSTANT = "__instant"
"""The instant of a result of a window, which goes to another operator."""

AT = "__at"
"""A tuple's place among the rows of its micro-batch."""

PLACE = "__place"
"""Where a tuple stands on the attribute of a delta policy: no further back than those before it in its partition."""

NUMBER_IN_PARTITION = "__n"
"""A tuple's number in its partition."""

WHICH = "__which"
"""The extent of a result, by its number."""

FIRST = "__first"
"""The position in its partition of the first tuple of a pane."""

LAST = "__last"
"""The position in its partition of the last tuple of a pane."""

PARTITION_OF = "__of"
"""The partition of a pane, by its number."""

PANE_START = "__start"
"""When a pane begins."""

PARTITION_NUMBER = "__number"
"""The number of a partition, in the order in which they open."""

PICKED = "__picked"
"""`PICK`, of tuples that are held."""

BESIDE = "__"
"""How the names begin that stand beside a user's."""


def beside() -> list[str]:
    """The names that stand beside a user's."""
    names = (value for name, value in globals().items() if name.isupper() and isinstance(value, str))
    return sorted(name for name in names if name.startswith(BESIDE) and name != BESIDE)
