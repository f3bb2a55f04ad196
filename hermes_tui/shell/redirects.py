"""Which redirects leave the disk alone: reading, /dev/null, moving descriptors, plain here-documents."""

from __future__ import annotations

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.nodes import Redirect
from hermes_tui.shell.paths import Place
from hermes_tui.shell.rules.base import is_number, literal, value_of
from hermes_tui.shell.trouble import Refused, Span, Trouble


def check_redirect(redirect: Redirect, line: str, place: Place) -> None:
    """Note what a redirect reads or writes; raises `Refused` when it may do more than read."""
    operator, target, span = redirect.operator, redirect.target, redirect.span
    if operator.fd.startswith("{"):
        raise Refused(Trouble("redirect.variable", f"`{operator.fd}` sets a variable", span))
    if operator.text in ("<<", "<<-"):
        _check_here_document(redirect, line)
    elif operator.text == "<<<":
        value_of(target)
    elif operator.text == "<":
        path = literal(target)
        if "/dev/tcp" in path or "/dev/udp" in path:
            raise Refused(Trouble("redirect.network", f"`{path}` opens a connection", span, Hazard.NETWORK))
        place.read(target)
    elif operator.text in ("<&", ">&") and (is_number(target.text.rstrip("-")) or target.text == "-"):
        return
    elif target.value != "/dev/null" or operator.text == "<>":
        place.write(target)
        why = f"`{operator.source}{target.source}` writes a file"
        raise Refused(Trouble("redirect.write", why, span, Hazard.OVERWRITES))


def here_document_to_expand(redirect: Redirect, line: str) -> Span | None:
    """Return the lines of a here-document in which bash expands something; None if it does not."""
    body = redirect.operator.body
    if body is None or redirect.target.source != redirect.target.value:
        return None
    return body if any(char in line[body[0] : body[1]] for char in "$`\\") else None


def _check_here_document(redirect: Redirect, line: str) -> None:
    if redirect.operator.body is None:
        raise Refused(Trouble("syntax", "a here-document does not end", redirect.span))
    if here_document_to_expand(redirect, line) is not None:
        raise Refused(
            Trouble("redirect.here-document", "the here-document is expanded when it runs", redirect.span)
        )
