"""Every error that the program raises on purpose. Foreign errors are translated where they enter.

HermesError                 one line for the user, saying what to do
├── UsageError              the command line, a missing folder or file          exit 2
│   └── ConfigError         a setting: file, key and line                       exit 2
├── ProviderError           the endpoint: key, host, model                      exit 1
│   ├── BrokenAnswer        the answer broke off; carries the text so far
│   └── ContextTooLong      the conversation does not fit into the model's context
├── CheckpointError         the checkpoint store                                exit 1
├── SessionError            the session store, or a session that is not there   exit 1
├── ToolError               a call that failed: its text goes to the model
│   ├── BadArguments        the arguments do not fit the tool's schema
│   └── StaleFile           the file changed since the model last read it
└── Interrupted             the token was set; carries the output so far
"""

from __future__ import annotations


class HermesError(Exception):
    """Something the user or the model can act on: one to six lines, no traceback."""

    exit_code = 1


class UsageError(HermesError):
    """The program was called in a way it does not understand."""

    exit_code = 2


class ConfigError(UsageError):
    """A setting is unknown or has a bad value; the text names file, key and line."""


class ProviderError(HermesError):
    """The model could not be asked, or its answer broke off."""


class BrokenAnswer(ProviderError):
    """An answer broke off after something of it was shown. `content` is its text so far, to be kept."""

    def __init__(self, text: str, content: str = "") -> None:
        super().__init__(text)
        self.content = content


class ContextTooLong(ProviderError):
    """The conversation does not fit into the model's context; asking the same again is of no use.

    `limit` is the tokens it holds, None when the server did not say.
    """

    def __init__(self, text: str, limit: int | None = None) -> None:
        super().__init__(text)
        self.limit = limit


class CheckpointError(HermesError):
    """The checkpoint store refused; nothing was changed unless the text says so."""


class SessionError(HermesError):
    """A session is not there, or its store cannot be used."""


class ToolError(HermesError):
    """A call failed; the text tells the model how to do it right."""


class BadArguments(ToolError):
    """The arguments do not parse or do not fit the tool's schema."""


class StaleFile(ToolError):
    """The file is not what the model last read; nothing was written."""


class Interrupted(HermesError):
    """The token was set while a call ran. `content` is the output so far, for the model."""

    def __init__(self, content: str = "") -> None:
        super().__init__(content or "interrupted")
        self.content = content
