"""What queries do, for people and for other programs: the console, the cell of a notebook, metrics. See `docs/console.md`."""
