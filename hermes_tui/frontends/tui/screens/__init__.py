"""Modal dialogs and full screens."""
