"""Turns a page into text for the model: HTML to Markdown, PDF to its text, the rest as it stands."""

from __future__ import annotations

import io
from typing import Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.text import harmless
from hermes_tui.tools.web.fetch import Page

HTML: Final = ("text/html", "application/xhtml+xml")
PLAIN: Final = ("application/json", "application/xml", "application/javascript", "application/x-yaml")
MOST_PAGES: Final = 200
"""Pages of a PDF that are read."""


def text_of(page: Page, token: Token) -> str:
    """Return what a person would read; `ToolError` for what is no text."""
    if page.media == "application/pdf" or page.data.startswith(b"%PDF-"):
        return _pdf(page, token)
    if page.media in HTML or (not page.media and page.data.lstrip()[:1] == b"<"):
        return _html(page)
    if page.media.startswith("text/") or page.media in PLAIN or page.media.endswith(("+json", "+xml")):
        return harmless(_decoded(page))
    raise ToolError(f"{page.url} is {page.media or 'of no said type'}, not text")


def _html(page: Page) -> str:
    """Return the main part as Markdown; a page that has none gives all its text."""
    import trafilatura

    document = _decoded(page)
    try:
        found = trafilatura.extract(
            document, url=page.url, output_format="markdown", include_links=True, include_tables=True
        )
        title = trafilatura.extract_metadata(document).title if document.strip() else None
        text = found or trafilatura.html2txt(document)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ToolError(f"{page.url} could not be made text of: {error}") from None
    head = f"# {title}\n\n" if title and not text.startswith("#") else ""
    return harmless(f"{head}{text}")


def _pdf(page: Page, token: Token) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    if page.cut:
        raise ToolError(f"{page.url} is a PDF too large to be read")
    parts: list[str] = []
    try:
        reader = PdfReader(io.BytesIO(page.data))
        for number, sheet in enumerate(reader.pages[:MOST_PAGES], 1):
            token.raise_if_set()
            parts.append(f"[page {number}]\n{sheet.extract_text().strip()}")
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ToolError(f"{page.url} is a PDF that cannot be read: {error}") from None
    return harmless("\n\n".join(parts))


def _decoded(page: Page) -> str:
    for charset in (page.charset, "utf-8"):
        try:
            if charset:
                return page.data.decode(charset)
        except (LookupError, UnicodeDecodeError):
            continue
    return page.data.decode("utf-8", "replace")
