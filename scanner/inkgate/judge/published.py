"""Keys that their vendors print in public documentation and sample code: no secrets, whoever writes them down."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["is_published"]

# The first twelve hex digits of each key's SHA-256, so that none of them stands here.
_PUBLISHED = frozenset(
    """
    1a5d44a2dca1 2cafc0970149 5895b89c8fb3 647f7143af14 78314b11be2e b1471f544cee c6ea27c534f9
    cb20d34a7add e21b597ba6b9 f2d6ca165150
    """.split()  # noqa: SIM905 - a list of quoted digests is harder to read
)


def is_published(value: str) -> bool:
    """Whether a value is one of the example keys of AWS and Stripe."""
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:12] in _PUBLISHED
