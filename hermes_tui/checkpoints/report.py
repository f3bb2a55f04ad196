"""What `hermes-tui checkpoints` and `/rollback` print: text for people, plain values for `--json`.

Pure: looks at nothing, writes nothing. Names and commands come from outside, so they are made
harmless here.

Exit codes: 0 all done, also when there was nothing to do; 1 something was kept or failed (an unknown
number or path, and rollback being off, are a `CheckpointError` with the same code); 2 usage, and a
restore without a terminal and without `--yes`.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hermes_tui.checkpoints.states import amount, shown
from hermes_tui.text import exact

if TYPE_CHECKING:
    from hermes_tui.checkpoints.plan_restore import Item, Preview
    from hermes_tui.checkpoints.show import CheckpointInfo
    from hermes_tui.checkpoints.store import Outcome, Pruned, Status

NONE_YET: Final = "No checkpoints yet: the first one is made before the first change."
_NAMED: Final = 3
"""Files that a line of the list names."""


def list_json(checkpoints: Iterable[CheckpointInfo]) -> list[dict[str, Any]]:
    """Return `list --json`: newest first, `[]` if there are none."""
    return [
        {
            "number": info.number,
            "time": info.time,
            "label": info.label,
            "session": info.session,
            "kind": info.kind,
            "files": [
                {"path": file.path, "change": file.change, "added": file.added, "removed": file.removed}
                for file in info.files
            ],
            "not_covered": _reasons(info.not_covered),
        }
        for info in checkpoints
    ]


def list_text(checkpoints: Sequence[CheckpointInfo]) -> str:
    """Return the list, newest first. Those in which nothing changed are only counted."""
    if not checkpoints:
        return NONE_YET
    told = [info for info in checkpoints if info.files or info.lost]
    width = len(str(checkpoints[0].number)) + 1
    lines = [_line(info, width) for info in told]
    if silent := len(checkpoints) - len(told):
        lines.append(f"({silent} more in which nothing changed)")
    return "\n".join(lines)


def preview_text(preview: Preview) -> str:
    """Return what a restore would do, a line each path, and its notes."""
    if not preview.items:
        return "\n".join(("Nothing differs: all is as it was then.", *preview.notes))
    width = min(max(len(_name(item.path)) for item in preview.items), 60)
    lines = [_item(item, width) for item in preview.items]
    return "\n".join((*lines, *(f"note: {_plain(note)}" for note in preview.notes)))


def not_shown(preview: Preview) -> str:
    """Return what a difference does not tell: what is kept, and why, or that nothing differs."""
    kept = tuple(item for item in preview.items if not item.acts)
    return preview_text(replace(preview, items=kept)) if kept or preview.empty else ""


def outcome_text(outcome: Outcome) -> str:
    """Return what a restore did, in a few lines."""
    if outcome.saved_as is None:
        lines = ["Nothing was changed."]
    else:
        counts = ((outcome.restored, "restored"), (outcome.deleted, "deleted"))
        done = ", ".join(f"{len(paths)} {word}" for paths, word in counts if paths) or "nothing changed"
        what = f"Rollback #{outcome.number} undone" if outcome.undid else f"Back to #{outcome.number}"
        back = f"/rollback {outcome.saved_as}" if outcome.undid else "/rollback undo"
        lines = [f"{what}: {done} (saved as #{outcome.saved_as}; {back} brings back what stood there)"]
        lines += [f"  restored {_name(path)}" for path in outcome.restored]
        lines += [f"  deleted  {_name(path)}" for path in outcome.deleted]
    lines += [f"  kept     {_name(path)}: {_plain(why)}" for path, why in outcome.kept]
    lines += [f"  failed   {_name(path)}: {_plain(why)}" for path, why in outcome.failed]
    return "\n".join(lines)


def anyway(command: str, edited: Sequence[str]) -> str:
    """Return the line that says how to take what was kept because the user edited it; empty for nothing.

    `command` is what to enter, with `{}` where the paths go.
    """
    if not edited:
        return ""
    names = " ".join(shlex.quote(_name(path)) for path in edited[:_NAMED])
    more = f" (and {len(edited) - _NAMED} more)" if len(edited) > _NAMED else ""
    return f"To take what you edited as well: {command.format(names)}{more}"


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return `restore --json` and `undo --json`."""
    return {
        "number": outcome.number,
        "saved_as": outcome.saved_as,
        "restored": list(outcome.restored),
        "deleted": list(outcome.deleted),
        "kept": _reasons(outcome.kept),
        "failed": _reasons(outcome.failed),
    }


def preview_json(preview: Preview) -> dict[str, Any]:
    """Return `restore --dry-run --json`: the same shape, of what would be done."""
    return {
        "number": preview.number,
        "saved_as": None,
        "restored": [item.path for item in preview.items if item.action == "restore"],
        "deleted": [item.path for item in preview.items if item.action == "delete"],
        "kept": _reasons((item.path, item.reason) for item in preview.items if not item.acts),
        "failed": [],
    }


def exit_code(outcome: Outcome) -> int:
    """Return 0 when all was done, 1 when something was kept or failed."""
    return 1 if outcome.kept or outcome.failed else 0


def status_text(status: Status) -> str:
    """Return what there is, and where."""
    newest = f", the newest is #{status.newest}" if status.newest else ""
    lines = [
        f"{_name(status.project)}: {status.checkpoints} checkpoints{newest}, {amount(status.size)}",
        f"kept in {_name(status.folder)}",
    ]
    lines += [f"  {_name(project)}  {amount(size)}" for project, _, size in status.projects]
    return "\n".join(lines)


def status_json(status: Status) -> dict[str, Any]:
    """Return `status --json`; sizes in bytes."""
    return {
        "project": status.project,
        "folder": status.folder,
        "checkpoints": status.checkpoints,
        "newest": status.newest,
        "size": status.size,
        "projects": [{"project": p, "folder": f, "size": size} for p, f, size in status.projects],
    }


def pruned_text(pruned: Pruned) -> str:
    """Return what `prune` removed."""
    if not pruned.numbers and not pruned.projects:
        return "Nothing to remove: all checkpoints are within the limits of [checkpoints]."
    stores = f" and {len(pruned.projects)} projects whose folders have gone" if pruned.projects else ""
    return f"Removed {len(pruned.numbers)} checkpoints{stores}: {amount(pruned.freed)} freed."


def pruned_json(pruned: Pruned) -> dict[str, Any]:
    """Return `prune --json`."""
    return {"numbers": list(pruned.numbers), "projects": list(pruned.projects), "freed": pruned.freed}


def _line(info: CheckpointInfo, width: int) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(info.time))
    files = [_name(file.path) for file in info.files]
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    named = f": {', '.join(files[:_NAMED])}{more}" if files else ""
    open_ends = f"; {len(info.lost)} not covered" if info.lost else ""
    count = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    return f"{f'#{info.number}':>{width}}  {when}  {_plain(info.label)}  {count}{named}{open_ends}"


def _item(item: Item, width: int) -> str:
    changes = [f"+{item.added}"] if item.added else []
    changes += [f"−{item.removed}"] if item.removed else []
    text = f"{item.action:<8} {_name(item.path):<{width}}  {' '.join(changes)}".rstrip()
    return f"{text}  ({_plain(item.reason)})" if item.reason else text


def _reasons(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"path": path, "reason": why} for path, why in pairs]


def _name(path: str) -> str:
    return _plain(shown(path))


def _plain(text: str) -> str:
    return exact(text).replace("\n", "⏎")
