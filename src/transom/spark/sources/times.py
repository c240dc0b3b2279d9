"""Whole columns of texts that are times."""

from __future__ import annotations

from datetime import timezone

import pyarrow as pa
import pyarrow.compute as pc

from transom.spark.sources.java_pattern import strptime_format
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.zone import arrow_zone, zone_of

WALL_CLOCK = pa.timestamp("us")
INSTANT = pa.timestamp("us", "UTC")
_HAS_ZONE = r"[0-9:.](Z|[+-][0-9]{2}(:?[0-9]{2})?)$"
_BEYOND_MICROSECONDS = r"([.][0-9]{6})[0-9]+"
_DATE_ONLY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


class NotInBulk(ValueError):
    """Texts that have to be looked at one by one."""


def is_time(kind: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(kind) or pa.types.is_date(kind))


def times(texts: pa.Array, kind: pa.DataType, options: ReadOptions) -> pa.Array:
    """A column of texts as dates or timestamps, in ISO 8601 or in the format that the options give."""
    if pa.types.is_date(kind):
        if options.date_format is None:
            return texts.cast(kind)
        return _strptime(texts, options.date_format).cast(kind)
    if options.timestamp_format is not None:
        walls = _strptime(texts, options.timestamp_format)
        return walls if kind.tz is None else instants(walls, options.zone)
    try:
        return _iso(texts, kind, options.zone)
    except pa.ArrowInvalid:
        return _iso(pc.replace_substring_regex(texts, _BEYOND_MICROSECONDS, r"\1"), kind, options.zone)


def instants(walls: pa.Array, zone: str) -> pa.Array:
    """What the clocks of a zone show, as instants. Times that a clock skipped are left to be looked at one by one."""
    name = arrow_zone(zone)
    if name is None:
        raise NotInBulk
    if name == "+00:00":
        return walls.cast(INSTANT)
    if not isinstance(zone_of(zone), timezone) and not _within_rules(walls):
        raise NotInBulk
    return pc.assume_timezone(walls, name, ambiguous="earliest", nonexistent="raise").cast(INSTANT)


def _within_rules(walls: pa.Array) -> bool:
    """Whether Arrow knows a region's rules for all of these: those of later years it does not."""
    bounds = pc.min_max(walls).as_py()
    return bounds["min"] is None or (bounds["min"].year > 1901 and bounds["max"].year < 2037)


def _iso(texts: pa.Array, kind: pa.DataType, zone: str) -> pa.Array:
    if kind.tz is None:
        return texts.cast(WALL_CLOCK)
    plain = _all_alike(texts, zone)
    if plain is not None:
        return plain
    zoned = pc.and_not(pc.match_substring_regex(texts, _HAS_ZONE), pc.match_substring_regex(texts, _DATE_ONLY))
    nothing = pa.scalar(None, pa.string())
    absolute = pc.if_else(zoned, texts, nothing).cast(INSTANT)
    return pc.coalesce(absolute, instants(pc.if_else(zoned, nothing, texts).cast(WALL_CLOCK), zone))


def _all_alike(texts: pa.Array, zone: str) -> pa.Array | None:
    """All with a zone, or all without: Arrow says which by refusing the other."""
    for kind in (INSTANT, WALL_CLOCK):
        try:
            moments = texts.cast(kind)
        except pa.ArrowInvalid:
            continue
        return moments if kind is INSTANT else instants(moments, zone)
    return None


def _strptime(texts: pa.Array, pattern: str) -> pa.Array:
    layout = strptime_format(pattern)
    if "%f" in layout or "%z" in layout:
        raise NotInBulk
    return pc.strptime(texts, layout, unit="us")
