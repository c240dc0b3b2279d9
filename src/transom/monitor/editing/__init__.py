"""The query editor of the console: what is typed is checked, completed and answered, and nothing is written."""
