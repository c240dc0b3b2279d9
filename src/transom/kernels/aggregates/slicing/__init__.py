"""Algorithms that combine the partials of many slices of one table, each with what it needs and costs."""
