"""Starting commands, collecting their output, ending their process groups."""
