"""Whether a call may run: allow, ask or deny, by mode, rules and the answers given so far.

"May run side by side" never means "may run unasked": this is another question than scheduling. It
judges the subjects that a footprint names and parses no command line itself.
"""

from hermes_tui.permissions.judge import MODES, ProjectPermissions
from hermes_tui.permissions.store import RuleStore

__all__ = ["MODES", "ProjectPermissions", "RuleStore"]
