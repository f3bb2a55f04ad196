"""The command line: arguments → settings, a front end, an exit code. Decides nothing else.

Each subcommand imports what it needs and no more; an error is one to six lines on stderr, never a
traceback. `run` returns the exit code, `main` leaves the process with it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_tui import __version__
from hermes_tui.engine.errors import HermesError, UsageError
from hermes_tui.frontends.checkpoints import checkpoints
from hermes_tui.frontends.sessions import sessions
from hermes_tui.start import Start, enter_folder, flags, load_settings, start_of

if TYPE_CHECKING:
    from hermes_tui.assemble import Hermes


class Line(click.Group):
    """A group whose own options may stand anywhere, and whose first unknown word begins a prompt."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Bring our own options to the front; what is left begins with a subcommand or is the prompt."""
        own, rest = self._hoist(args)
        words = rest[1:] if rest[:1] == ["--"] else rest
        literal = words is not rest
        if words and (literal or (words[0] not in self.commands and not words[0].startswith("-"))):
            return super().parse_args(
                ctx, [*own, "--prompt", " ".join(w for w in words if w != "--" or literal)]
            )
        return super().parse_args(ctx, [*own, *rest])

    def _hoist(self, args: Sequence[str]) -> tuple[list[str], list[str]]:
        """Split the arguments into (our own options with their values, everything else)."""
        takes_value = {
            name: not (param.is_flag or param.count)
            for param in self.params
            if isinstance(param, click.Option)
            for name in param.opts
        }
        own: list[str] = []
        rest: list[str] = []
        queue = list(args)
        while queue:
            word = queue.pop(0)
            name, equals, _ = word.partition("=")
            if word == "--":
                rest += [word, *queue]
                break
            if name not in takes_value or (equals and not name.startswith("--")):
                rest.append(word)
                continue
            own.append(word)
            if takes_value[name] and not equals and queue:
                own.append(queue.pop(0))
        return own, rest


