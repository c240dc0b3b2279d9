"""A small deterministic generator of Nexmark's streams: of ten events, one is a person, two are auctions, seven are bids."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
BETWEEN = timedelta(milliseconds=400)
"""From one event to the next."""

OPEN_FOR = timedelta(seconds=10)
"""How long an auction takes bids: the queries on winning bids have it as their range."""

STATES = ("OR", "ID", "CA", "WA", "AZ")
CITIES = ("Portland", "Boise", "San Francisco", "Seattle", "Phoenix")
CHANNELS = ("Google", "Facebook", "Baidu", "Apple", "channel-7", "channel-12")

Row = dict[str, Any]


@dataclass(frozen=True)
class Event:
    """A row of one of the three streams."""

    stream: str
    row: Row


def events(count: int, seed: int = 1) -> list[Event]:
    """The first events, in the order of their timestamps."""
    chance = random.Random(seed)
    made: list[Event] = []
    people: list[int] = []
    auctions: list[int] = []
    for n in range(count):
        ts = START + n * BETWEEN
        if n % 10 == 0:
            people.append(1000 + len(people))
            made.append(Event("person", _person(people[-1], ts, chance)))
        elif n % 10 in (1, 2):
            auctions.append(100 + len(auctions))
            made.append(Event("auction", _auction(auctions[-1], chance.choice(people[-4:]), ts, chance)))
        else:
            made.append(Event("bid", _bid(chance.choice(auctions[-6:]), chance.choice(people), ts, chance)))
    return made


def _person(id: int, ts: datetime, chance: random.Random) -> Row:
    place = chance.randrange(len(STATES))
    return {"id": id, "name": f"person {id % 7}", "email": f"p{id}@example.com", "city": CITIES[place],
            "state": STATES[place], "ts": ts}  # fmt: skip


def _auction(id: int, seller: int, ts: datetime, chance: random.Random) -> Row:
    return {"id": id, "item": f"item {id}", "initial_bid": chance.randint(1, 20), "reserve": chance.randint(20, 60), "ts": ts,
            "expires": ts + OPEN_FOR, "seller": seller, "category": chance.choice((10, 10, 11, 12))}  # fmt: skip


def _bid(auction: int, bidder: int, ts: datetime, chance: random.Random) -> Row:
    channel = chance.choice(CHANNELS)
    url = f"https://www.nexmark.com/{channel.lower()}/item.htm?query=1&channel_id={chance.randint(1, 99)}"
    return {"auction": auction, "bidder": bidder, "price": chance.randint(1, 999), "channel": channel, "url": url, "ts": ts}
