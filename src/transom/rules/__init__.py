"""Plan-to-plan rules, one file each, applied in the order of `RULES` until none fires."""

from transom.rules.optimize import RULES, Fired, optimize

__all__ = ["RULES", "Fired", "optimize"]
