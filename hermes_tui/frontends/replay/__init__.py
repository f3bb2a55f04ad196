"""A recorded run, played again: the same events through the same front ends. Nothing is run."""
