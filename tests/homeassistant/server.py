"""A real Home Assistant on a free port, with the demo integration: started, entered by its onboarding API."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

HOME = Path(os.environ.get("HOMEASSISTANT", Path(__file__).parents[2] / ".venv-homeassistant"))
PATIENCE = 900.0
"""Seconds for its start: the first one installs what its integrations need."""
CONFIG = """
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
onboarding:
demo:
input_boolean:
  guests:
    name: Guests are here
"""


@dataclass(frozen=True)
class House:
    """Where it answers, and with which token."""

    url: str
    token: str

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """Return status and text of one request to /api, as it is."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = httpx2.request(
            method, f"{self.url}/api/{path}", headers=headers, json=body, timeout=30, trust_env=False
        )
        return answer.status_code, answer.text


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """Run one in a fresh configuration folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "configuration.yaml").write_text(CONFIG.format(port=port))
    with (folder / "out.log").open("wb") as log:
        process = subprocess.Popen([HOME / "bin" / "hass", "-c", folder], stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            yield House(url, enter(url, process))
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def enter(url: str, process: subprocess.Popen[bytes]) -> str:
    """Make the first user and return a token of hers, once the server answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None, "it ended; see out.log in its folder"
        assert time.monotonic() < deadline, "it does not answer"
        try:
            steps = httpx2.get(f"{url}/api/onboarding", timeout=5, trust_env=False)
            if steps.status_code == 200:
                break
        except httpx2.HTTPError:
            pass
        time.sleep(0.05)
    user = {
        "client_id": f"{url}/",
        "name": "Test",
        "username": "test",
        "password": "test-test",
        "language": "en",
    }
    code = post(f"{url}/api/onboarding/users", json=user)["auth_code"]
    grant = {"grant_type": "authorization_code", "code": code, "client_id": f"{url}/"}
    return str(post(f"{url}/auth/token", data=grant)["access_token"])


def post(url: str, **body: Mapping[str, Any]) -> Any:
    """Return the JSON that a POST brings."""
    answer = httpx2.post(url, timeout=30, trust_env=False, **body)  # type: ignore[arg-type]  # json= or data=
    answer.raise_for_status()
    return answer.json()
