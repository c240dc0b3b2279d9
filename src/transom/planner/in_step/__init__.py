"""Stages of operators with several inputs in step."""
