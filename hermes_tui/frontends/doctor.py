"""`hermes-tui doctor`: what the program needs of this machine, each finding with its fix. Changes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hermes_tui import __version__
from hermes_tui.config.paths import private_folder
from hermes_tui.config.settings import Settings
from hermes_tui.engine.errors import HermesError
from hermes_tui.extras import plugins_of
from hermes_tui.frontends.jsonline import json_line
from hermes_tui.plugins.load import Plugins
from hermes_tui.processes.sandbox import lacking
from hermes_tui.providers.choose import Brought, choose
from hermes_tui.providers.local import find_local_servers
from hermes_tui.start import Start, load_settings
from hermes_tui.text import one_line
from hermes_tui.tools.registry import Registry, discover


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    found: str
    fix: str = ""
    """What to do; empty when nothing is wrong."""


def report(folder: Path, flags: Mapping[str, Any], as_json: bool) -> tuple[str, bool]:
    """Return the report and whether everything is well. Asks the endpoint for its models."""
    findings = list(examine(Start(folder, flags)))
    healthy = all(finding.ok for finding in findings)
    if as_json:
        return json_line([asdict(finding) for finding in findings]), healthy
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        lines.append(f"{'✓' if finding.ok else '✗'} {finding.name:<{width}}  {one_line(finding.found, 200)}")
        if finding.fix:
            lines.append(f"  {'':<{width}}  → {finding.fix}")
    return "\n".join(lines), healthy


def examine(start: Start) -> Iterator[Finding]:
    """Look at one thing after another."""
    yield Finding("program", True, f"hermes-tui {__version__}, Python {platform.python_version()}")
    yield terminal(start.environ)
    yield git()
    yield from tools()
    yield sandbox()
    for name, path in (
        ("config", start.places.config),
        ("data", start.places.data),
        ("state", start.places.state),
    ):
        yield writable(f"{name} folder", path)
    yield project(start)
    try:
        settings = load_settings(start).settings
    except HermesError as error:
        yield Finding("settings", False, str(error), "correct that line")
        return
    yield Finding("settings", True, f"{start.places.config_file}")
    yield commands(settings)
    plugins = plugins_of(start)
    yield brought(plugins)
    yield guarded("endpoint", lambda: endpoint(settings, start.environ, plugins.providers))


def guarded(name: str, look: Callable[[], Finding]) -> Finding:
    """Return the finding, or the error as one."""
    try:
        return look()
    except HermesError as error:
        text, _, fix = str(error).partition("; ")
        return Finding(name, False, text, fix or "see above")


def terminal(environ: Mapping[str, str]) -> Finding:
    """Can the full screen be drawn here?"""
    term = environ.get("TERM", "")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("terminal", True, "none here: -p works, the full screen needs one")
    if term in ("", "dumb"):
        return Finding(
            "terminal", False, f"TERM={term or '(unset)'}", "set TERM, for example TERM=xterm-256color"
        )
    size = shutil.get_terminal_size()
    colours = "true colour" if environ.get("COLORTERM") in ("truecolor", "24bit") else "256 colours or fewer"
    return Finding("terminal", True, f"{term}, {size.columns}×{size.lines}, {colours}")


def git() -> Finding:
    """Rollback needs git."""
    if shutil.which("git") is None:
        return Finding("git", False, "not found: rollback is off", "install git")
    done = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False)
    return Finding("git", done.returncode == 0, done.stdout.strip() or done.stderr.strip())


def tools() -> Iterator[Finding]:
    """What each tool says of what it needs."""
    missing = [(t.schema.name, why) for t in Registry(discover()) if (why := t.missing()) is not None]
    yield Finding("tools", True, "all work" if not missing else f"{len(missing)} hidden")
    for name, why in missing:
        yield Finding(name, True, f"hidden: {why}")


def sandbox() -> Finding:
    """What shuts execute_code in?"""
    why = lacking()
    if why:
        return Finding("sandbox", True, f"limits only: {why}", "install bubblewrap to shut code in")
    return Finding("sandbox", True, "bubblewrap: code has no network and one writable folder")


def commands(settings: Settings) -> Finding:
    """Do the model's commands run shut in?"""
    if not settings.terminal.sandbox:
        return Finding("commands", True, "not shut in; [terminal] sandbox = true does it")
    if why := lacking():
        return Finding("commands", False, f"refused: they shall be shut in, and {why}",
                       "install bubblewrap, or set [terminal] sandbox = false")  # fmt: skip
    return Finding("commands", True, "shut in by bubblewrap: no network, only the project is writable")


def brought(plugins: Plugins) -> Finding:
    """Which plugins are used, and why one is not."""
    found = ", ".join(plugins.names) or "none"
    if plugins.notices:
        return Finding("plugins", False, "; ".join(plugins.notices), "mend it, or take it out of plugins/")
    return Finding("plugins", True, found)


def writable(name: str, path: Path) -> Finding:
    """Can we keep something there, and can nobody else read it?"""
    try:
        private_folder(path)
    except OSError as error:
        return Finding(name, False, f"{path}: {error.strerror}", "make it writable, or set HERMES_TUI_HOME")
    if not os.access(path, os.W_OK | os.X_OK):
        return Finding(name, False, f"{path} cannot be written", "make it writable, or set HERMES_TUI_HOME")
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        return Finding(name, False, f"{path} can be read by others ({mode:04o})", f"chmod 700 {path}")
    return Finding(name, True, str(path))


def project(start: Start) -> Finding:
    """Which folder counts as the project?"""
    if start.project is None:
        return Finding(
            "project", False, f"{start.folder} is the home folder or /", "start in a project's folder"
        )
    return Finding("project", True, f"{start.project}{'' if start.trusted else ' (not trusted)'}")


def endpoint(settings: Any, environ: Mapping[str, str], makers: Brought) -> Finding:
    """Who would answer, and does it?"""
    choice = choose(settings, environ, makers)
    if choice is None:
        servers = find_local_servers()
        if not servers:
            found = "none: the rehearsal (no model) would answer"
            return Finding("endpoint", True, found, "set OPENAI_API_KEY or --base-url for a model")
        return Finding("endpoint", True, ", ".join(f"{s.name} at {s.base_url}" for s in servers))
    if choice.where is None:
        return Finding("endpoint", True, choice.label)
    models = choice.models()
    choice.provider.close()
    wanted = choice.where.model
    if wanted and models and wanted not in models:
        return Finding(
            "endpoint", False, f"{choice.where.url} lists no {wanted}", f"it has {', '.join(models[:5])}"
        )
    return Finding("endpoint", True, f"{choice.where.url}: {len(models)} models")
