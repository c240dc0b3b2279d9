"""What makes a session suit Transom: settings for one that is to be made, and what one that is there lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession

Builder = TypeVar("Builder", bound=Any)
"""A builder of Spark's."""


def tune(builder: Builder) -> Builder:
    """A builder with the settings that make Transom fast: `tr.tune(SparkSession.builder).getOrCreate()`.

    Transom sets nothing on a session of yours. `tune` adds what suits the builder's master, and keeps what you have set; what you
    set afterwards counts. docs/operating.md explains each setting, and `tr.doctor(spark)` names those that a session lacks.
    """
    from transom.spark.settings import tune

    tuned: Builder = tune(builder)
    return tuned


def doctor(spark: SparkSession) -> None:
    """Print the settings that a session lacks, and what each would bring.

    `tr.doctor(spark)` in Python is `transom doctor --session` in a shell.
    """
    from transom.spark.settings import diagnosis

    lines = diagnosis(spark)
    print("\n".join(lines) if lines else "this session has every setting that Transom profits from")
