"""The logical plan: frozen nodes with derived schemas and properties. SQL and Python both build it."""
