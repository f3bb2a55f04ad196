"""Addresses, proxies and certificates that do not work are each one line; the ones that work are used."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hermes_tui.engine.errors import ProviderError
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider
from hermes_tui.providers.proxy import proxy_for
from tests.providers.kit import ask
from tests.support.server import ScriptedServer, say

KEY = "sk-TESTKEY1234567"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def failure(url: str, key: str = KEY) -> str:
    with pytest.raises(ProviderError) as caught:
        ask(OpenAIProvider(Endpoint(url, key, "m")))
    text = str(caught.value)
    assert "\n" not in text
    assert key not in text
    return text


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_no_server_there() -> None:
    assert failure(f"http://127.0.0.1:{free_port()}/v1").startswith("nothing listens at 127.0.0.1:")


def test_an_unknown_host() -> None:
    assert failure("http://no-such-host.invalid/v1").startswith("the name no-such-host.invalid is not known")


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "/v1", "host"])
def test_an_address_that_is_none(url: str) -> None:
    assert "must start with http:// or https://" in failure(url)


@pytest.mark.parametrize("url", ["http://[::1/v1", "http://host:99999999/v1", "http://a b/v1"])
def test_an_address_that_cannot_be_read_is_one_line(url: str) -> None:
    failure(url)


def test_https_where_http_is_spoken() -> None:
    with ScriptedServer() as server:
        assert "does not speak TLS" in failure(server.url.replace("http:", "https:"))


def test_a_key_that_http_cannot_carry() -> None:
    with ScriptedServer() as server:
        assert "a character that HTTP cannot carry" in failure(server.url, "sk-ключ-1234567")
        assert server.requests == []


def test_a_key_with_a_line_end_is_sent_without_it() -> None:
    with ScriptedServer([say("ok")], key=KEY) as server:
        assert ask(OpenAIProvider(Endpoint(server.url, f"{KEY}\n", "m"))).message.content == "ok"


def test_a_password_in_the_address_is_not_shown() -> None:
    assert "hunter2" not in failure(f"http://me:hunter2@127.0.0.1:{free_port()}/v1")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_a_certificate_that_is_not_trusted(tmp_path: Path) -> None:
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *files, *subject]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_handshake, args=(listener, context), daemon=True).start()
        text = failure(f"https://localhost:{listener.getsockname()[1]}/v1")
    assert text.startswith("the certificate of localhost:")
    assert "SSL_CERT_FILE" in text


def _handshake(listener: socket.socket, context: ssl.SSLContext) -> None:
    connection, _ = listener.accept()
    with connection:
        try:
            context.wrap_socket(connection, server_side=True).close()
        except OSError:
            return  # the client does not trust us: that is the test


# -- proxies ------------------------------------------------------------------------------------------


def test_an_http_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer([say("through")]) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
        answer = ask(OpenAIProvider(Endpoint("http://model.invalid/v1", model="m")))
    assert answer.message.content == "through"


def test_a_proxy_that_is_not_there_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv("HTTP_PROXY", f"http://me:hunter2@127.0.0.1:{port}")
    text = failure("http://model.invalid/v1")
    assert f"through the proxy 127.0.0.1:{port}" in text
    assert "hunter2" not in text


def test_an_unusable_proxy_is_one_line_and_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases i/155."""
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:1/")
    assert "set NO_PROXY=model.invalid" in failure("http://model.invalid/v1")


def test_a_socks_proxy_of_a_desktop_is_one_line_or_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases i/155: `socks://` is mapped to SOCKS5, whether or not the package for it is there."""
    monkeypatch.setenv("ALL_PROXY", f"socks://127.0.0.1:{free_port()}/")
    text = failure("http://model.invalid/v1")
    assert "socks" in text.lower() or "through the proxy" in text


def test_a_local_server_is_asked_directly_whatever_the_proxies_say() -> None:
    """Cases i/155: the environment of a desktop, in a process of its own."""
    program = (
        "import sys\n"
        "from hermes_tui.providers.endpoint import Endpoint\n"
        "from hermes_tui.providers.openai import OpenAIProvider\n"
        "from tests.providers.kit import ask\n"
        "print(ask(OpenAIProvider(Endpoint(sys.argv[1], model='m'))).message.content)\n"
    )
    with ScriptedServer([say("one"), say("two")]) as server:
        for url in (server.url, server.url.replace("127.0.0.1", "localhost")):
            done = subprocess.run(
                [sys.executable, "-c", program, url],
                env={"ALL_PROXY": "socks://127.0.0.1:1/", "NO_PROXY": "localhost", "PATH": "/usr/bin:/bin"},
                cwd=Path(__file__).parents[2],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout in ("one\n", "two\n")


CHOICES = [
    ({"ALL_PROXY": "socks://h:1/"}, "https://x.org/v1", "socks5://h:1/"),
    ({"ALL_PROXY": "socks5h://h:1"}, "https://x.org/v1", "socks5h://h:1"),
    ({"ALL_PROXY": "h:1"}, "https://x.org/v1", "http://h:1"),
    ({"HTTPS_PROXY": "http://s:1", "ALL_PROXY": "http://a:1"}, "https://x.org/v1", "http://s:1"),
    ({"HTTPS_PROXY": "http://s:1"}, "http://x.org/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "*"}, "https://x.org/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "y.org, x.org"}, "https://x.org/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": ".org"}, "https://x.org/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "*.x.org"}, "https://api.x.org/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "x.org"}, "https://notx.org/v1", "http://a:1"),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "x.org:444"}, "https://x.org:443/v1", "http://a:1"),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "x.org:443"}, "https://x.org:443/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "10.0.0.0/8"}, "http://10.1.2.3:8000/v1", None),
    ({"ALL_PROXY": "http://a:1", "NO_PROXY": "nonsense/8"}, "http://10.1.2.3:8000/v1", "http://a:1"),
    ({"ALL_PROXY": "http://a:1"}, "http://127.0.0.1:1234/v1", None),
    ({"ALL_PROXY": "http://a:1"}, "http://[::1]:1234/v1", None),
    ({"ALL_PROXY": "http://a:1"}, "http://localhost:1234/v1", None),
    ({}, "https://x.org/v1", None),
]


@pytest.mark.parametrize(("environment", "url", "expected"), CHOICES)
def test_which_proxy_is_taken(
    environment: dict[str, str], url: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_for(url) == expected
