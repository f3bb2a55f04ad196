"""Where the program keeps things, and who may look: folders 0700, files 0600, whoever makes them first."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from tests.product.support import run

REHEARSAL = ("--provider", "rehearsal", "--permission", "all")


def test_whatever_comes_first_makes_private_folders(shop: Path, environ: dict[str, str]) -> None:
    done = run(["-p", "write a.txt: x and run touch b.txt", *REHEARSAL], shop, environ)
    assert done.code == 0, done.err
    home = Path(environ["HERMES_TUI_HOME"])
    open_to_others = {
        str(path.relative_to(home)): oct(path.stat().st_mode & 0o777)
        for path in (home, *home.rglob("*"))
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    }
    assert open_to_others == {}
    assert [row for row in json.loads(run(["doctor", "--json"], shop, environ).out) if not row["ok"]] == []


def test_a_checkpoint_is_named_after_what_ran_and_not_after_what_it_touches(
    shop: Path, environ: dict[str, str]
) -> None:
    done = run(["-p", "run rm README.md CHANGELOG.md", *REHEARSAL], shop, environ)
    assert done.code == 0, done.err
    (point,) = json.loads(run(["checkpoints", "list", "--json"], shop, environ).out)
    assert point["label"] == "before terminal rm README.md CHANGELOG.md"


def test_the_calls_of_the_one_object_stand_in_call_order(shop: Path, environ: dict[str, str]) -> None:
    """Side by side the first one ends last."""
    asked = "run sleep 0.5 and run sleep 0"
    done = run(["-p", asked, *REHEARSAL, "--output", "json"], shop, environ)
    calls = json.loads(done.out)["calls"]
    assert [(call["id"], list(call)) for call in calls] == [
        (f"call_{number}", ["id", "name", "status", "seconds"]) for number in (1, 2)
    ]
    assert calls[0]["seconds"] > calls[1]["seconds"]
