"""What Python says about disorder, as clauses: the same words for a stream and for a window on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import BadQuery, ConflictingClauses, UnknownClause
from transom.fluent.functions.aggregated import Aggregated, column_names, operand
from transom.fluent.lengths import LengthLike, length_of
from transom.plan.expression import Expression, parse
from transom.plan.nodes.disorder import GeneratorClause, PunctuationClause, SlackPercent
from transom.plan.types.fields import plain
from transom.plan.types.schema import Schema

if TYPE_CHECKING:
    from transom.fluent.select_list import Condition
    from transom.fluent.windows import Attributes
    from transom.spark.column_text import Column

NO_COLUMNS = Schema(())


def origin_of(
    *,
    ordered: bool | str | Column | Sequence[str | Column] = False,
    slack: LengthLike | None = None,
    slack_percent: float | None = None,
    drop_ratio: float | None = None,
    normal: bool = False,
    heartbeat: bool | str | None = None,
    punctuation: tuple[Attributes, Condition] | None = None,
    substreams: Sequence[Any] = (),
    schema: Schema = NO_COLUMNS,
) -> GeneratorClause | None:
    """Where punctuation comes from: one of these, or None. Its condition is over the columns of the stream."""
    if normal and drop_ratio is None:
        raise BadQuery("normal says how a drop ratio is kept", given="normal=True", remedy="give drop_ratio as well")
    if substreams and punctuation is None:
        raise BadQuery("substreams are those of a punctuation", given="substreams", remedy="give punctuation as well")
    if punctuation is not None and not (isinstance(punctuation, list | tuple) and len(punctuation) == 2):
        raise BadQuery("a punctuation is columns and a condition", given=repr(punctuation), remedy='give (["ts"], "done")')
    groups = () if isinstance(ordered, bool) else column_names("ordered", ordered)
    if not isinstance(ordered, bool) and not groups:
        raise BadQuery("ordered names columns", given="no columns", remedy="give ordered=True if the whole stream is sorted")
    if isinstance(substreams, str | Mapping) or not isinstance(substreams, Iterable):
        raise BadQuery("substreams are a list of values", given=repr(substreams)[:80], remedy=f"give [{substreams!r}]"[:80])
    declared = tuple(tuple(one) if isinstance(one, tuple | list) else (one,) for one in substreams)
    candidates: dict[str, GeneratorClause | None] = {
        "ordered": Ordered(per=groups) if ordered is not False else None,
        "slack": None if slack is None else Slack(length_of("slack", slack)),
        "slack_percent": None if slack_percent is None else SlackPercent(slack_percent),
        "drop_ratio": None if drop_ratio is None else DropRatio(drop_ratio, normal),
        "heartbeat": _heartbeat(heartbeat),
        "punctuation": None
        if punctuation is None
        else PunctuationClause(column_names("punctuation", punctuation[0]), _condition(punctuation[1], schema), declared),
    }
    given = {name: one for name, one in candidates.items() if one is not None}
    if len(given) > 1:
        raise ConflictingClauses(
            "one clause alone says how far the frontier has come",
            given=" and ".join(given),
            exists=list(candidates),
            remedy="keep one of them",
        )
    return next(iter(given.values()), None)


def _condition(value: Condition, schema: Schema) -> Expression:
    """When a row is a punctuation: SQL text or a PySpark Column."""
    tree = value.expression.tree if isinstance(value, Aggregated) else parse(operand(value))
    return Expression.of(plain(tree, schema))


def _heartbeat(word: bool | str | None) -> Heartbeat | None:
    if word is None or word is False:
        return None
    if word is not True and str(word).lower() not in ("largest", "average"):
        raise UnknownClause(
            "a heartbeat is of the largest lateness so far, or of its average",
            given=f"heartbeat={word!r}",
            exists=["largest", "average"],
            remedy="give one of the two",
        )
    return Heartbeat(average=str(word).lower() == "average")


def lateness(word: str | None) -> str | None:
    """What becomes of late tuples, however it is spelt; the plan refuses other words."""
    return word.lower() if isinstance(word, str) else word
