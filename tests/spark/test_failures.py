"""What Spark reports, in words for a user. Nothing here starts Spark."""

from __future__ import annotations

from transom.errors import QueryFailed, WorkerNotStarted
from transom.spark.running.messages.failures import failure

FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: "


class Reported(Exception):
    """An error of PySpark's, with what caused it."""

    def __init__(self, text: str, cause: Exception | None = None) -> None:
        super().__init__(text)
        self._cause = cause


def test_a_thread_that_waited_has_the_reason_of_the_one_that_failed() -> None:
    reason = Reported("[STATE_STORE] State of batch 0 is missing. SQLSTATE: XXKST")
    waited = Reported(
        f"{FAILED}Exception thrown in awaitResult:  SQLSTATE: XXKST", Reported("Exception thrown in awaitResult: ", reason)
    )
    assert str(failure(waited)) == "QueryFailed: State of batch 0 is missing."
    assert type(failure(Reported(f"{FAILED}Exception thrown in awaitResult: "))) is QueryFailed


def test_a_python_process_that_did_not_start_has_a_name_and_a_remedy() -> None:
    """Spark 4.3 waits ten seconds, and then says this."""
    named = failure(Reported(f"{FAILED}Python worker failed to connect back. SQLSTATE: XXKST"))
    assert isinstance(named, WorkerNotStarted)
    assert "ten seconds" in str(named)
    assert "start the query again" in named.remedy
    assert len(str(named)) < 600


def test_a_function_that_reads_nothing_is_named() -> None:
    """State is computed when rows are read, and Spark notices that it was not."""
    unread = Reported("State store commit validation failed for batch 0. SQLSTATE: XXKST")
    waited = Reported(f"{FAILED}Exception thrown in awaitResult:  SQLSTATE: XXKST", unread)
    assert "foreach_batch" in failure(waited).remedy
