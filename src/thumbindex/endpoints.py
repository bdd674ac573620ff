"""Where a model is served: a base URL and the model's name there, written BASE_URL#MODEL. Never a key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from thumbindex.errors import UnknownModelError

__all__ = ["Endpoint", "is_about_length", "sendable", "without_key"]

_FORM = re.compile(r"(?P<base_url>https?://[^\s#]+)#(?P<model>\S+)")
_SHOWN_CHARACTERS = 200
# How servers say that a request is too long; there is no status code that all of them use for it.
_LENGTH = re.compile(r"too[ _]long|too[ _]large|too[ _]many|at most|context|token limit|maximum|exceed", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at a server.

    Attributes:
        base_url: Of the server; None for the one that the client knows by itself.
        model: The model's name there.
    """

    base_url: str | None
    model: str

    @classmethod
    def from_text(cls, text: str, kind: str) -> Endpoint:
        """The endpoint written BASE_URL#MODEL; `kind` is what stands before it in the name of a model.

        Raises:
            UnknownModelError: It is of another form, or the URL holds a password or a query, which might be a key.
        """
        match = _FORM.fullmatch(text)
        if match is None:
            raise UnknownModelError(f"a model at a server is written {kind}:BASE_URL#MODEL, with http:// or https://")
        try:
            url = urlsplit(match["base_url"])
            named = bool((url.hostname or "").encode("idna")) and (url.port is None or url.port > 0)
        except ValueError:
            named = False
        if not named:
            raise UnknownModelError(f"the URL in {kind}:BASE_URL#MODEL names no host, or a port that there is not")
        if "@" in url.netloc or url.query:
            raise UnknownModelError(
                f"the URL in {kind}:BASE_URL#MODEL holds a password or a query: a key belongs in the environment"
            )
        return cls(match["base_url"].rstrip("/"), match["model"])

    def __str__(self) -> str:
        return f"{self.base_url}#{self.model}" if self.base_url else self.model


def is_about_length(message: str) -> bool:
    """Whether a server that refused a request says that it was too long."""
    return _LENGTH.search(message) is not None


def sendable(text: str) -> str:
    """The text as a wire takes it: half a surrogate pair, which no text has, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def without_key(message: str, key: str) -> str:
    """What a server said, as one line of bounded length, without the key."""
    line = " ".join(message.split())
    hidden = line.replace(key, "***") if key else line
    return hidden if len(hidden) <= _SHOWN_CHARACTERS else f"{hidden[:_SHOWN_CHARACTERS]}…"
