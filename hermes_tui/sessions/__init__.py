"""The session store: every message and event in one SQLite file; a crash loses nothing that was shown.

Knows no front end and no tool. `sqlite3` is used here only; this package itself imports nothing, so that the
first frame does not wait for it.
"""
