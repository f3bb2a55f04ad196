"""What the settings change of the screen, done when they change and not before. Decides no setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp


class Preferences:
    """Vi keys, motion, title and notifications as the settings say."""

    def __init__(self, app: HermesApp) -> None:
        self._app = app
        self._vi: bool | None = None

    def apply(self) -> None:
        """Look at the settings, and do what they say by now."""
        app, settings = self._app, self._app.hermes.settings
        if settings.vi_keys != self._vi:
            self._vi = settings.vi_keys
            app.main.prompt.use_vi(settings.vi_keys)
        app.animation_level = "none" if settings.reduced_motion else "full"
        app.main.panel.calm = settings.reduced_motion
        app.attention.use(settings.notify, settings.window_title)
