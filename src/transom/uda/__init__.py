"""User-defined aggregates (UDAs, after seed 003): what they say, how their bodies are compiled, and which version runs."""

from transom.uda.definition import Statement, TableDefinition, UserAggregate, Version

__all__ = ["Statement", "TableDefinition", "UserAggregate", "Version"]
