"""One tool a file. Tools do not import each other."""
