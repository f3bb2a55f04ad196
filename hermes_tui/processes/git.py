"""Keeps git's read verbs from running programs that a repository's configuration names.

git has no switch for that, and an empty value for an external diff or a converter is an error. So
each one that is configured is overridden, through the environment, by one that does what git itself
would have done. Reads configuration, never writes it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import ToolError

_FIXED: Final = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.pager": "cat",
    "core.sshCommand": "ssh",
    "diff.autoRefreshIndex": "false",  # `git diff` would rewrite the index, despite GIT_OPTIONAL_LOCKS=0
    "log.showSignature": "false",
}

_PROGRAMS: Final = {"gpg.program": "gpg", "gpg.x509.program": "gpgsm", "gpg.ssh.program": "ssh-keygen"}
"""What git takes when nothing is configured."""

_EXTERNAL: Final = r"""f() {
a=a/$1 b=b/${8:-$1} old=$2 new=$5
[ $# -gt 1 ] || { echo "* Unmerged path $1"; return; }
id() { case $1 in .) echo 0000000;; 00000000*) git hash-object --path="$3" -- "$2";; *) echo "$1";; esac; }
tab() { case $1 in *" "*) printf '%s\t' "$1";; *) printf %s "$1";; esac; }
short() { git rev-parse --quiet --verify --short "$1" 2>/dev/null || printf '%.7s\n' "$1"; }
from=$(short "$(id "$3" "$old" "$1")") to=$(short "$(id "$6" "$new" "$1")") mode=" $4"
echo "diff --git $a $b"
case $4,$7 in
.,*) echo "new file mode $7"; a=/dev/null mode= ;;
*,.) echo "deleted file mode $4"; b=/dev/null mode= ;;
"$7,$4") ;;
*) [ "$4" = "$7" ] || { echo "old mode $4"; echo "new mode $7"; mode=; } ;;
esac
if [ -n "$9" ]; then printf %s "$9"; elif [ "$from" != "$to" ]; then echo "index $from..$to$mode"; fi
git diff --no-index --no-ext-diff --no-textconv --no-color -- "$old" "$new" | while IFS= read -r line; do
case $line in
"@@ "*) printf -- '--- %s\n+++ %s\n%s\n' "$(tab "$a")" "$(tab "$b")" "$line"; cat ;;
"Binary files "*) echo "Binary files $a and $b differ" ;;
esac
done
}; f"""
"""An external diff program that prints what git prints without one."""

_CONVERTER: Final = r"""f() {
if [ "$(head -c 8000 -- "$1" | tr -d '\000' | wc -c)" = "$(head -c 8000 -- "$1" | wc -c)" ]
then cat -- "$1"; else echo "binary: $(cksum < "$1")"; fi
}; f"""
"""A converter that leaves text as it is, and gives one line for what is none."""

Entry = tuple[str, str, str]
"""Scope, key and value of one setting."""


def overrides(folders: Iterable[Path], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that make git run none of the configured programs in these repositories.

    `environment` is the one the command will get. Raises `ToolError` when git does not answer.
    """
    settings = dict(_FIXED)
    seen: set[Path] = set()
    waiting = list(folders)
    while waiting:
        folder = waiting.pop()
        if folder in seen or not folder.is_dir():
            continue
        seen.add(folder)
        settings |= neutral(_entries(folder, environment))
        waiting += _submodules(folder, environment)
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def neutral(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the settings that stand for those among `entries` that name a program.

    The user's own filters (git-lfs is one) stay, since git would misjudge files without them; those
    that a repository defines or changes do not.
    """
    settings: dict[str, str] = {}
    for scope, key, value in entries:
        section, _, rest = key.partition(".")
        driver, _, name = rest.rpartition(".")
        if key == "diff.external" or (section == "diff" and driver and name == "command"):
            settings[key] = _EXTERNAL
        elif section == "diff" and driver and name == "textconv":
            settings |= {key: _CONVERTER, f"diff.{driver}.cachetextconv": "false"}
        elif section == "filter" and driver and scope in ("local", "worktree"):
            settings |= {f"filter.{driver}.{part}": "" for part in ("clean", "smudge", "process")}
            settings[f"filter.{driver}.required"] = "false"
        elif key in _PROGRAMS and value:
            settings[key] = _PROGRAMS[key]
    return settings


def _entries(folder: Path, environment: Mapping[str, str]) -> list[Entry]:
    """Return every setting that git sees in `folder`."""
    fields = _git(["config", "--list", "-z", "--show-scope"], folder, environment).split("\0")
    pairs = zip(fields[0::2], fields[1::2], strict=False)
    return [(scope, *_split(setting)) for scope, setting in pairs]


def _split(setting: str) -> tuple[str, str]:
    """Return key and value; a key that stands alone means true."""
    key, _, value = setting.partition("\n")
    return key, value


def _submodules(folder: Path, environment: Mapping[str, str]) -> list[Path]:
    """Return the repositories inside of `folder`'s, where git status and diff look too."""
    if not _has_links(folder):
        return []
    listing = _git(["ls-files", "--stage", "-z", "--full-name", ":/"], folder, environment)
    top = _git(["rev-parse", "--show-toplevel"], folder, environment).removesuffix("\n")
    paths = [line.partition("\t")[2] for line in listing.split("\0") if line.startswith("160000 ")]
    return [Path(top, path) for path in paths if Path(top, path, ".git").exists()]


def _has_links(folder: Path) -> bool:
    """Whether the index may hold the mode of a submodule: found by its bytes, in a ms for 50 000 files."""
    for candidate in (folder, *folder.parents):
        place = candidate / ".git"
        if place.is_file():
            pointer = place.read_text(errors="surrogateescape").removeprefix("gitdir:").strip()
            place = candidate / pointer
        if place.is_dir():
            indexes = [place / "index", *place.glob("sharedindex.*")]
            return any(b"\0\0\xe0\0" in index.read_bytes() for index in indexes if index.is_file())
    return True


def _git(words: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    """Return what a git command prints; empty when it fails, as the command itself then will."""
    try:
        done = subprocess.run(
            ["git", "-c", "core.fsmonitor=false", *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
    except FileNotFoundError:
        return ""
    except subprocess.TimeoutExpired:
        raise ToolError(f"git does not answer in {folder}; is the disk reachable?") from None
    return done.stdout.decode(errors="surrogateescape") if done.returncode == 0 else ""
