"""What the user sees: full screen, line mode, headless."""
