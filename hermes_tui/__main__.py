"""`python -m hermes_tui` is the command `hermes-tui`."""

from hermes_tui.cli import main

if __name__ == "__main__":
    main()
