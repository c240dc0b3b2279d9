"""Rolling features

Beside each payment, what its customer has spent in the past 30 minutes. Spark has no window functions over streams, so
this takes `applyInPandasWithState`: the rows to keep, when to forget them, and the schema of the state, all by hand,
and a customer's payments have to arrive in order. Transom has OVER.
"""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql.streaming.state import GroupState, GroupStateTimeout

import transom as tr

STREAMING = True
WAITING = 1  # the last payment, as more of the same instant may come


def spent(key: tuple[str], frames: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    times, amounts = json.loads(state.get[0]) if state.exists else ([], [])
    for frame in frames:
        rows: list[dict[str, Any]] = []
        for row in frame.sort_values("ts").itertuples():
            at = row.ts.timestamp()
            times.append(at)
            amounts.append(row.amount)
            kept = [n for n, one in enumerate(times) if one >= at - 1800]
            times, amounts = [times[n] for n in kept], [amounts[n] for n in kept]
            rows.append({"order_id": row.order_id, "customer": key[0], "spent": sum(amounts)})
        yield pd.DataFrame(rows)
    state.update((json.dumps([times, amounts]),))


def with_spark(payments: DataFrame) -> DataFrame:
    return payments.groupBy("customer").applyInPandasWithState(
        spent,
        outputStructType="order_id BIGINT, customer STRING, spent DOUBLE",
        stateStructType="kept STRING",
        outputMode="append",
        timeoutConf=GroupStateTimeout.NoTimeout,
    )


def with_transom(payments: DataFrame) -> DataFrame:
    stream = tr.stream(payments, order_by="ts", name="payments")
    rolling = tr.sum("amount").over(preceding="30 minutes", partition_by="customer")
    return stream.select("order_id", "customer", spent=rolling).to_df()


SQL = """
SELECT order_id, customer, sum(amount) OVER (PARTITION BY customer RANGE 30 MINUTES PRECEDING) AS spent
FROM payments
"""
