"""`hermes-tui checkpoints` as a user meets it: on the files that a headless run changed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.product.support import Done, environment, run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project in which the agent wrote a.txt and b.txt, and the user edited a.txt since."""
    folder = tmp_path / "shop"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    prompt = "write a.txt: hello and write b.txt: hello"
    done = hermes(folder, "--permission", "all", "-p", prompt, "--output", "stream-json")
    made = [line for line in done.lines if line["type"] == "checkpoint_made"]
    assert [line["number"] for line in made] == [1]
    assert made[0]["seconds"] > 0
    (folder / "a.txt").write_text("mine\n")
    return folder


def hermes(folder: Path, *arguments: str) -> Done:
    return run(["--provider", "rehearsal", *arguments], folder, environment(folder.parent))


def test_a_difference_says_what_is_kept_and_why(shop: Path) -> None:
    alone = hermes(shop, "checkpoints", "diff", "1", "a.txt")
    assert (alone.code, alone.out, alone.err) == (0, "keep     a.txt  (you edited it since)\n", "")
    both = hermes(shop, "checkpoints", "diff", "1")
    assert both.out.startswith("--- a/b.txt\n+++ /dev/null\n")
    assert both.err == "keep     a.txt  (you edited it since)\n"


def test_what_is_kept_names_the_command_that_takes_it(shop: Path) -> None:
    done = hermes(shop, "checkpoints", "restore", "1", "--yes")
    assert (done.code, (shop / "a.txt").read_text(), (shop / "b.txt").exists()) == (1, "mine\n", False)
    hint = "To take what you edited as well: hermes-tui checkpoints restore 1 a.txt --force"
    assert done.out.splitlines()[-1] == hint
    assert hermes(shop, "checkpoints", "restore", "1", "a.txt", "--force", "--yes").code == 0
    assert not (shop / "a.txt").exists()


def test_a_prune_that_removes_nothing_frees_nothing(shop: Path) -> None:
    done = hermes(shop, "checkpoints", "prune", "--json")
    assert json.loads(done.out) == {"numbers": [], "projects": [], "freed": 0}
    assert hermes(shop, "checkpoints", "prune").out.startswith("Nothing to remove:")


def test_a_denied_command_says_what_nothing_would_bring_back(shop: Path) -> None:
    (shop / "big.log").write_bytes(b"x" * 11_000_000)
    done = hermes(shop, "-p", "run rm big.log", "--output", "stream-json")
    denied = done.only("call_finished")
    assert denied["status"] == "denied"
    why = "big.log is 11.0 MB, more than the 10.0 MB that are kept: /rollback will not bring it back"
    assert why in denied["content"]


def test_what_a_checkpoint_leaves_out_is_said_with_it(shop: Path) -> None:
    (shop / "big.log").write_bytes(b"x" * 11_000_000)
    done = hermes(shop, "--permission", "all", "-p", "run rm b.txt", "--output", "stream-json")
    why = "11.0 MB, more than the 10.0 MB that are kept"
    assert done.only("checkpoint_made")["not_covered"] == [f"big.log ({why})"]
