"""Keys that their vendors print in public documentation and sample code: no secrets, whoever writes them down."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["is_published"]

# The first twelve hex digits of each key's SHA-256, so that none of them stands here.
_PUBLISHED = frozenset(
    """
    0b476bdf9acf 1a5d44a2dca1 2037abcaffb2 2598f7d6adc1 27a9a42931df 2cafc0970149 37f8f09bdf12 3a8b61d0f636
    3f370c9dd822 49f777db995e 4c98242dcadc 5895b89c8fb3 647f7143af14 78314b11be2e 8731261cb72d 9cb335cb7b5f
    a19f89ab3555 a6c814bc555a b1471f544cee c6ea27c534f9 cb20d34a7add dc0fcf046c61 e21b597ba6b9 e4a5542bb7fd
    d5c211837d1f ea9bb1082cf9 eb540d2b6ee2 f2d6ca165150
    051d093c4bde 2050aae28f97 2ee190ab064b 570f50924fba eaa5581c2e8d
    """.split()  # noqa: SIM905 - a list of quoted digests is harder to read
)


def is_published(value: str) -> bool:
    """Whether a value is an example key of AWS, Stripe, Firebase (its SDK) or Flask, or a signature of jwt.io's."""
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:12] in _PUBLISHED
