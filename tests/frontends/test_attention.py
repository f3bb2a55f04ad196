"""The title and the bell: what somebody sees who looks elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from hermes_tui.engine.events import Event, QuestionAsked, TurnFinished, TurnStarted
from hermes_tui.frontends.tui.attention import Attention
from tests.frontends.standin import question


@dataclass
class Terminal:
    """Takes sequences."""

    focused: bool = False
    written: list[str] = field(default_factory=list)

    def attention(self, notify: str, title: bool = False, place: str = "shop") -> Attention:
        made = Attention(self.written.append, lambda: self.focused, place)
        made.use(notify, title)
        return made

    def taken(self) -> str:
        text = "".join(self.written)
        self.written.clear()
        return text


def turn(seconds: float = 12, reason: str = "done") -> list[Event]:
    return [
        TurnStarted(prompt="x", session="s", model="m", time=100),
        TurnFinished(reason=reason, error=None, time=100 + seconds),
    ]


def test_a_turn_that_ends_out_of_sight_is_told_in_the_chosen_way() -> None:
    told = {
        "bell": "\a",
        "osc9": "\x1b]9;hermes-tui: done after 12 s in shop\x07",
        "osc777": "\x1b]777;notify;hermes-tui;done after 12 s in shop\x07",
        "off": "",
    }
    for notify, expected in told.items():
        terminal = Terminal()
        terminal.attention(notify).take(turn())
        assert terminal.taken() == expected


def test_who_looks_at_the_screen_is_not_told() -> None:
    terminal = Terminal(focused=True)
    terminal.attention("bell").take([*turn(), question(1)])
    assert terminal.taken() == ""


def test_a_question_out_of_sight_is_told() -> None:
    terminal = Terminal()
    asked: QuestionAsked = question(1, text="\x1b]0;evil\x07")
    terminal.attention("osc9").take([asked])
    assert terminal.taken() == "\x1b]9;hermes-tui: a question for you in shop\x07"


def test_a_sub_agents_turn_is_not_told() -> None:
    terminal = Terminal()
    terminal.attention("bell").take([TurnFinished(reason="done", error=None, agent="c1")])
    assert terminal.taken() == ""


def test_the_title_says_what_goes_on_and_is_given_back() -> None:
    terminal = Terminal()
    here = terminal.attention("off", title=True)
    here.show(running=False, questions=0)
    here.show(running=False, questions=0)
    assert terminal.taken() == "\x1b[22;2t\x1b]2;hermes-tui · shop\x07"
    here.show(running=True, questions=0)
    assert terminal.taken() == "\x1b]2;◐ hermes-tui · shop\x07"
    here.show(running=True, questions=2)
    assert terminal.taken() == "\x1b]2;? hermes-tui · shop\x07"
    assert here.ending() == "\x1b[23;2t"
    here.use("off", title=False)
    assert terminal.taken() == "\x1b[23;2t"
    here.show(running=False, questions=0)
    assert terminal.taken() == here.ending() == ""


def test_the_name_of_a_folder_is_never_a_sequence() -> None:
    terminal = Terminal()
    here = terminal.attention("osc777", title=True, place="a\x07\x1b]52;c;aGk=\x07;b\nc\u202e\x9b2J")
    here.show(running=False, questions=0)
    here.take(turn())
    text = terminal.taken()
    body = text.replace("\x1b[22;2t", "")
    assert body.count("\x1b") == 2
    assert body.count("\x07") == 2
    assert "\n" not in body
    assert "\x9b" not in body
    assert "\u202e" not in body
    assert body.split("\x07")[1].count(";") == 3, "no field is added"
