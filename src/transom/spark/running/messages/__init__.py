"""What people see of a run: rows, progress, warnings and failures."""
