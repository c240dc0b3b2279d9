"""Sources: from the definition of a stream to a DataFrame with its columns.

Besides the stream's columns a source gives `__source`, `__position` and, where it knows, `__arrival`. Within a micro-batch
rows have arrived in the order of (`__source`, `__position`).
"""
