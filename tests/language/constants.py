"""Constant expressions and their values, which Spark gives them, too."""

from __future__ import annotations

from decimal import Decimal

NUMBERS: dict[str, object] = {
    "1 + 1": 2,
    "-3": -3,
    "2 * (3 - 5)": -4,
    "7 / 2": 3.5,
    "7 div 2": 3,
    "-7 % 4": -3,
    "0.1 + 0.2": Decimal("0.3"),
    "0.5 + 1e0": 1.5,
    "CAST('12' AS INT) + 1": 13,
    "abs(-2)": 2,
    "greatest(1, 2)": 2,
    "CASE WHEN 1 < 2 THEN 5 ELSE 6 END": 5,
}

INSTANTS = {
    "TIMESTAMP '2026-01-01' + INTERVAL 6 HOURS": "2026-01-01T05:00:00",
    "INTERVAL '1' DAY + TIMESTAMP '2026-01-01 12:00:00'": "2026-01-02T11:00:00",
    # across a change of clocks: days and months are of the calendar, hours pass
    "TIMESTAMP '2026-03-28 12:00:00' + INTERVAL 1 DAY": "2026-03-29T10:00:00",
    "TIMESTAMP '2026-03-28 12:00:00' + INTERVAL 23 HOURS": "2026-03-29T10:00:00",
    "TIMESTAMP '2026-03-28 12:00:00' + INTERVAL 30 HOURS": "2026-03-29T16:00:00",
    "TIMESTAMP '2026-03-28 12:00:00' + INTERVAL 23 HOURS + INTERVAL 1 HOUR": "2026-03-29T11:00:00",
    "TIMESTAMP '2026-03-29 12:00:00' - INTERVAL 1 DAY": "2026-03-28T11:00:00",
    "TIMESTAMP '2026-03-28 12:00:00' + 2 * INTERVAL 12 HOURS": "2026-03-29T10:00:00",
    "TIMESTAMP '2026-03-28 12:00:00Z' + INTERVAL 1 DAY": "2026-03-29T11:00:00",
    "TIMESTAMP '2026-03-28 12:00:00Z' + INTERVAL 1 DAY + INTERVAL 1 MONTH": "2026-04-29T11:00:00",
    "TIMESTAMP '2026-03-01 12:00:00' + INTERVAL 1 MONTH": "2026-04-01T10:00:00",
    "TIMESTAMP '2026-01-31 00:00:00' + INTERVAL 1 MONTH": "2026-02-27T23:00:00",
    "DATE '2026-01-01' + 7": "2026-01-07T23:00:00",
    "DATE '2026-01-01' - INTERVAL 1 DAY": "2025-12-30T23:00:00",
    "DATE '2026-03-29' + INTERVAL 12 HOURS": "2026-03-29T11:00:00",
    "date_add(DATE '2026-01-01', 3)": "2026-01-03T23:00:00",
    "date_sub(DATE '2026-01-01', 3)": "2025-12-28T23:00:00",
    "add_months(DATE '2026-01-31', 1)": "2026-02-27T23:00:00",
    "to_date('2026-01-05')": "2026-01-04T23:00:00",
    "to_timestamp('2026-07-01 12:00:00')": "2026-07-01T10:00:00",
    "CAST('2026-07-01 12:00:00' AS TIMESTAMP)": "2026-07-01T10:00:00",
    "make_date(2026, 2, 28) + 1": "2026-02-28T23:00:00",
    "make_timestamp(2026, 1, 1, 6, 30, 15.5)": "2026-01-01T05:30:15.500000",
    "make_timestamp(2026, 1, 1, 6, 30, 0, 'UTC')": "2026-01-01T06:30:00",
    "date_trunc('MONTH', TIMESTAMP '2026-07-17 13:14:15')": "2026-06-30T22:00:00",
    "date_trunc('HOUR', TIMESTAMP '2026-07-17 13:14:15')": "2026-07-17T11:00:00",
    "timestamp_seconds(86400)": "1970-01-02T00:00:00",
}
"""In a session in Berlin; the instants are in UTC."""
