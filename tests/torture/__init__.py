"""Torture: queries of every kind under kills, damage and a full disk, and whether their rows are those of an undisturbed run."""
