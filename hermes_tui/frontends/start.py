"""What every way of starting shares: the folder to work in, and the settings given as options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import UsageError

SETTING_FLAGS = ("model", "base_url", "provider", "schedule", "max_parallel", "permission")


def enter_folder(options: Mapping[str, Any]) -> Path:
    """Return the folder to work in, as it is really called; `UsageError` when it cannot be used."""
    text = options["folder"]
    try:
        folder = Path(text).expanduser().resolve(strict=True) if text else Path.cwd()
        with os.scandir(folder) as entries:
            next(entries, None)
    except FileNotFoundError:
        raise UsageError(
            f"no folder {text or 'here: the current one was removed'}; name one with -C DIR"
        ) from None
    except NotADirectoryError:
        raise UsageError(f"{text} is a file; -C takes a folder") from None
    except OSError as error:
        raise UsageError(
            f"{text or Path.cwd()} cannot be read: {error.strerror}; choose another folder"
        ) from None
    return folder


def flags(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that were given as options."""
    return {key: options[key] for key in SETTING_FLAGS if options[key] is not None}
