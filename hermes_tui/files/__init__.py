"""Canonical paths, safe opening, atomic replace, hash, diff, walking with ignore rules."""