@click.group(cls=Line, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", prog_name="hermes-tui")
@click.option(
    "-p",
    "--print",
    "print_prompt",
    metavar="PROMPT",
    help="Run one prompt without a screen; - reads it from stdin.",
)
@click.option(
    "--output", type=click.Choice(["text", "json", "stream-json"]), help="What -p prints; default text."
)
@click.option("--model", metavar="M", help="The model's name.")
@click.option("--base-url", metavar="URL", help="An OpenAI-compatible endpoint, with its /v1.")
@click.option(
    "--provider", metavar="NAME", help="openai, rehearsal (no model, no network), or one of your config."
)
@click.option("--schedule", metavar="S", help="How a batch runs: batch (default), graph or serial.")
@click.option("--max-parallel", metavar="N", help="How many calls run at once; default 8.")
@click.option("--permission", metavar="MODE", help="What runs unasked: plan, ask (default), edits or all.")
@click.option("--trust", is_flag=True, help="Trust the folder's own files for this run.")
@click.option("--plain", is_flag=True, help="Line mode: no full screen; also through a pipe.")
@click.option("--record", metavar="FILE", help="Write every event into FILE, for `replay`.")
@click.option("--continue", "go_on", is_flag=True, help="Go on with this project's newest session.")
@click.option("--resume", metavar="ID", help="Go on with the session of this ID, or of its first digits.")
@click.option("-C", "folder", metavar="DIR", help="Work in DIR.")
@click.option("--prompt", hidden=True)
@click.pass_context
def cli(ctx: click.Context, /, **options: Any) -> None:
    """A coding assistant for the terminal: tool calls side by side, stopped at once, undone with /rollback.

    With no subcommand it opens the full screen; other words are its first prompt.
    """
    ctx.obj = options
    if options["output"] and options["print_prompt"] is None:
        raise UsageError("--output goes with -p: hermes-tui -p PROMPT --output json")
    if options["print_prompt"] is not None and options["prompt"] is not None:
        raise UsageError("-p takes one prompt: put the whole of it in quotes")
    if options["print_prompt"] is not None and ctx.invoked_subcommand is not None:
        raise UsageError(f"-p runs a prompt: use it without {ctx.invoked_subcommand}")
    if ctx.invoked_subcommand is not None:
        return
    if options["print_prompt"] is not None:
        ctx.exit(headless(options))
    ctx.exit(line_mode(options) if options["plain"] or cannot_draw() else full_screen(options))


def headless(options: dict[str, Any]) -> int:
    """`-p`: one prompt, then the exit code."""
    from hermes_tui.assemble import assemble
    from hermes_tui.frontends.headless import run_headless

    prompt = options["print_prompt"]
    if prompt == "-":
        prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not prompt.strip():
        raise UsageError("-p needs a prompt: hermes-tui -p PROMPT, or -p - to read it from stdin")
    start = start_of(options, headless=True)
    record = recording(options, start.folder)
    hermes = assemble(start)
    record(hermes)
    try:
        return run_headless(hermes, prompt, options["output"] or "text")
    finally:
        hermes.close()


def recording(options: dict[str, Any], folder: Path) -> Callable[[Hermes], None]:
    """Return what records the program's events, if that is wanted; the file is opened now."""
    if options["record"] is None:
        return lambda hermes: None
    from hermes_tui.frontends.record import Recording

    opened = Recording(folder / Path(options["record"]).expanduser())
    return lambda hermes: opened.follow(hermes.agent.events)


def with_prompt(start: Start, record: Callable[[Hermes], None]) -> Hermes:
    """Return the program for a front end with a prompt: with slash commands and history."""
    from hermes_tui.assemble import assemble
    from hermes_tui.commands.gather import gather
    from hermes_tui.frontends.history import History

    hermes = assemble(start)
    hermes.commands = gather(hermes)
    hermes.history = History(start.places.history_file)
    record(hermes)
    return hermes


def cannot_draw() -> bool:
    """Whether this is a terminal that understands nothing but lines."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return terminal and os.environ.get("TERM", "") in ("", "dumb")


def line_mode(options: dict[str, Any]) -> int:
    """`--plain`, and where a terminal cannot draw."""
    from hermes_tui.frontends.plain.run import run_plain

    start = start_of(options)
    record = recording(options, start.folder)
    hermes = with_prompt(start, record)
    try:
        return run_plain(hermes, options["prompt"])
    finally:
        hermes.close()


def full_screen(options: dict[str, Any]) -> int:
    """The TUI: the first frame stands before the program behind it is assembled."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("this is no terminal: use hermes-tui -p PROMPT, or --plain for a line a prompt")
    from hermes_tui.frontends.tui import collector, frames

    collector.pause()
    frames.set_pace()
    from hermes_tui.frontends.host import Opening
    from hermes_tui.frontends.tui.app import HermesApp

    start = start_of(options)
    settings = load_settings(start).settings
    record = recording(options, start.folder)
    known = start.places.history_file.exists()
    opening = Opening(
        start.folder,
        settings.theme,
        lambda: with_prompt(start, record),
        known=known,
        keys=settings.keys,
        late=lambda: plugins_may_bring(start),
    )
    return HermesApp(opening, options["prompt"]).run_to_exit()


def plugins_may_bring(start: Start) -> bool:
    """Whether a theme that is not known yet may come with a plugin."""
    from hermes_tui.plugins import may_bring  # only then: it costs the first frame a tenth of its time

    return may_bring(start.places.plugins)


@cli.command()
@click.argument("file")
@click.pass_obj
def plan(options: dict[str, Any], file: str) -> None:
    """Print how a batch would run; runs nothing. FILE is a JSON array of calls, - reads stdin."""
    from hermes_tui.frontends.batchfile import plan_file

    start = Start(enter_folder(options), flags(options), options["trust"])
    click.echo(plan_file(file, start.folder, load_settings(start).settings.schedule))


@cli.command()
@click.argument("file")
@click.option("--speed", type=click.FloatRange(0), help="Times the recorded pace; 0: at once.")
@click.pass_context
def replay(ctx: click.Context, file: str, speed: float | None) -> None:
    """Play a recording (--record, --output stream-json); runs nothing, asks no model.

    At the recorded pace on a terminal, at once elsewhere.
    """
    from hermes_tui.frontends.replay import run as replaying

    start = start_of(ctx.obj)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    ctx.exit(replaying.run(start, file, speed, ctx.obj["plain"] or cannot_draw() or not terminal))


@cli.command()
@click.argument("command")
@click.pass_context
def classify(ctx: click.Context, command: str) -> None:
    """Say whether a shell command only reads: exit 0 if so, else 1."""
    from hermes_tui.frontends.jsonline import json_line
    from hermes_tui.shell.classify import classify as judge

    verdict = judge(command, str(enter_folder(ctx.obj)), str(Path.home()))
    click.echo(json_line(verdict.as_dict()))
    ctx.exit(0 if verdict.read_only else 1)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check terminal, git, ripgrep, folders and endpoint; each with its fix."""
    from hermes_tui.frontends.doctor import report

    text, healthy = report(enter_folder(ctx.obj), flags(ctx.obj), as_json)
    click.echo(text)
    ctx.exit(0 if healthy else 1)


cli.add_command(checkpoints)
cli.add_command(sessions)


@cli.group(no_args_is_help=False)
def config() -> None:
    """The settings."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def show(options: dict[str, Any], as_json: bool) -> None:
    """Every setting with its value and where it comes from."""
    from hermes_tui.config.load import rows
    from hermes_tui.frontends.jsonline import json_line

    found = rows(load_settings(Start(enter_folder(options), flags(options), options["trust"])))
    if as_json:
        click.echo(json_line(found))
        return
    width = max(len(row["key"]) for row in found)
    for row in found:
        click.echo(f"{row['key']:<{width}}  {json_line(row['value'])}  ({row['origin']})")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments), prog_name="hermes-tui", standalone_mode=False
        )
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "hermes-tui"
        print(f"hermes-tui: {error.format_message().rstrip('.')} ({path} --help)", file=sys.stderr)
        return 2
    except HermesError as error:
        print(f"hermes-tui: {error}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def open_closed_streams() -> None:
    """Put the null device where a standard stream was closed: Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def main() -> None:
    """Leave the process with the exit code; a thread that is stuck in a tool does not hold it."""
    open_closed_streams()
    code = run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
