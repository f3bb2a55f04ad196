"""`hermes-tui sessions`: what was said in earlier sessions, from the shell. Renders and decides nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.start import Start, enter_folder

if TYPE_CHECKING:
    from hermes_tui.sessions.store import SessionStore

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(no_args_is_help=False)
def sessions() -> None:
    """List, read, search, export and delete what was said."""


@sessions.command("list")
@click.option("--all", "everywhere", is_flag=True, help="Of all projects, not only of this one.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many at most.")
@as_json
@click.pass_obj
def list_all(options: dict[str, Any], everywhere: bool, limit: int, as_json: bool) -> None:
    """The sessions of this project, that with the newest message first."""
    from hermes_tui.sessions import report

    found = store(options).recent(None if everywhere else place(options), limit)
    show([report.session_json(each) for each in found] if as_json else report.sessions_text(found))


@sessions.command("show")
@click.argument("wanted", metavar="ID")
@as_json
@click.pass_obj
def show_one(options: dict[str, Any], wanted: str, as_json: bool) -> None:
    """What was said in a session; ID may be its first digits."""
    show(store(options).export(wanted, "json" if as_json else "markdown"))


@sessions.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many at most.")
@click.option("--session", "wanted", metavar="ID", help="Only in this session.")
@as_json
@click.pass_context
def search(ctx: click.Context, text: Sequence[str], limit: int, wanted: str | None, as_json: bool) -> None:
    """Find what was said, in all sessions. Quotes, hyphens and operators are text. Exit 1: nothing found."""
    from hermes_tui.sessions import report
    from hermes_tui.sessions.search import Query

    opened = store(ctx.obj)
    session = opened.find(wanted).id if wanted else None
    hits = opened.search(Query(" ".join(text), limit, session))
    show([asdict(hit) for hit in hits] if as_json else report.hits_text(hits))
    ctx.exit(0 if hits else 1)


@sessions.command()
@click.argument("wanted", metavar="ID")
@click.option("--format", "form", default="markdown", help="markdown (default), json or stream-json.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.pass_obj
def export(options: dict[str, Any], wanted: str, form: str, as_json: bool) -> None:
    """Print a whole session; stream-json is what `hermes-tui replay` plays."""
    show(store(options).export(wanted, "json" if as_json else form))


@sessions.command()
@click.argument("wanted", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json
@click.pass_context
def delete(ctx: click.Context, wanted: str, yes: bool, as_json: bool) -> None:
    """Remove a session for good."""
    opened = store(ctx.obj)
    found = opened.find(wanted)
    if not yes:
        if not sys.stdin.isatty():
            print("hermes-tui: nothing was deleted: nobody to ask; add --yes", file=sys.stderr)
            ctx.exit(2)
        if not click.confirm(f"Delete {found.short}, {found.messages} messages?", default=False, err=True):
            print("nothing was deleted", file=sys.stderr)
            ctx.exit(1)
    opened.delete(found.id)
    show({"deleted": found.id} if as_json else f"deleted {found.short}")


def store(options: dict[str, Any]) -> SessionStore:
    """Return all sessions of the user."""
    from hermes_tui.sessions.store import SessionStore

    def tell(level: str, text: str) -> None:
        print(f"hermes-tui: {text}", file=sys.stderr)

    return SessionStore(Start(enter_folder(options)).places.sessions_file, tell)


def place(options: dict[str, Any]) -> Any:
    """Return what the sessions of this folder go by."""
    start = Start(enter_folder(options))
    return start.project or start.folder


def show(value: Any) -> None:
    """Print text as it is, anything else as one line of JSON."""
    from hermes_tui.frontends.jsonline import json_line

    text = value if isinstance(value, str) else json_line(value)
    sys.stdout.buffer.write(text.rstrip("\n").encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()
