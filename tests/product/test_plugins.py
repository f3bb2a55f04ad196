"""Plugins dropped into the folder of a running configuration: providers and themes, good and broken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.product.support import run
from tests.support.terminal import COMMAND, Terminal

PROVIDER = '''
"""Answers with what was asked."""
from hermes_tui.engine.messages import Message, Usage
from hermes_tui.engine.protocols import Answer
from hermes_tui.plugins import hookimpl


class Echo:
    def __init__(self, table):
        self.model = table.model or "echo-1"
        self._key = table.key

    def answer(self, request, sink, token):
        token.raise_if_set()
        text = f"{self.model} with {self._key or 'no key'}: {request.messages[-1].content}"
        sink.text(text)
        return Answer(Message("assistant", text), Usage(3, 4), model=self.model)

    def close(self):
        pass


class Broken(Echo):
    def answer(self, request, sink, token):
        raise ZeroDivisionError("no luck")


def unmakable(table):
    raise RuntimeError("no such thing")


@hookimpl
def hermes_providers():
    return {"echo": Echo, "broken": Broken, "unmakable": unmakable}
'''

THEME = """
from hermes_tui.plugins import hookimpl


@hookimpl
def hermes_themes():
    return {
        "plum": {"primary": "#123456", "background": "#310d31", "variables": {"rule": "#777777"}},
        "odd": {"primary": "no colour"},
        "hermes-dark": {"primary": "#000000"},
    }
"""


def put(environ: Mapping[str, str], config: str, **plugins: str) -> None:
    """Write config.toml and files of plugins/."""
    home = Path(environ["HERMES_TUI_HOME"])
    folder = home / "plugins"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    (home / "config.toml").write_text(config)
    for name, text in plugins.items():
        (folder / f"{name}.py").write_text(text)


def test_a_provider_answers_where_its_table_names_it(shop: Path, environ: dict[str, str]) -> None:
    table = '[providers.mine]\nplugin = "echo"\nenv_key = "ECHO_KEY"\n'
    put(environ, f'provider = "mine"\n{table}', echo=PROVIDER)
    done = run(["-p", "hello", "--output", "json"], shop, {**environ, "ECHO_KEY": "k-1"})
    answer = json.loads(done.out)
    assert (answer["text"], answer["usage"]) == ("echo-1 with k-1: hello", {"input": 3, "output": 4})
    done = run(["-p", "hello", "--model", "echo-2"], shop, {**environ, "ECHO_KEY": "k-1"})
    assert done.out == "echo-2 with k-1: hello\n"
    assert (
        run(["-p", "hello"], shop, environ)
        .err.splitlines()[-1]
        .endswith("set ECHO_KEY, the variable that holds its key")
    )


def test_a_provider_that_fails_is_one_line(shop: Path, environ: dict[str, str]) -> None:
    tables = "".join(f'[providers.{name}]\nplugin = "{name}"\n' for name in ("broken", "unmakable", "absent"))
    put(environ, tables, echo=PROVIDER)

    def said(name: str) -> tuple[int, str]:
        done = run(["-p", "hello", "--provider", name], shop, environ)
        return done.code, done.err.splitlines()[-1]

    assert said("broken") == (1, "the provider broken failed: ZeroDivisionError: no luck")
    code, text = said("unmakable")
    assert (code, "its plugin failed: RuntimeError: no such thing" in text) == (2, True)
    code, text = said("absent")
    assert (code, "no plugin brings 'absent'; those that do bring echo, broken, unmakable" in text) == (
        2,
        True,
    )


def test_a_table_without_address_and_plugin_is_refused_with_its_line(
    shop: Path, environ: dict[str, str]
) -> None:
    put(environ, '\n[providers.mine]\nmodel = "m"\n')
    done = run(["-p", "hello"], shop, environ)
    assert done.code == 2
    assert "line 2: providers.mine: needs base_url, the address that answers, or plugin" in done.err


def test_a_theme_is_there_from_the_config_and_can_be_picked(shop: Path, environ: dict[str, str]) -> None:
    put(environ, 'theme = "plum"\n', plum=THEME)
    environ["COLORTERM"] = "truecolor"
    with Terminal([str(COMMAND), "--provider", "rehearsal"], shop, environ=environ) as terminal:
        terminal.wait("rehearsal (no model)")
        terminal.wait("a plugin's theme odd is not used")
        terminal.wait(lambda _: b"48;2;49;13;49" in terminal.bytes)  # its background
        text = terminal.wait("a plugin's theme hermes-dark is not used")
        assert "There is no theme" not in text
        terminal.line("/theme hermes-light")
        terminal.line("/theme plum")
        terminal.press("ctrl+d")
        assert terminal.ended() == 0


def test_a_theme_that_no_plugin_brings_is_a_notice(shop: Path, environ: dict[str, str]) -> None:
    put(environ, 'theme = "plumm"\n', plum=THEME)
    with Terminal([str(COMMAND), "--provider", "rehearsal"], shop, environ=environ) as terminal:
        terminal.wait("There is no theme 'plumm'")
        terminal.press("ctrl+d")
        assert terminal.ended() == 0


def test_doctor_names_the_plugins_and_what_is_wrong_with_one(shop: Path, environ: dict[str, str]) -> None:
    put(environ, "", plum=THEME, bad="1 / 0\n")
    findings = json.loads(run(["doctor", "--json"], shop, environ).out)
    (found,) = [each for each in findings if each["name"] == "plugins"]
    assert (found["ok"], found["found"]) == (
        False,
        "plugin bad is not used: ZeroDivisionError: division by zero",
    )
