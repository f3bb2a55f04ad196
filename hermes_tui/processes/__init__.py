"""Starting commands, collecting their output, ending their process groups.

Knows no tool and no permission. `psutil` is used here only.
"""
