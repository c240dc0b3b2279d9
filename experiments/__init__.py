"""The papers' experiments, re-run, and disorder control on real and made streams. `python -m experiments` runs them all."""
