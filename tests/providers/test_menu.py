"""Who can answer: tables of config.toml, what the endpoint lists, and a fallback that was asked for."""

from __future__ import annotations

import socket

import pytest

from hermes_tui.config.settings import PriceEntry, ProviderEntry, Settings
from hermes_tui.engine.errors import BrokenAnswer, ContextTooLong, ProviderError, UsageError
from hermes_tui.engine.interrupt import Token
from hermes_tui.providers.choose import Choice, choose, configured, with_fallback
from hermes_tui.providers.endpoint import Endpoint, Price
from hermes_tui.providers.local import LocalServer
from hermes_tui.providers.menu import Menu
from tests.providers.kit import Recorder, request
from tests.support.server import Drop, ScriptedServer, error, say


def free_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def entry(url: str, **more: object) -> ProviderEntry:
    return ProviderEntry(base_url=url, **more)  # type: ignore[arg-type]  # any of its fields


def menu(server: ScriptedServer, **more: object) -> Menu:
    settings = Settings(provider="here", providers={"here": entry(server.url), **more})  # type: ignore[dict-item]
    chosen = choose(settings, {"OTHER_KEY": "sk-other"})
    assert chosen is not None
    return Menu(chosen, settings, {"OTHER_KEY": "sk-other"})


def test_a_table_of_config_is_an_endpoint_with_all_it_says() -> None:
    table = entry(
        "http://h/v1",
        model="m",
        env_key="K",
        headers={"X-Team": "a"},
        context=9_000,
        idle_timeout=5.0,
        price=PriceEntry(input=1.0, output=2.0),
        written_calls=True,
        images=False,
    )
    chosen = configured(Settings(providers={"work": table}), "work", {"K": "sk-1"})
    assert chosen.where == Endpoint(
        "http://h/v1", "sk-1", "m", {"X-Team": "a"}, 5.0, Price(1.0, 2.0), True, False, 9_000
    )
    assert (chosen.context, chosen.name) == (9_000, "work")


def test_a_key_that_is_not_set_is_one_line_that_names_the_variable() -> None:
    with pytest.raises(UsageError, match="provider work: set K, the variable that holds its key"):
        configured(Settings(providers={"work": entry("http://h/v1", env_key="K")}), "work", {})


def test_the_menu_lists_models_providers_and_servers_of_this_machine() -> None:
    with ScriptedServer(models=("a", "b")) as server:
        here = menu(server, other=entry("http://127.0.0.1:1/v1", env_key="OTHER_KEY", model="x"))
        here.offers = [LocalServer("Ollama", "http://127.0.0.1:2/v1", ("q",), "q")]
        assert here.models() == ["a", "b", "here", "other", "q (Ollama)"]
        assert here.providers() == ["here", "other", "q (Ollama)", "rehearsal"]
        assert here.model("b").provider.model == "b"
        assert here.model("unlisted").provider.model == "unlisted"
        other = here.model("other")
        assert other.where is not None
        assert (other.where.key, other.provider.model) == ("sk-other", "x")
        assert here.model("q (Ollama)").provider.model == "q"
        assert here.provider("rehearsal").rehearsing


def test_an_unknown_provider_is_one_line_that_names_the_known_ones() -> None:
    with (
        ScriptedServer() as server,
        pytest.raises(UsageError, match="no provider 'x'; there are here, rehearsal"),
    ):
        menu(server).provider("x")


def test_another_model_of_the_same_endpoint_does_not_keep_the_old_ones_price() -> None:
    with ScriptedServer() as server:
        priced = entry(server.url, model="a", context=9_000, price=PriceEntry(input=1.0, output=2.0))
        chosen = configured(Settings(providers={"here": priced}), "here", {})
        other = chosen.with_model("b", 4_000)
    assert other.where is not None
    assert (other.where.price, other.context) == (None, 4_000)
    assert chosen.with_model("a").where == chosen.where


def test_a_model_list_that_cannot_be_had_leaves_the_providers() -> None:
    settings = Settings(provider="here", providers={"here": entry(f"http://127.0.0.1:{free_port()}/v1")})
    chosen = choose(settings, {})
    assert chosen is not None
    assert Menu(chosen, settings, {}).models() == ["here"]


# -- a fallback ----------------------------------------------------------------------------------------


def falling(first: ScriptedServer | str, second: ScriptedServer, fallback: str = "spare") -> Choice:
    url = first if isinstance(first, str) else first.url
    tables = {"main": entry(url, model="m1"), "spare": entry(second.url, model="m2")}
    settings = Settings(provider="main", providers=tables, fallback=fallback)
    chosen = choose(settings, {})
    assert chosen is not None
    return with_fallback(chosen, settings, {})


def test_a_fallback_answers_with_a_notice_where_nobody_else_does() -> None:
    sink = Recorder()
    with ScriptedServer([say("spare")]) as second:
        url = f"http://127.0.0.1:{free_port()}/v1"
        answer = falling(url, second).provider.answer(request(), sink, Token())
    assert (answer.message.content, answer.model) == ("spare", "m2")
    assert [
        level for level, text in sink.notices if text.endswith("the fallback spare answers this one")
    ] == ["warning"]


def test_the_next_request_goes_to_the_first_again() -> None:
    with ScriptedServer([error(401, "no"), say("first")]) as first, ScriptedServer([say("second")]) as second:
        who = falling(first, second).provider
        said = [who.answer(request(), Recorder(), Token()).message.content for _ in range(2)]
    assert said == ["second", "first"]


def test_no_fallback_is_used_that_nobody_asked_for() -> None:
    with ScriptedServer([error(401, "no")]) as first, ScriptedServer() as second:
        with pytest.raises(ProviderError):
            falling(first, second, fallback="").provider.answer(request(), Recorder(), Token())
        assert second.requests == []


@pytest.mark.parametrize(
    ("reply", "expected"),
    [(say("Hel", Drop()), BrokenAnswer), (error(400, "x", code="context_length_exceeded"), ContextTooLong)],
)
def test_no_fallback_after_something_was_shown_or_for_a_conversation_that_is_too_long(
    reply: object, expected: type[ProviderError]
) -> None:
    with ScriptedServer([reply]) as first, ScriptedServer() as second:  # type: ignore[list-item]  # a Reply
        with pytest.raises(expected):
            falling(first, second).provider.answer(request(), Recorder(), Token())
        assert second.requests == []
