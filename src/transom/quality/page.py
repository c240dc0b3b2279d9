"""A page about the quality of queries: self-contained HTML, with pictures drawn in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from html import escape

from transom.disorder.age_bounds import bounds_of
from transom.quality.chart import Line, bars, lines
from transom.quality.look import PAGE, STYLE
from transom.quality.moment import Moment, worst
from transom.quality.quality import Quality
from transom.quality.scale import Scale, around, of_lengths, of_numbers, of_times
from transom.quality.wording import length, place, share

Numbers = list[float | None]


def page(queries: Sequence[Quality]) -> str:
    """A page by itself."""
    title = queries[0].title if len(queries) == 1 else f"{len(queries)} queries"
    body = "\n".join(_section(each) for each in queries)
    return PAGE.format(title=escape(f"{title}: quality"), style=STYLE, body=body)


def fragment(quality: Quality) -> str:
    """The same inside of another page."""
    return f'<style>{STYLE}</style><div class="transom">{_section(quality)}</div>'


def _section(quality: Quality) -> str:
    last = quality.last
    if last is None:
        return f"<section><h2>{escape(quality.title)}</h2><p>nothing has arrived yet</p></section>"
    kind = {None: "", True: " good", False: " bad"}[last.holds]
    ran = when_it_ran(quality.moments)
    head = f"<h2>{escape(quality.title)}</h2>" + (f'<p class="ran">{escape(ran)}</p>' if ran else "")
    says = f'<p class="says{kind}"><span>{escape(_sentence(last))}</span></p>'
    body = _text(quality.sql) + _pictures(quality.moments) + _ages(last) + _table(last, worst(quality.moments))
    return f"<section>{head}{says}{body}</section>"


def _sentence(last: Moment) -> str:
    """What to know first."""
    late = f"{share(last.ratio)} of {last.seen:,} tuples came late"
    behind = _behind(last)
    if last.learns:
        return f"DRATIO is still learning how late tuples are: no result has left ({last.seen:,} tuples seen)."
    if last.target is None:
        return f"{late}.{behind}"
    return f"The promise is {'kept' if last.holds else 'broken'}: {late}, {share(last.target)} is allowed.{behind}"


def _behind(last: Moment) -> str:
    if last.delay_by_right_clocks is not None:
        late = length(last.delay_by_right_clocks)
        return f" Results are {late} behind the newest event of the substreams whose clocks are right; one clock is far ahead."
    return "" if last.delay is None else f" Results are {length(last.delay)} behind the newest event."


def when_it_ran(moments: Sequence[Moment]) -> str:
    """From the first micro-batch to the last, and how many tuples a second came between them.

    >>> from datetime import UTC
    >>> first = Moment(seen=100, late=0, used=100, dropped=0, outside=0, held=0, at=datetime(2026, 1, 5, 14, 0, tzinfo=UTC))
    >>> last = Moment(seen=1300, late=0, used=1300, dropped=0, outside=0, held=0, at=datetime(2026, 1, 5, 14, 1, tzinfo=UTC))
    >>> when_it_ran([first, last])
    '2026-01-05 14:00:00 to 2026-01-05 14:01:00 UTC, 20 tuples/s'
    """
    timed = [moment for moment in moments if moment.at is not None]
    if not timed or timed[0].at is None or timed[-1].at is None:
        return ""
    seconds = (timed[-1].at - timed[0].at).total_seconds()
    if seconds <= 0:
        return f"{place(timed[0].at)} UTC"
    rate = (timed[-1].seen - timed[0].seen) / seconds
    return f"{place(timed[0].at)} to {place(timed[-1].at)} UTC, {rate:,.{1 if rate < 10 else 0}f} tuples/s"


def _text(sql: Sequence[str]) -> str:
    """The statements of the query."""
    text = "".join(f"{one};\n" for one in sql).rstrip()
    return f"<details open><summary>Query</summary><pre>{escape(text)}</pre></details>" if sql else ""


def _table(last: Moment, most: float | None) -> str:
    rows: dict[str, str | None] = {
        "tuples": f"{last.seen:,}",
        "late tuples": f"{last.late:,}",
        "share of late tuples": share(last.ratio),
        "share that DRATIO allows": None if last.target is None else share(last.target),
        "largest share that was late at any time": None if most is None else share(most),
        "used: in a window that was open": f"{last.used:,}",
        "dropped: too late for every window": f"{last.dropped:,}",
        "outside: in no window anyway": f"{last.outside:,}",
        "rows of state (partial aggregates or tuples)": f"{last.held:,}",
        "tuples at the frontier of their substream or above it": None if last.waiting is None else f"{last.waiting:,}",
        "of these, at most (BFSIZE)": None if last.buffer is None else f"{last.buffer:,}",
        "newest event": None if last.newest is None else place(last.newest),
        "frontier (watermark)": None if last.frontier is None else place(last.frontier),
        "delay of results": None if last.delay is None else length(last.delay),
        "delay of results, wrong clocks left out": None
        if last.delay_by_right_clocks is None
        else length(last.delay_by_right_clocks),
        "delay of half of the tuples, at most": None if last.delay_50 is None else length(last.delay_50),
        "delay of 95 % of the tuples, at most": None if last.delay_95 is None else length(last.delay_95),
    }
    cells = (f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows.items() if text is not None)
    return f"<h3>All figures, at the end</h3><table>{''.join(cells)}</table>"


def _pictures(moments: Sequence[Moment]) -> str:
    """What changes over time, where the time is known."""
    timed = [moment for moment in moments if moment.at is not None]
    if not timed:
        return ""
    x = [moment.at.timestamp() for moment in timed if moment.at is not None]
    along = of_times(x)
    found = [lines("Late tuples", "share of all tuples", x, along, *_shares(timed))]
    delays = {"delay": "blue", "delay_50": "green", "delay_95": "red"}
    names = {
        "delay": "frontier behind the newest event",
        "delay_50": "half of the tuples, at most",
        "delay_95": "95 % of them, at most",
    }
    drawn = [Line(names[name], colour, _numbers(timed, name)) for name, colour in delays.items()]
    found += _picture("Delay of results", "", x, along, drawn, _scale_of_lengths(timed))
    waiting = [Line("tuples", "blue", _numbers(timed, "waiting"))]
    if timed[-1].buffer is not None:
        waiting.append(Line("at most", "red", [float(timed[-1].buffer)] * len(x), dashed=True))
    found += _picture("Waiting tuples", "at the frontier of their substream or above it", x, along, waiting, of_numbers)
    reached = [Line("newest event", "grey", _numbers(timed, "newest")), Line("frontier", "green", _numbers(timed, "frontier"))]
    found += _picture(
        "Frontier and newest event", "event time, by the time of the run", x, along, reached, _scale_of_places(timed)
    )
    return "".join(found)


def _picture(
    title: str, what: str, x: list[float], along: Scale, drawn: list[Line], scale: Callable[[list[float]], Scale]
) -> list[str]:
    """A picture, unless the query has no such thing."""
    drawn = [line for line in drawn if any(value is not None for value in line.values)]
    values = [value for line in drawn for value in line.values if value is not None]
    return [lines(title, what, x, along, scale(values), drawn)] if drawn and not all(line.dashed for line in drawn) else []


def _shares(timed: list[Moment]) -> tuple[Scale, list[Line]]:
    """In percent: so far, of each micro-batch, and what is allowed."""
    so_far: Numbers = [100 * moment.ratio for moment in timed]
    each: Numbers = []
    for n, moment in enumerate(timed):
        seen, late = (moment.seen, moment.late) if n == 0 else (moment.seen - timed[n - 1].seen, moment.late - timed[n - 1].late)
        each.append(100 * late / seen if seen > 0 and late >= 0 else None)
    drawn = [Line("of each micro-batch", "grey", each), Line("of all so far", "blue", so_far)]
    if timed[-1].target is not None:
        drawn.append(Line("allowed", "red", [100 * timed[-1].target] * len(timed), dashed=True))
    return of_numbers([value for line in drawn for value in line.values if value is not None], " %"), drawn


def _numbers(moments: list[Moment], name: str) -> Numbers:
    return [_number(getattr(moment, name)) for moment in moments]


def _number(value: datetime | timedelta | float | None) -> float | None:
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value.timestamp() if isinstance(value, datetime) else value


def _scale_of_lengths(moments: list[Moment]) -> Callable[[list[float]], Scale]:
    return of_lengths if any(isinstance(moment.delay, timedelta) for moment in moments) else of_numbers


def _scale_of_places(moments: list[Moment]) -> Callable[[list[float]], Scale]:
    return of_times if any(isinstance(moment.newest, datetime) for moment in moments) else around


def _ages(last: Moment) -> str:
    """A bar for each bin from the shortest age to the longest; some may be empty."""
    if not last.late_by_age:
        return ""
    is_time = isinstance(last.late_by_age[0].high, timedelta)
    counts = {one.high: one.count for one in last.late_by_age}
    first, longest = last.late_by_age[0].high, last.late_by_age[-1].high
    every = [timedelta(microseconds=bound) if is_time else bound for bound in bounds_of(timed=is_time)]
    named = [(length(bound), counts.get(bound, 0)) for bound in every[every.index(first) : every.index(longest) + 1]]
    return bars("Late tuples by how late they were", "behind the frontier, up to", named)
