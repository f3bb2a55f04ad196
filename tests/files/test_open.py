import hashlib
import os
import socket
from pathlib import Path

import pytest

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.protocols import ABSENT
from hermes_tui.files.open import NoSuchFile, NotAFile, hash_bytes, hash_file, opened, read
from hermes_tui.files.replace import SafeDisk


def test_pipes_sockets_devices_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    """cases d/64."""
    os.mkfifo(tmp_path / "pipe")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "socket"))
    paths = [tmp_path / "pipe", tmp_path / "socket", tmp_path, Path("/dev/zero")]
    kinds = ["a named pipe", "a socket", "a folder", "a device"]
    for path, kind in zip(paths, kinds, strict=True):
        for look in (read, hash_file):
            with pytest.raises(NotAFile, match=f"is {kind}, not a file"):
                look(path)
    server.close()


def test_a_missing_file_has_the_hash_absent(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    assert hash_file(tmp_path / "missing") == ABSENT
    assert SafeDisk().hash(tmp_path / "dangling") == ABSENT
    with pytest.raises(NoSuchFile, match="no such file"):
        read(tmp_path / "missing")


def test_the_hash_is_what_sha256sum_prints(tmp_path: Path) -> None:
    data = os.urandom(1_000_000)
    (tmp_path / "f").write_bytes(data)
    assert hash_file(tmp_path / "f") == hash_bytes(data) == hashlib.sha256(data).hexdigest()


def test_a_file_over_the_limit_is_not_taken_into_memory(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(ToolError, match="larger than 64 MB"):
        read(tmp_path / "sparse")


def test_a_file_that_says_it_is_empty_is_read_to_its_end() -> None:
    assert b"Name:" in read(Path(os.path.realpath("/proc/self/status")))


def test_a_path_through_a_file_and_links_that_lead_round_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(ToolError, match="a file, not a folder"):
        read(tmp_path / "a" / "b")
    with pytest.raises(ToolError, match="round in a circle"):
        read(tmp_path / "round")
    with pytest.raises(ToolError, match="too long"):
        read(tmp_path / ("x" * 300))


def test_an_open_file_is_closed_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    before = len(os.listdir("/proc/self/fd"))
    with opened(tmp_path / "a"):
        pass
    with pytest.raises(NotAFile):
        read(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before
