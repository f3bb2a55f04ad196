"""Where the user writes: the editor, its completions, its history, what was pasted."""
