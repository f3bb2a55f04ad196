"""What checkpoints cost, as ratios in one run: python -m tests.bench.checkpoints [files …]

Trees of 4 kB files under git, with as many ignored ones; by hand is `git add -A` and `git write-tree`
in a plain repository. Nothing here is a test: the numbers depend on the machine, the ratios hardly.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hermes_tui.checkpoints.gitenv import Shadow
from hermes_tui.checkpoints.ignores import Ignores
from hermes_tui.checkpoints.keep import stored
from hermes_tui.checkpoints.objects import Objects
from hermes_tui.checkpoints.root import Root
from hermes_tui.checkpoints.scan import Scanner
from hermes_tui.checkpoints.seed import taken_over
from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.checkpoints.tree import Tree
from hermes_tui.checkpoints.wal import Wal
from hermes_tui.checkpoints.watch import Watch
from hermes_tui.engine.footprint import undeclared

SIZES = (1_000, 10_000, 50_000)
ROUNDS = 7
RESTORED = 200
WAIT = 0.020
EDITS = 1_000


def main(sizes: list[int]) -> None:
    """Measure each size in a folder of its own."""
    for size in sizes:
        with tempfile.TemporaryDirectory(dir=os.environ.get("HERMES_BENCH_DIR")) as folder:
            measure(Path(folder), size)


def measure(base: Path, size: int) -> None:
    """Print one size's ratios."""
    print(f"\n{size} files of 4 kB, {size} ignored")
    project = make_tree(base / "project", size)
    store = opened(base / "home", project)
    first = seconds(lambda: command(store, project, []))
    print(f"  first look, all but what git holds kept  {first:6.2f} s (at most 2 s at 50 000)")
    edits(store, project)
    waits(store, project)
    store.close(60)
    scans(base, project)
    restores(base, project)
    room(base)


def edits(store: CheckpointStore, project: Path) -> None:
    """One edit against writing and syncing the same bytes."""
    recording = store.open("edits")
    assert recording is not None
    path, data = project / "d0" / "f0", [os.urandom(2048).hex().encode() for _ in range(40)]

    def covered(content: bytes) -> None:
        with recording.change(path, content):
            pass

    hand, ours = [], []
    for content in data:
        hand.append(seconds(partial(synced, project / ".git" / "scratch", content)))
        ours.append(seconds(partial(covered, content)))
        path.write_bytes(content)
    ratio("checkpoint of an edit / write and fsync", statistics.median(ours), statistics.median(hand), 3.0)
    recording.close()


def waits(store: CheckpointStore, project: Path) -> None:
    """How long a command waits for its before, by the change watch."""
    for what, name in (("nothing changed", ""), ("the user saved a file", "d0/f0")):
        waited, alone = [], []
        for i in range(ROUNDS):
            if name:
                (project / name).write_text(f"saved {i}\n" * 300)
            waited.append(before(store))
            # what any program pays for one synced line
            alone.append(seconds(partial(synced, project / ".git" / "scratch", b"a line\n" * 30)))
        ours, line = statistics.median(waited), statistics.median(alone)
        verdict = "ok" if ours <= WAIT else "MISSED"
        print(
            f"  a command waits, {what}  {ours * 1000:.1f} ms (at most {WAIT * 1000:.0f}; "
            f"a synced line alone {line * 1000:.1f})  {verdict}"
        )


def before(store: CheckpointStore) -> float:
    """Return the seconds until a command may start."""
    recording = store.open("command")
    assert recording is not None
    started = time.perf_counter()
    with recording.scanned("call", undeclared("bench")):
        waited = time.perf_counter() - started
    recording.close()
    return waited


