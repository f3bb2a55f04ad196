"""/skill: work by a skill's instructions."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.text import harmless
from hermes_tui.tools.skills import find, text_of
from hermes_tui.tools.skills.store import FILE


async def skill(hermes: Hermes, ui: UI, argument: str) -> None:
    """Work by a skill: /skill NAME what to do. Without a name: list the skills.

    Skills are folders with a SKILL.md in the skills/ folder beside config.toml, and in .hermes-tui/skills/
    of a trusted project.
    """
    name, _, request = argument.partition(" ")
    skills = hermes.extras.skills.all()
    if not name:
        lines = [f"{s.name}  {s.description or 'damaged: ' + s.damage}" for s in skills]
        place = hermes.extras.folders("skills")[0]
        ui.say(harmless("\n".join(lines)) or f"no skills; put folders with a {FILE} into {place}")
        return
    chosen = find(skills, name)
    text = text_of(chosen, FILE)
    hermes.agent.submit(
        f"{request.strip() or 'Go on.'}\n\nWork by the skill {chosen.name} ({chosen.folder}):\n\n{text}"
    )


def complete_skill(hermes: Hermes) -> Sequence[str]:
    """Return the names of the skills that can be used."""
    return [skill.name for skill in hermes.extras.skills.all() if not skill.damage]
