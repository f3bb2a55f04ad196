"""The Runs panel: every call as it runs, on a time axis; a strip where the screen is narrow."""
