"""Programs written inside a command line: sed scripts, awk programs, jq filters, judged by their text."""
