"""Runs turns: asks the model, plans and runs its calls, stops at once.

Knows no screen, no vendor and no tool by name; imports the standard library only.
"""
