"""`hermes-tui checkpoints`: the store of /rollback, from the shell. Renders and decides nothing itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_tui.start import Start, enter_folder, flags, load_settings

if TYPE_CHECKING:
    from hermes_tui.checkpoints.plan_restore import Preview
    from hermes_tui.checkpoints.store import CheckpointStore

F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(no_args_is_help=False)
def checkpoints() -> None:
    """List, compare and restore what the agent changed."""


@checkpoints.command("list")
@as_json
@click.pass_obj
def list_all(options: dict[str, Any], as_json: bool) -> None:
    """All checkpoints, newest first."""
    from hermes_tui.checkpoints import report

    found = store(options).list()
    show(report.list_json(found) if as_json else report.list_text(found))


@checkpoints.command()
@click.argument("number", type=click.IntRange(1))
@click.argument("path", required=False)
@click.pass_obj
def diff(options: dict[str, Any], number: int, path: str | None) -> None:
    """What a restore to NUMBER would change."""
    from hermes_tui.checkpoints import report
    from hermes_tui.text import harmless

    opened = store(options)
    preview = opened.preview(number, None if path is None else [absolute(options, path)])
    difference = harmless(opened.difference(preview)).rstrip("\n")
    if difference:
        show(difference)
    if why := report.not_shown(preview):
        print(why, file=sys.stderr) if difference else show(why)


def choices(function: F) -> F:
    """Add the options of whatever restores."""
    for option in (
        click.option("--force", is_flag=True, help="Take files too that you edited since."),
        click.option("--dry-run", is_flag=True, help="Only say what would be done."),
        click.option("--yes", is_flag=True, help="Do not ask."),
        as_json,
    ):
        function = option(function)
    return function


@checkpoints.command()
@click.argument("number", type=click.IntRange(1))
@click.argument("paths", nargs=-1, metavar="[PATH…]")
@choices
@click.pass_context
def restore(ctx: click.Context, /, number: int, paths: Sequence[str], force: bool, **how: bool) -> None:
    """Go back to the state before NUMBER, or only for some paths (literal, no patterns)."""
    opened = store(ctx.obj)
    wanted = [absolute(ctx.obj, path) for path in paths] or None
    ctx.exit(carry_out(opened, opened.preview(number, wanted, force), **how))


@checkpoints.command()
@choices
@click.pass_context
def undo(ctx: click.Context, /, force: bool, **how: bool) -> None:
    """Undo the last rollback."""
    opened = store(ctx.obj)
    ctx.exit(carry_out(opened, opened.undo_preview(force), **how))


@checkpoints.command()
@as_json
@click.pass_obj
def status(options: dict[str, Any], as_json: bool) -> None:
    """How many there are, and how much room they take."""
    from hermes_tui.checkpoints import report

    found = store(options).status()
    show(report.status_json(found) if as_json else report.status_text(found))


@checkpoints.command()
@as_json
@click.pass_obj
def prune(options: dict[str, Any], as_json: bool) -> None:
    """Remove old checkpoints, beyond the limits of [checkpoints]."""
    from hermes_tui.checkpoints import report

    pruned = store(options).prune()
    show(report.pruned_json(pruned) if as_json else report.pruned_text(pruned))


def store(options: dict[str, Any]) -> CheckpointStore:
    """Return this folder's store."""
    from hermes_tui.assemble import open_checkpoints

    start = Start(enter_folder(options), flags(options), options["trust"])

    def tell(level: str, text: str) -> None:
        print(f"hermes-tui: {text}", file=sys.stderr)

    return open_checkpoints(start, load_settings(start).settings, "command line", tell)


def absolute(options: dict[str, Any], path: str) -> str:
    """Return a path argument from where the user stands, as the store takes it."""
    return str(Path(enter_folder(options), Path(path).expanduser()))


def carry_out(opened: CheckpointStore, preview: Preview, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Show what would be done, ask, do it; return the exit code."""
    from hermes_tui.checkpoints import report

    if dry_run:
        show(report.preview_json(preview) if as_json else report.preview_text(preview))
        return 0
    acts = any(item.acts for item in preview.items)
    if not as_json or not yes:
        print(report.preview_text(preview), file=sys.stderr)
    if acts and not yes:
        if not sys.stdin.isatty():
            print("hermes-tui: nothing was changed: nobody to ask; add --yes or --dry-run", file=sys.stderr)
            return 2
        if not click.confirm("Restore?", default=False, err=True):
            print("nothing was changed", file=sys.stderr)
            return 1
    outcome = opened.restore(preview)
    opened.close(timeout=10.0)
    if as_json:
        show(report.outcome_json(outcome))
    else:
        hint = report.anyway(insisting(preview), outcome.edited)
        show("\n".join(filter(None, (report.outcome_text(outcome), hint))))
    return report.exit_code(outcome)


def insisting(preview: Preview) -> str:
    """Return the command that takes what was kept as well."""
    if preview.undoes:
        return "hermes-tui checkpoints undo --force"
    return f"hermes-tui checkpoints restore {preview.number} {{}} --force"


def show(value: Any) -> None:
    """Print text as it is, anything else as one line of JSON."""
    from hermes_tui.frontends.jsonline import json_line

    click.echo(value if isinstance(value, str) else json_line(value))
