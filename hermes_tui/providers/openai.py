"""Talks to an OpenAI-compatible endpoint: the only file that knows the SDK, and the only one with asyncio.

The SDK lives on one private event loop in a daemon thread, because closing a synchronous stream from another
thread does not free a blocked read, while cancelling an asynchronous one does at once. It is imported there
too, on first use: half a second that an interrupt need not wait for. Its own retries are off and its event
parser is not used (sse.py); what is asked again, and when, is decided in asking.py.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, cast

from hermes_tui.engine.errors import HermesError, ProviderError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Answer, Request, Sink
from hermes_tui.providers.asking import Asking, Cancel, End, Inbox
from hermes_tui.providers.endpoint import Endpoint, Habits
from hermes_tui.providers.faults import Fault, Place, from_exception, from_status
from hermes_tui.providers.models import ModelInfo, first_chat_model, read_models, read_vectors
from hermes_tui.providers.proxy import proxy_for

if TYPE_CHECKING:
    from openai import AsyncOpenAI

CONNECT_TIMEOUT: Final = 10.0
"""Seconds for a connection to come about; the silence after it is timed in asking.py."""
NO_KEY: Final = "no-key"
"""Sent to servers that need none: the SDK wants one."""


class OpenAIProvider:
    """Implements `engine.protocols.Provider` over HTTP."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._model = endpoint.model
        self._context: int | None = None
        """As the list of models said it."""
        self._habits = Habits()
        self._transport = _SdkTransport(endpoint)

    @property
    def model(self) -> str:
        """The model's name; empty until the first answer when the endpoint chooses it."""
        return self._model

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        """Ask the model; see `engine.protocols.Provider.answer`."""
        asking = Asking(self._transport, self._endpoint, sink, token)
        if not self._model:
            self._choose_first(asking.models())
        answer = asking.answer(request, self._model, self._habits)
        price = self._endpoint.price
        cost = price.of(answer.usage) if price is not None else None
        return replace(answer, cost=cost, model=self._model, context=self._context)

    def _choose_first(self, models: Sequence[ModelInfo]) -> None:
        """Take the first model that chats."""
        self._model = first_chat_model(models)
        if not self._model:
            raise ProviderError(f"{Place(self._endpoint.url).host} lists no models; name one with --model")
        if self._endpoint.context is None:
            self._context = next(info.context for info in models if info.id == self._model)

    def list_models(self, token: Token | None = None) -> list[ModelInfo]:
        """Return what the endpoint lists, in its order. For any thread; ends with the token."""
        return Asking(self._transport, self._endpoint, _Silent(), token or Token()).models()

    def embed(self, texts: Sequence[str], token: Token) -> list[list[float]]:
        """Return a vector for each text, asking once. Raises `ProviderError`, `Interrupted`."""
        body = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        answer = Asking(self._transport, self._endpoint, _Silent(), token).embeddings(body)
        vectors = read_vectors(answer)
        if len(vectors) != len(texts):
            raise ProviderError(
                f"{Place(self._endpoint.url).host} sent no vectors; is {self._model} a model for them?"
            )
        return vectors

    def prepare(self) -> None:
        """Import the SDK in the background, for a faster first answer; returns at once."""
        self._transport.prepare()

    def close(self) -> None:
        """Let go of connections and threads; returns at once."""
        self._transport.close()


class _Silent:
    """A sink for requests that show nothing."""

    def text(self, piece: str) -> None:
        """Drop it."""

    def thinking(self, piece: str) -> None:
        """Drop it."""

    def notice(self, level: str, text: str) -> None:
        """Drop it."""


class _SdkTransport:
    """Implements `asking.Transport` with the SDK on a private event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: AsyncOpenAI | None = None
        self._proxy: str | None = None

    def stream(self, body: Mapping[str, Any], inbox: Inbox) -> Cancel:
        """Start a chat completion."""
        return self._start(self._guarded(self._stream(body, inbox), inbox, str(body["model"])))

    def list_models(self, inbox: Inbox) -> Cancel:
        """Start GET /models."""
        return self._start(self._guarded(self._list(inbox), inbox))

    def embed(self, body: Mapping[str, Any], inbox: Inbox) -> Cancel:
        """Start POST /embeddings."""
        return self._start(self._guarded(self._embed(body, inbox), inbox, str(body["model"])))

    def prepare(self) -> None:
        """Import the SDK and open the client."""
        self._start(self._guarded(self._open(), SimpleQueue()))

    def close(self) -> None:
        """Cancel what runs and end the thread, without waiting for it."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._shut(loop), loop)

    # -- on the loop --------------------------------------------------------------------------------------

    async def _stream(self, body: Mapping[str, Any], inbox: Inbox) -> None:
        """Put the reply's bytes into the inbox.

        Not through `chat.completions.create`: that walks the whole history to validate it, 0.9 s for 2 000
        messages.
        """
        import httpx2
        from openai import AsyncStream

        client = await self._open()
        stream = await client.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            body=dict(body),
            stream=True,
            stream_cls=AsyncStream[object],
        )
        response = cast(httpx2.Response, stream)  # what `cast_to` gives, whatever the overload says
        try:
            async for data in response.aiter_bytes():
                inbox.put(data)
            inbox.put(End())
        finally:
            await response.aclose()

    async def _list(self, inbox: Inbox) -> None:
        client = await self._open()
        payload = await client.get("/models", cast_to=object)
        inbox.put(End(tuple(read_models(payload))))

    async def _embed(self, body: Mapping[str, Any], inbox: Inbox) -> None:
        client = await self._open()
        inbox.put(End(data=await client.post("/embeddings", cast_to=object, body=dict(body))))

    async def _guarded(self, work: Coroutine[Any, Any, object], inbox: Inbox, model: str = "") -> None:
        """Turn whatever goes wrong into a fault in the inbox."""
        try:
            await work
        except HermesError as error:
            inbox.put(Fault(str(error)))
        except Exception as error:  # whatever SDK, network or proxy raise is one line for the user
            inbox.put(self._fault(error, Place(self._endpoint.url, model, self._endpoint.key)))

    def _fault(self, error: Exception, place: Place) -> Fault:
        import openai

        if isinstance(error, openai.APIStatusError):
            return from_status(error.status_code, error.body, error.response.headers, place)
        return from_exception(error, place, self._proxy)

    async def _open(self) -> AsyncOpenAI:
        if self._client is None:
            self._client = self._new_client()
        return self._client

    def _new_client(self) -> AsyncOpenAI:
        import httpx2
        import openai

        endpoint = self._endpoint
        if not endpoint.url.startswith(("http://", "https://")):
            raise ProviderError(
                f"the base URL {Place(endpoint.url).host!r} must start with http:// or https://"
            )
        self._proxy = proxy_for(endpoint.url)
        http = openai.DefaultAsyncHttpx2Client(
            proxy=self._proxy,
            trust_env=False,  # the environment's proxies are read in proxy.py
            verify=httpx2.create_ssl_context(),
            timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT),
        )
        return openai.AsyncOpenAI(
            api_key=endpoint.key.strip() or NO_KEY,
            base_url=endpoint.url,
            default_headers=dict(endpoint.headers),
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT),
            http_client=http,
        )

    async def _shut(self, loop: asyncio.AbstractEventLoop) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        client, self._client = self._client, None
        if client is not None:
            await client.close()
        loop.call_soon(loop.stop)

    # -- between the threads ------------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, object]) -> Cancel:
        future = asyncio.run_coroutine_threadsafe(work, self._running_loop())

        def cancel() -> None:
            future.cancel()

        return cancel

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run, args=(self._loop,), name="provider", daemon=True).start()
            return self._loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
