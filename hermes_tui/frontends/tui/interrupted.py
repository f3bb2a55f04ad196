"""After an interrupt: looks what the turn has left, and shows the receipt and the way back."""

from __future__ import annotations

from hermes_tui.frontends.host import Hermes
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.receipt import effects, receipt
from hermes_tui.frontends.tui.present import Left
from hermes_tui.frontends.tui.screens.main import MainScreen


async def show(left: Left, hermes: Hermes, main: MainScreen) -> None:
    """Show the receipt; offer to roll back, unless the next turn runs already."""
    found = await off_thread(lambda: effects(left.batches, hermes.checkpoints))
    running = [f"{one.id} {one.command}" for one in hermes.background.list() if one.running]
    main.transcript.receipt(receipt(left.seconds, left.batches, found.files, running))
    if not hermes.agent.busy:
        main.way_back.offer(found)
