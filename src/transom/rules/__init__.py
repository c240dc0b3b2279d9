"""Plan-to-plan rules, one file each, applied in the order of `RULES`, each until it no longer fires."""

from transom.rules.optimize import RULES, Fired, optimize

__all__ = ["RULES", "Fired", "optimize"]
