"""DRATIO: a drop ratio that is kept with as little delay as possible, and seed 001's controller (NORMAL)."""
