"""What freezes other screens, in a real pseudo-terminal: none of it holds the prompt."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.support.replies import Pause
from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.stored import store
from tests.support.terminal import COMMAND, Terminal

PROMPT_TIME = 5.0
"""Seconds in which a typed character has to be seen, on the slowest machine; figures: tests/bench/ui.py."""
SECTION = """## Section {n}

The loader in `loaders/csv.py` **closes** its file, see [the docs](https://example.org/{n}).

```python
def load_{n}(path: str) -> list[str]:
    with open(path) as handle:
        return [line.strip() for line in handle][:{n}]
```

1. first, *with emphasis*
2. second

| name | value |
|------|------:|
| a{n} | {n} |

"""
MARKDOWN = "".join(SECTION.format(n=n) for n in range(800))[:200_000]


def opened(server: ScriptedServer, shop: Path, environ: dict[str, str], *more: str) -> Terminal:
    words = [str(COMMAND), "--base-url", server.url, "--model", "m", *more]
    return Terminal(words, shop, environ=environ)


def prompt_of(terminal: Terminal) -> str:
    """Return what stands in the prompt."""
    lines = [line for line in terminal.text().splitlines() if line.startswith(" ❯")]
    return lines[-1][2:].strip() if lines else ""


def type_slowly(terminal: Terminal, text: str, behind: str = "") -> None:
    """Type a text behind what is written, each character only once the one before is seen."""
    written = behind
    for character in text:
        written += character
        terminal.send(character)
        terminal.wait(partial(stands, terminal, written.strip()), PROMPT_TIME)


def stands(terminal: Terminal, text: str, screen: str) -> bool:
    return prompt_of(terminal) == text


def pieces(text: str, count: int) -> list[str]:
    size = -(-len(text) // count)
    return [text[at : at + size] for at in range(0, len(text), size)]


def test_two_hundred_kilobytes_of_markdown_in_ten_thousand_deltas(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases g/124: the prompt takes keys while it streams, and the end of the text is there."""
    half = Pause()
    streamed = pieces(MARKDOWN, 10_000)
    answer = say(*streamed[:7_000], half, *streamed[7_000:], "\n\nThe very end.")
    with ScriptedServer([answer]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("go")
        terminal.wait("Section")
        type_slowly(terminal, "while it streams")
        half.gate.set()
        type_slowly(terminal, " and goes on", "while it streams")
        terminal.wait("The very end.", 60)
        assert prompt_of(terminal) == "while it streams and goes on"


def test_a_tool_that_prints_a_hundred_thousand_lines(shop: Path, environ: dict[str, str]) -> None:
    flood = calls(Call("terminal", {"command": "seq -f 'line %.0f of the flood' 1 100000; sleep 2"}))
    with (
        ScriptedServer([flood, say("It is over.")]) as server,
        opened(server, shop, environ, "--permission", "all") as terminal,
    ):
        terminal.wait("❯")
        terminal.line("go")
        terminal.wait("of the flood", 30)
        type_slowly(terminal, "meanwhile")
        terminal.wait("It is over.", 60)
        assert prompt_of(terminal) == "meanwhile"


def test_the_user_s_own_flood(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("!yes this is a flood")
        terminal.wait("more lines above", 30)
        type_slowly(terminal, "stop")
        terminal.press("ctrl+c")
        terminal.wait("stopped by you", 30)


def test_a_session_of_two_thousand_messages_opens_at_its_end(
    shop: Path, tmp_path: Path, environ: dict[str, str]
) -> None:
    """Cases g/128: not a black screen; one can scroll, and the prompt is there at once."""
    turns = [(f"and now {number}, please", SECTION.format(n=number)) for number in range(1_000)]
    store(tmp_path / "home" / "hermes", shop.resolve(), turns)
    with ScriptedServer([]) as server, opened(server, shop, environ, "--continue") as terminal:
        terminal.wait("a999", 30)
        type_slowly(terminal, "hello")
        for _ in range(12):
            terminal.send("\x1b[5~")
        terminal.wait(lambda screen: "a999" not in screen and "99" in screen)
        type_slowly(terminal, " again", "hello")
        terminal.send("\x06")
        terminal.wait("what to look for")
        terminal.send("and now 1, please")
        terminal.wait("1 of 1", 30)
        terminal.wait("and now 1, please")


def test_resizing_while_it_streams_loses_nothing(shop: Path, environ: dict[str, str]) -> None:
    middle = Pause()
    streamed = pieces(MARKDOWN[:60_000], 3_000)
    answer = say(*streamed[:1_500], middle, *streamed[1_500:], "\n\nThe very end.")
    with ScriptedServer([answer]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("go")
        terminal.wait("Section")
        for columns, rows in ((60, 16), (140, 40), (20, 8), (80, 24), (100, 30)):
            terminal.resize(columns, rows)
            middle.gate.set()
            terminal.wait(lambda screen: "❯" in screen)
        type_slowly(terminal, "still here")
        terminal.wait("The very end.", 60)
        screen = terminal.text().splitlines()
        assert screen[0].startswith(" hermes-tui")
        assert len([line for line in screen if line.startswith(" ❯ still here")]) == 1


def test_a_paste_of_a_megabyte_is_sent_whole(shop: Path, environ: dict[str, str]) -> None:
    """Cases g/121."""
    text = "".join(f"line {number} of what was pasted\n" for number in range(33_000))
    with ScriptedServer([say("Got it.")]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.paste(text)
        terminal.wait("[pasted #1: 33001 lines]", 30)
        terminal.send(" what is this")
        terminal.wait("lines] what is this", PROMPT_TIME)
        terminal.press("enter")
        terminal.wait("Got it.", 60)
        assert server.requests[0]["messages"][-1]["content"] == f"{text} what is this"
