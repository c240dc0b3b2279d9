"""What the recipes work on: the orders and the shipments of a shop, in the order in which they arrived."""

from __future__ import annotations

import json
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

ORDER = "order_id BIGINT, customer STRING, item STRING, amount DOUBLE, ts TIMESTAMP"
SCHEMAS = {
    "orders": ORDER,
    "messages": ORDER,
    "payments": ORDER,
    "shipments": "order_id BIGINT, carrier STRING, ts TIMESTAMP",
}
START = datetime(2026, 1, 5, 14, 0, tzinfo=UTC)
PER_FILE = 25
Row = dict[str, Any]


def orders(count: int = 100) -> list[Row]:
    """An order every minute or so, some up to ten minutes behind others."""
    draw = random.Random(3)
    sent: list[tuple[datetime, Row]] = []
    at = START
    for number in range(count):
        at += timedelta(seconds=draw.randint(10, 110))
        customer, item = draw.choice(["ann", "bob", "cat"]), draw.choice(["cup", "hat", "pen", "rug"])
        order = {"order_id": number, "customer": customer, "item": item, "amount": round(draw.uniform(5, 50), 2), "ts": at}
        behind = draw.choice([0, 0, 0, 20, 90, 600])
        sent.append((at + timedelta(seconds=behind), order))
    return [order for _, order in sorted(sent, key=lambda pair: pair[0])]


def messages() -> list[Row]:
    """Orders as a queue delivers them: every seventh twice, the second time five orders later."""
    found = orders()
    again = {number + 5: order for number, order in enumerate(found) if number % 7 == 0}
    return [one for number, order in enumerate(found) for one in ([order, again[number]] if number in again else [order])]


def payments() -> list[Row]:
    """Orders in the order of their time."""
    return sorted(orders(), key=lambda order: order["ts"])


def shipments() -> list[Row]:
    """Most orders are shipped within an hour, some later, some never."""
    draw = random.Random(5)
    once = {order["order_id"]: order for order in orders()}
    sent = [
        {"order_id": number, "carrier": draw.choice(["air", "rail"]), "ts": order["ts"] + timedelta(minutes=draw.randint(1, 80))}
        for number, order in once.items()
        if draw.random() < 0.9
    ]
    return sorted(sent, key=lambda row: row["ts"])


ROWS = {"orders": orders, "messages": messages, "payments": payments, "shipments": shipments}


def batch(spark: SparkSession, name: str) -> DataFrame:
    """All rows as a DataFrame."""
    return spark.createDataFrame([tuple(row.values()) for row in ROWS[name]()], SCHEMAS[name])


def stream(spark: SparkSession, name: str, folder: Path, per_file: int = PER_FILE) -> DataFrame:
    """The rows as a streaming DataFrame over files of JSON, one file in each micro-batch."""
    place = folder / name
    if not place.exists():
        place.mkdir(parents=True)
        rows = ROWS[name]()
        for number, first in enumerate(range(0, len(rows), per_file)):
            lines = (json.dumps(row, default=lambda at: at.isoformat()) + "\n" for row in rows[first : first + per_file])
            file = place / f"{number:03}.json"
            file.write_text("".join(lines), encoding="utf-8")
            os.utime(file, (START.timestamp() + number,) * 2)  # Spark's file source goes by modification time
    return spark.readStream.schema(SCHEMAS[name]).option("maxFilesPerTrigger", 1).json(str(place))
