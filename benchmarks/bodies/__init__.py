"""One aggregate, written four ways (seed 003, section 7)."""
