"""The built-in stand-in for a model: rules that turn plain requests into real calls. No language model."""

from hermes_tui.providers.rehearsal.provider import RehearsalProvider

__all__ = ["RehearsalProvider"]
