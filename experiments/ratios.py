"""DRATIO beside HEARTBEAT and the SLACK one would have chosen in hindsight, on one stream or on several alike."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from experiments.waiting import Stream, waiting
from transom.disorder import DropRatio, Heartbeat

RATIOS = (0.001, 0.01, 0.05)
HEAD = {
    "stream": "",
    "target %": "g",
    "late %": ".3f",
    "most %": ".3f",
    "kept": "",
    "median delay s": ".3f",
    "NORMAL late %": ".3f",
    "NORMAL delay": ".3f",
    "HEARTBEAT late %": ".3f",
    "HEARTBEAT delay": ".3f",
    "SLACK, same share": ".3f",
    "SLACK, target": ".3f",
}


@dataclass(frozen=True)
class Beside:
    """One ratio on one stream. Delays are medians, in seconds."""

    ratio: float
    share: float
    delay: float
    normal_share: float
    normal_delay: float
    heartbeat_share: float
    heartbeat_delay: float
    slack_same: float
    slack_target: float

    @property
    def kept(self) -> bool:
        """Whether the contract holds: the ratio, and less delay than HEARTBEAT wherever that keeps it as well."""
        return self.share <= self.ratio and (self.heartbeat_share > self.ratio or self.delay < self.heartbeat_delay)


def beside(stream: Stream, ratio: float) -> Beside:
    own, normal, heartbeat = (
        waiting(generator, stream) for generator in (DropRatio(ratio), DropRatio(ratio, normal=True), Heartbeat())
    )
    return Beside(
        ratio,
        own.share,
        own.median,
        normal.share,
        normal.median,
        heartbeat.share,
        heartbeat.median,
        stream.slack_for(own.share),
        stream.slack_for(ratio),
    )


def row(name: str, found: list[Beside]) -> list[object]:
    """The medians over streams alike; the largest share besides."""

    def middle(part: str) -> float:
        return float(statistics.median(getattr(one, part) for one in found))

    return [
        name,
        100 * found[0].ratio,
        100 * middle("share"),
        100 * max(one.share for one in found),
        f"{sum(one.kept for one in found)} of {len(found)}",
        middle("delay"),
        100 * middle("normal_share"),
        middle("normal_delay"),
        100 * middle("heartbeat_share"),
        middle("heartbeat_delay"),
        middle("slack_same"),
        middle("slack_target"),
    ]
