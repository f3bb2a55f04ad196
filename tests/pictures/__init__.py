"""The README's pictures, made from the real app on the rehearsal: `python -m tests.pictures`."""
