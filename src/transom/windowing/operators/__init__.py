"""Operators ready to use, and to read as examples."""

from transom.windowing.operators.anomalies import Anomalies
from transom.windowing.operators.deduplicate import Deduplicate
from transom.windowing.operators.vwap import Vwap
from transom.windowing.operators.write_in_batches import Batches

__all__ = ["Anomalies", "Batches", "Deduplicate", "Vwap"]
