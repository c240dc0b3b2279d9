"""Stages as DataFrames: what Spark computes below and above each operator."""
