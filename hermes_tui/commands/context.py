"""/compact and /cost: how much the conversation holds and what it took."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.engine.context import Spent

NOT_KNOWN = "cost not known"


async def compact(hermes: Hermes, ui: UI, argument: str) -> None:
    """Let the model sum the conversation up, to make room.

    /compact FOCUS says what the summary shall keep above all. The screen and the stored session keep
    everything; the model goes on with the summary and the last turns. Ctrl-C stops it.
    """
    hermes.agent.compact(argument)


async def cost(hermes: Hermes, ui: UI, argument: str) -> None:
    """Say what the last turn and the session have used and cost.

    Tokens are those that the server counted. Prices come from `price` in your config.toml's
    [providers.NAME], per million tokens; without one, cost is not known.
    """
    meter = hermes.agent.meter
    if not meter.session.requests:
        ui.say("nothing was asked in this session yet")
        return
    lines = [f"session: {told(meter.session)}", f"last turn: {told(meter.turn)}"]
    if len(meter.models) > 1:
        lines += [f"{name or hermes.provider_label}: {told(spent)}" for name, spent in meter.models.items()]
    if meter.cost is None:
        lines.append("a price is set as price = { input = …, output = … } in [providers.NAME] of config.toml")
    ui.say("\n".join(lines))


def told(spent: Spent) -> str:
    """Return what was used and paid, in words."""
    requests = f"{spent.requests} request{'s' * (spent.requests != 1)}"
    if spent.usage is None:
        return f"{requests}, tokens not counted by the server, {NOT_KNOWN}"
    usage = spent.usage
    cached = f" ({usage.cached:,} from its cache)" if usage.cached else ""
    uncounted = f", {spent.uncounted} of them not counted by the server" if spent.uncounted else ""
    money = NOT_KNOWN if spent.cost is None else f"${spent.cost:.4f}"
    return f"{requests}{uncounted}, {usage.input:,} tokens in{cached}, {usage.output:,} out, {money}"
