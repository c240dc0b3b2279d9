"""Time zones as Spark writes them: regions, UTC, offsets."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from transom.errors import BadOption

_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?")


@lru_cache
def zone_of(name: str) -> tzinfo:
    """The zone of a name.

    >>> zone_of("GMT+2"), zone_of("Z"), zone_of("Europe/Berlin")
    (datetime.timezone(datetime.timedelta(seconds=7200)), datetime.timezone.utc, zoneinfo.ZoneInfo(key='Europe/Berlin'))
    """
    if name in ("Z", "UTC", "GMT", "UT", "Etc/UTC"):
        return UTC
    match = _OFFSET.fullmatch(name)
    try:
        if match is None:
            return ZoneInfo(name)
        hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:])
        return timezone((1 if match[1] == "+" else -1) * timedelta(hours=hours, minutes=minutes, seconds=seconds))
    except (KeyError, ValueError, OSError):
        raise BadOption(
            "there is no such time zone", given=name, remedy="name a region such as 'Europe/Berlin', or UTC"
        ) from None
