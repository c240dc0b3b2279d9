"""The toolkit's operators with their window logic written out, as one would without the library: for `benchmarks.windowing`.

They do less than the toolkit: no partition eviction, no snapshots, no check for disorder, no errors that say where.
"""
