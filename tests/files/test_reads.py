from pathlib import Path

from hermes_tui.engine.errors import StaleFile
from hermes_tui.engine.protocols import ABSENT
from hermes_tui.files.open import hash_bytes
from hermes_tui.files.reads import MAX_CONTENT, MAX_KEPT, ReadLedger, stale


def noted(ledger: ReadLedger, path: str, data: bytes) -> None:
    ledger.note(Path(path), hash_bytes(data), data)


def test_hashes_stay_and_contents_are_bounded() -> None:
    ledger = ReadLedger()
    size = MAX_CONTENT
    for number in range(2 * MAX_KEPT // size):
        noted(ledger, f"/f{number}", bytes([number]) * size)
    kept = [number for number in range(2 * MAX_KEPT // size) if ledger.seen(Path(f"/f{number}")) is not None]
    assert len(kept) == MAX_KEPT // size
    assert kept[-1] == 2 * MAX_KEPT // size - 1
    assert ledger.hash(Path("/f0")) is not None


def test_a_part_of_a_file_is_never_taken_for_its_content() -> None:
    ledger = ReadLedger()
    ledger.note(Path("/big"), hash_bytes(b"all of it"), b"all")
    assert ledger.hash(Path("/big")) == hash_bytes(b"all of it")
    assert ledger.seen(Path("/big")) is None


def test_a_path_or_all_can_be_forgotten() -> None:
    ledger = ReadLedger()
    noted(ledger, "/a", b"1")
    noted(ledger, "/b", b"2")
    ledger.forget(Path("/a"))
    assert (ledger.hash(Path("/a")), ledger.seen(Path("/b"))) == (None, b"2")
    ledger.forget()
    assert (ledger.hash(Path("/b")), ledger.seen(Path("/b"))) == (None, None)


def judged(ledger: ReadLedger, now: bytes) -> StaleFile | None:
    return stale(ledger, Path("/a"), hash_bytes(now), now, "a")


def test_the_refusal_says_what_changed() -> None:
    """cases b/26."""
    ledger = ReadLedger()
    assert judged(ledger, b"never read") is None
    noted(ledger, "/a", b"one\ntwo\n")
    assert judged(ledger, b"one\ntwo\n") is None
    refusal = judged(ledger, b"one\n2\n")
    assert "-two\n+2\n" in str(refusal)
    assert stale(ledger, Path("/a"), ABSENT, None, "a") is None
    assert "changed since" in str(stale(ledger, Path("/a"), "another", None, "a"))
