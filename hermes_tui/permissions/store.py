"""The "always" answers of one project, in a file of ours. The project itself never holds them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from hermes_tui.config.paths import private_write
from hermes_tui.engine.errors import ConfigError
from hermes_tui.permissions.rules import Rule, parse_rule


class RuleStore:
    """Reads and writes the rules that "always" made for one project, by its canonical path."""

    def __init__(self, folder: Path, project: Path) -> None:
        self._project = project
        digest = hashlib.sha256(str(project).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self.path = folder / f"{digest}.json"

    def load(self) -> list[Rule]:
        """Return the rules; `ConfigError` names the file when it is damaged."""
        try:
            data = json.loads(self.path.read_text("utf-8"))
            return [parse_rule(text) for text in data["allow"]]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be read: {error.strerror}; make it readable") from None
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{self.path}: damaged ({error}); delete it to be asked again") from None

    def add(self, rules: list[Rule]) -> None:
        """Store more rules; what another session stored meanwhile stays."""
        texts = [str(rule) for rule in self.load()]
        self._write([*texts, *(str(rule) for rule in rules if str(rule) not in texts)])

    def remove(self, text: str) -> bool:
        """Remove a rule; False when there is none."""
        texts = [str(rule) for rule in self.load()]
        if text in texts:
            self._write([each for each in texts if each != text])
        return text in texts

    def _write(self, texts: list[str]) -> None:
        body = {"project": str(self._project), "allow": texts}
        private_write(self.path, json.dumps(body, ensure_ascii=True, indent=1) + "\n")
