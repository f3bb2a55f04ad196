"""Slash commands: name = function, help = docstring. They work in all three front ends."""
