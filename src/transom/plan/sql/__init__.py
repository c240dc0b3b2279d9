"""Plans as SQL again: text that parses to the same plan."""
