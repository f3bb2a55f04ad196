"""The verdict on one call: deny beats ask beats allow; every subject of the call has to be allowed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes_tui.engine.footprint import ANYTHING, Access, Footprint, Hazard, Level, Subject
from hermes_tui.engine.protocols import Pending, Verdict
from hermes_tui.permissions.protected import Protected, names
from hermes_tui.permissions.rules import Rule, has_wildcard, literal, parse_rule
from hermes_tui.permissions.store import RuleStore

MODES: Final = ("plan", "ask", "edits", "all")

WRITTEN: Final = "the model wrote this call into its text instead of sending it; is it meant as one?"
READS_ONLY: Final = "plan mode only reads; the mode ask (--permission ask, /permission ask) lets it ask"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason to ask: what about (None: the call as a whole), why, and whether rules may settle it."""

    subject: Subject | None
    why: str
    protected: bool = False
    """A protected place: no rule and no earlier answer settles it."""
    by_rule: bool = False
    """An ask rule of the user's: only a later answer settles it, no allow rule."""


class ProjectPermissions:
    """Permissions of one project (design.md 3.5); without one, nothing is inside. Thread-safe."""

    def __init__(
        self, project: Path | None, home: Path, store: RuleStore, own: Iterable[Path] = (), mode: str = "ask"
    ) -> None:
        self._project = project
        self._home = home
        self._store = store
        self._protected = Protected(home, own)
        self.readable: Callable[[], Iterable[Path]] = tuple
        """Folders, canonical, in which reading is as free as inside the project: what the program kept of
        this session for the model, though it lies among its own files."""
        self._lock = threading.Lock()
        self._mode = mode
        self._deny: list[Rule] = []
        self._ask: list[Rule] = []
        self._allow: list[Rule] = []
        self._session: list[Rule] = []
        self._always = store.load()

    def configure(self, allow: Iterable[str], ask: Iterable[str], deny: Iterable[str]) -> None:
        """Set the rules of config.toml; `ConfigError` for one that is none."""
        self._allow, self._ask, self._deny = ([parse_rule(r) for r in rules] for rules in (allow, ask, deny))

    @property
    def mode(self) -> str:
        """One of `MODES`."""
        return self._mode

    @mode.setter
    def mode(self, mode: str) -> None:
        if mode not in MODES:
            raise ValueError(f"no permission mode {mode!r}; there are {', '.join(MODES)}")
        self._mode = mode

    def cycle(self) -> str:
        """Go to the next mode and return it."""
        self._mode = MODES[(MODES.index(self._mode) + 1) % len(MODES)]
        return self._mode

    def rules(self) -> list[tuple[str, str]]:
        """Return every rule in force as (kind, rule), strongest kind first."""
        with self._lock:
            groups = (
                ("deny", self._deny), ("ask", self._ask), ("allow", self._allow),
                ("session", self._session), ("always", self._always),
            )  # fmt: skip
            return [(kind, str(rule)) for kind, rules in groups for rule in rules]

    def judge(self, call: Pending) -> Verdict:
        """Return allow, ask or deny with reasons in words."""
        subjects: tuple[Subject | None, ...] = call.footprint.subjects or (None,)
        for subject in subjects:
            if rule := self._match(self._deny, call, subject):
                return Verdict("deny", (f"the rule deny {rule} forbids it; change it in config.toml",))
        if self._mode == "plan" and has_effect(call):
            return Verdict("deny", (READS_ONLY,))
        open_doubts = self._open_doubts(call, self._mode)
        if not open_doubts:
            return Verdict("allow")
        asking = tuple(doubt.subject for doubt in open_doubts if doubt.subject is not None)
        always = "" if any(d.protected for d in open_doubts) else self._always_text(call, open_doubts)
        why = tuple(dict.fromkeys(doubt.why for doubt in open_doubts))
        unasked = next((mode for mode in MODES if not self._open_doubts(call, mode)), "")
        return Verdict("ask", why, asking, always, unasked)

    def learn(self, call: Pending, verdict: Verdict, scope: str) -> None:
        """Remember a yes for `session` or `always`."""
        if scope not in ("session", "always") or not verdict.pattern:
            return
        rules = self._narrowest(call, verdict.subjects)
        with self._lock:
            self._session += [rule for rule in rules if rule not in self._session]
            if scope == "always":
                self._store.add(rules)
                self._always = self._store.load()

    def learned(self) -> list[str]:
        """Return the rules that answers made and that can be taken back."""
        with self._lock:
            return list(dict.fromkeys(str(rule) for rule in (*self._session, *self._always)))

    def forget(self, text: str) -> bool:
        """Take back what answers of this session, or "always" ones, allow; False: no such rule."""
        with self._lock:
            before = len(self._session)
            self._session = [rule for rule in self._session if str(rule) != text]
            stored = self._store.remove(text)
            self._always = self._store.load()
            return stored or len(self._session) < before

    def because(self, call: Pending) -> tuple[str, ...]:
        """Return why a call is allowed: what would ask, and the rule that settles it."""
        doubts = list(self._doubts(call, self._mode))
        found = [f"{doubt.why}: settled by {self._settled(call, doubt)}" for doubt in doubts]
        return tuple(dict.fromkeys(found)) or (f"the mode {self._mode} does not ask about it",)

    # -- what makes it ask ----------------------------------------------------------------------------

    def _open_doubts(self, call: Pending, mode: str) -> list[Doubt]:
        return [doubt for doubt in self._doubts(call, mode) if not self._settled(call, doubt)]

    def _doubts(self, call: Pending, mode: str) -> Iterator[Doubt]:
        footprint = call.footprint
        if call.written and mode != "all":
            yield Doubt(None, WRITTEN, protected=True)
        for subject in footprint.subjects:
            if self._is_kept(subject):
                continue
            if why := self._protected.why(subject):
                yield Doubt(subject, why, protected=True)
            elif self._match(self._ask, call, subject):
                yield Doubt(subject, f"a rule of yours asks about {subject.text}", by_rule=True)
            elif mode != "all" and (why := self._reason(call, subject, mode)):
                yield Doubt(subject, why)
        if not footprint.subjects and mode != "all":
            yield from self._whole(call)

    def _whole(self, call: Pending) -> Iterator[Doubt]:
        """What makes a call ask that names nothing."""
        footprint = call.footprint
        if self._match(self._ask, call, None):
            yield Doubt(None, f"a rule of yours asks about {call.name}", by_rule=True)
        elif footprint.may_write_files:
            yield Doubt(None, footprint.why or f"{call.name} is not known to be safe")
        elif footprint.level is Level.UNDECLARED and ANYTHING in footprint.reads:
            yield Doubt(None, f"{call.name} may read anything")

    def _reason(self, call: Pending, subject: Subject, mode: str) -> str:
        """Why this subject asks in a mode; empty when it does not."""
        inside = subject.kind != "path" or self.inside(subject.text)
        if not inside:
            return f"outside the project: {subject.text}"
        if subject.access is Access.NETWORK or subject.hazard is Hazard.NETWORK:
            return subject.why or f"uses the network: {subject.text}"
        if subject.access is Access.WRITE:
            if mode == "edits" and call.footprint.level is Level.SCOPED:
                several = names(subject.text) if subject.kind == "path" else 0
                return f"{self.shown(subject.text)} has {several} names (hard links)" if several > 1 else ""
            return subject.why or f"writes {self.shown(subject.text)}"
        if subject.access is Access.RUN:
            return subject.why or f"`{subject.text}` is not known to be safe"
        if subject.kind == "command" and ANYTHING in call.footprint.reads:
            return subject.why or "may read outside the project"
        return ""

    def _is_kept(self, subject: Subject) -> bool:
        """Whether it is read, and lies in what the program kept of this session for the model."""
        if subject.kind != "path" or subject.access is not Access.READ:
            return False
        return any(subject.text.startswith(f"{folder}/") for folder in self.readable())

    def inside(self, path: str) -> bool:
        """Whether a canonical path lies in the project."""
        return self._project is not None and f"{path}/".startswith(f"{self._project}/")

    def foreign(self, footprint: Footprint) -> tuple[str, ...]:
        """Return what a call reads that others wrote: the web, servers, files outside the project.

        Also earlier sessions: what was read there stands in them.
        """
        found = (subject.text for subject in footprint.subjects if self._is_foreign(subject))
        return tuple(dict.fromkeys(" ".join(text.split()) for text in found))

    def _is_foreign(self, subject: Subject) -> bool:
        if subject.kind == "path":
            read = subject.access is Access.READ and not self._is_kept(subject)
            return read and not self.inside(subject.text)
        network = Access.NETWORK is subject.access or subject.hazard is Hazard.NETWORK
        return network or subject.kind in ("mcp", "session")

    def shown(self, path: str) -> str:
        """Return a path as the user would write it."""
        return path.removeprefix(f"{self._project}/") if self._project else path

    # -- what settles it ------------------------------------------------------------------------------

    def _settled(self, call: Pending, doubt: Doubt) -> Rule | None:
        """The rule that settles a doubt."""
        if doubt.protected:
            return None
        with self._lock:
            learned = [*self._session, *self._always]
        rules = learned if doubt.by_rule else [*self._allow, *learned]
        return self._match(rules, call, doubt.subject)

    def _match(self, rules: Iterable[Rule], call: Pending, subject: Subject | None) -> Rule | None:
        return next((r for r in rules if r.matches(call.name, subject, self._project, self._home)), None)

    def _narrowest(self, call: Pending, subjects: Iterable[Subject]) -> list[Rule]:
        rules = [Rule(call.name, self._pattern(subject)) for subject in subjects]
        return list(dict.fromkeys(rules)) or [Rule(call.name)]

    def _pattern(self, subject: Subject) -> str:
        """The narrowest pattern; a wildcard that stands in the call itself is taken literally."""
        if subject.kind == "path":
            return literal(self.shown(subject.text))
        if subject.pattern and not has_wildcard(subject.text):
            return subject.pattern
        return literal(subject.text)

    def _always_text(self, call: Pending, doubts: Iterable[Doubt]) -> str:
        subjects = [doubt.subject for doubt in doubts if doubt.subject is not None]
        return " and ".join(str(rule) for rule in self._narrowest(call, subjects))


def has_effect(call: Pending) -> bool:
    """Whether the call may change anything outside the conversation."""
    acts = any(subject.access in (Access.WRITE, Access.RUN) for subject in call.footprint.subjects)
    return acts or call.footprint.may_write_files
