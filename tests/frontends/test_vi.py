"""The vi keys: a table of keys on a text, and the prompt with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.frontends.tui.widgets.prompt.modal import location, offset
from hermes_tui.frontends.tui.widgets.prompt.vi import KEYS, Do, Vi, press
from tests.frontends.scene import played, scene
from tests.frontends.standin import StandIn


def after(text: str, keys: str) -> str:
    """Play keys in normal mode; `|` marks the cursor. `<esc>` and the like are names."""
    at = text.index("|")
    text = text.replace("|", "")
    vi = Vi(insert=False)
    for key in split(keys):
        step = press(vi, text, at, key)
        if step.do is Do.ELSEWHERE and vi.insert:
            text, at = text[:at] + key + text[at:], at + len(key)
            continue
        vi, at = step.vi, step.at
        if step.edit is not None:
            start, end, new = step.edit
            text = text[:start] + new + text[end:]
        assert 0 <= at <= len(text)
    return text[:at] + "|" + text[at:]


def split(keys: str) -> list[str]:
    parts: list[str] = []
    while keys:
        end = keys.index(">") + 1 if keys.startswith("<") else 1
        parts.append(keys[1 : end - 1] if end > 1 else keys[0])
        keys = keys[end:]
    return parts


@pytest.mark.parametrize(
    ("text", "keys", "result"),
    [
        ("one |two three", "h", "one| two three"),
        ("|one two", "3l", "one| two"),
        ("|one two", "99l", "one tw|o"),
        ("a|b\ncd", "j", "ab\nc|d"),
        ("ab\nc|d", "k", "a|b\ncd"),
        ("abc|d\nx", "j", "abcd\n|x"),
        ("|one two.three", "w", "one |two.three"),
        ("|one two.three", "2w", "one two|.three"),
        ("|one two.three x", "2W", "one two.three |x"),
        ("one two|.three", "b", "one |two.three"),
        ("|one two", "e", "on|e two"),
        ("on|e two", "e", "one tw|o"),
        ("  one t|wo", "0", "|  one two"),
        ("  one t|wo", "^", "  |one two"),
        ("|one two", "$", "one tw|o"),
        ("a\nb\n|c", "gg", "|a\nb\nc"),
        ("|a\nb\nc", "G", "a\nb\n|c"),
        ("|a\nb\nc", "2G", "a\n|b\nc"),
        ("|one two three", "dw", "|two three"),
        ("|one two three", "2dw", "|three"),
        ("|one two three", "d2w", "|three"),
        ("one |two", "dw", "one| "),
        ("one |two\nthree", "dw", "one| \nthree"),
        ("one t|wo three", "de", "one t| three"),
        ("one t|wo", "d0", "|wo"),
        ("one| two", "d$", "on|e"),
        ("one| two", "D", "on|e"),
        ("a\n|b\nc", "dd", "a\n|c"),
        ("a\nb\n|c", "dd", "a\n|b"),
        ("|a\nb\nc", "2dd", "|c"),
        ("|only", "dd", "|"),
        ("|a\nb\nc", "dj", "|c"),
        ("a\nb\n|c", "dgg", "|"),
        ("|one two", "cwnew<escape>", "ne|w two"),
        ("one |two", "Cnew<escape>", "one ne|w"),
        ("a\n|b\nc", "ccx<escape>", "a\n|x\nc"),
        ("|abc", "x", "|bc"),
        ("|abc", "2x", "|c"),
        ("ab|c", "x", "a|b"),
        ("ab|c", "X", "a|c"),
        ("|abc", "ryx", "|bc"),
        ("|abc", "3r-", "--|-"),
        ("|abc", "~", "A|bc"),
        ("|abc", "sX<escape>", "|Xbc"),
        ("a|b\n  c", "J", "ab| c"),
        ("|one two", "yw$p", "one twoone| "),
        ("|one\ntwo", "yyp", "one\n|one\ntwo"),
        ("one\n|two", "yyP", "one\n|two\ntwo"),
        ("a\n|b\nc", "ddp", "a\nc\n|b"),
        ("|ab", "xp", "b|a"),
        ("a|b", "ix<escape>", "a|xb"),
        ("a|b", "ax<escape>", "ab|x"),
        (" a|b", "Ix<escape>", " |xab"),
        ("|ab", "Ax<escape>", "ab|x"),
        ("a|b\nc", "ox<escape>", "ab\n|x\nc"),
        ("a|b", "Ox<escape>", "|x\nab"),
        ("|one", "d<escape>x", "|ne"),
        ("|漢字 ab", "w", "漢字 |ab"),
    ],
)
def test_keys_do_what_vi_does(text: str, keys: str, result: str) -> None:
    assert after(text, keys) == result


def test_undo_and_redo_are_the_editors() -> None:
    vi = Vi(insert=False)
    assert [press(vi, "x", 0, key).do for key in ("u", "ctrl+r")] == [Do.UNDO, Do.REDO]


def test_what_vi_does_not_know_goes_on_to_others() -> None:
    vi = Vi(insert=False)
    for key in ("enter", "tab", "ctrl+c", "escape", "pageup", "f1"):
        assert press(vi, "x", 0, key).do is Do.ELSEWHERE
    assert press(vi, "a\nb", 0, "k").do is Do.ELSEWHERE  # up from the first line: the history
    assert press(vi, "a\nb", 2, "j").do is Do.ELSEWHERE


@given(
    st.text("ab .\n漢", max_size=12), st.lists(st.sampled_from([*KEYS, *"0123g", "escape", "z"]), max_size=8)
)
def test_no_keys_break_a_text(text: str, keys: list[str]) -> None:
    vi, at = Vi(insert=False), 0
    for key in keys:
        step = press(vi, text, at, key)
        if step.edit is not None:
            start, end, new = step.edit
            assert 0 <= start <= end <= len(text)
            text = text[:start] + new + text[end:]
        vi, at = step.vi, step.at
        assert 0 <= at <= len(text)
        assert offset(text, location(text, at)) == at


@played
async def test_the_prompt_has_vi_keys_when_the_setting_says_so(tmp_path: Path) -> None:
    hermes = StandIn(tmp_path)
    hermes.settings.vi_keys = True
    async with scene(tmp_path, hermes=hermes) as on:
        prompt = on.main.prompt
        await on.type("hello brave world")
        await on.press("escape")
        await on.shows(" N hello")
        await on.type("bbdw")
        assert prompt.text == "hello world"
        await on.type("u")
        assert prompt.text == "hello brave world"
        await on.press("ctrl+r")
        assert prompt.text == "hello world"
        await on.type("A!")
        assert prompt.text == "hello world!"
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("submit", "hello world!")])
        await on.type("x")
        assert prompt.text == "x"  # a new message begins in insert mode


@played
async def test_escape_still_stops_a_turn_once_in_normal_mode(tmp_path: Path) -> None:
    hermes = StandIn(tmp_path)
    hermes.settings.vi_keys = True
    async with scene(tmp_path, hermes=hermes) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.press("escape", "escape")
        await on.until(lambda: on.agent.asked == [("interrupt", None, False)])
