"""Widgets, in folders that mirror the screen."""