def synced(path: Path, content: bytes) -> None:
    with open(path, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def scans(base: Path, project: Path) -> None:
    """Nothing changed: a look at every path, without the watch, against git by hand."""
    git(project, "add", "-A")
    root = Root(project)
    shadow = Shadow(base / "scans")
    shadow.folder.mkdir()
    shadow.ensure()
    tree = Tree(root, Limits(), "", Ignores(project, shadow.folder), Watch(project, folders=0))
    scanner = Scanner(
        root, Objects(shadow, Wal(shadow.folder, "log")), Limits(), tree, partial(taken_over, shadow, project)
    )
    scanner.scan((), ())

    def by_hand() -> None:
        git(project, "add", "-A")
        git(project, "write-tree")

    pairs = [(seconds(lambda: scanner.scan((), ())), seconds(by_hand)) for _ in range(ROUNDS)]
    ours, hand = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio("scan of every path, nothing changed / git add -A, write-tree", ours, hand, 1.3)


def restores(base: Path, project: Path) -> None:
    """200 files back, against git's own way of doing it; housekeeping behind a checkpoint has ended."""
    names = [f"d{i % folders(project)}/f{i}" for i in range(RESTORED)]
    git(project, "add", "-A")
    tree = git(project, "write-tree")
    ours, hand, preview = [], [], []
    for round_ in range(ROUNDS):
        store = opened(base / "home", project)
        number = command(store, project, names, f"changed {round_}")
        store.close(60)
        store = opened(base / "home", project)
        started = time.perf_counter()
        plan = store.preview(number)
        preview.append(time.perf_counter() - started)
        ours.append(seconds(partial(store.restore, plan)))
        store.close(60)
        change(project, names, "by hand")
        hand.append(seconds(lambda: git(project, "read-tree", "-u", "--reset", tree)))
    print(f"  preview of {RESTORED} files  {statistics.median(preview) * 1000:6.1f} ms")
    ratio(
        f"restore of {RESTORED} files, saving included / git read-tree",
        statistics.median(ours),
        statistics.median(hand),
        2.0,
    )


def opened(home: Path, project: Path) -> CheckpointStore:
    return CheckpointStore(project, home, "bench", Limits(), lambda level, text: print("  !", text))


def folders(project: Path) -> int:
    return sum(name.startswith("d") for name in os.listdir(project))


def room(base: Path) -> None:
    """What many edits of one file take on the disk."""
    project = base / "single"
    project.mkdir()
    store = opened(base / "single-home", project)
    lines = [f"line {i:4} of a file that is edited often\n" for i in range(95)]
    for i in range(EDITS):
        lines[i % 95] = f"line {i:4} as it was changed just now\n"
        recording = store.open("edit")
        assert recording is not None
        content = "".join(lines).encode()
        with recording.change(project / "a", content):
            (project / "a").write_bytes(content)
        recording.close()
    store.close(60)
    print(f"  {EDITS} edits of one 4 kB file  {stored(base / 'single-home') / 1e6:.1f} MB (at most 8)")


def command(store: CheckpointStore, project: Path, names: list[str], change_to: str = "") -> int:
    """Run a command that changes files, or none; return the checkpoint."""
    recording = store.open("command")
    assert recording is not None
    with recording.scanned("call", undeclared("bench")):
        change(project, names, change_to)
    recording.close()
    return recording.number


def change(project: Path, names: list[str], text: str) -> None:
    for name in names:
        (project / name).write_text(f"{text} {name}\n" * 100)


def make_tree(project: Path, size: int) -> Path:
    """Make a committed tree and as many ignored files."""
    for kind in ("", "ignored/"):
        for i in range(size):
            folder = project / f"{kind}d{i % max(50, size // 50)}"
            if i < max(50, size // 50):
                folder.mkdir(parents=True)
            (folder / f"f{i}").write_text(f"{kind}{i} of a file of four kilobytes\n" * 110)
    (project / ".gitignore").write_text("ignored/\n")
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    git(project, "gc", "-q")  # as a project is that was cloned
    return project


def git(project: Path, *arguments: str) -> str:
    own = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=b", "-c", "user.email=b@localhost", "-c", "gc.auto=0")
    run = subprocess.run(
        ["git", *who, *arguments], cwd=project, env={**os.environ, **own}, capture_output=True, check=True
    )
    return run.stdout.decode().strip()


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def ratio(what: str, ours: float, hand: float, limit: float) -> None:
    verdict = "ok" if ours <= limit * hand else "MISSED"
    print(
        f"  {what}  {ours * 1000:.1f} / {hand * 1000:.1f} ms = {ours / hand:.2f} (at most {limit})  {verdict}"
    )


if __name__ == "__main__":
    assert shutil.which("git")
    main([int(word) for word in sys.argv[1:]] or list(SIZES))
