"""Histograms on a logarithmic scale: a bounded memory of all latenesses."""
