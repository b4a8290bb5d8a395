"""Values that vendors and standards print in their documentation and sample code: no secrets, whoever repeats them."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["is_published"]

# The first twelve hex digits of each key's SHA-256, so that none of them stands here.
_PUBLISHED = frozenset(
    """
    0011cc25eb43 00b3dc640c9c 00cf4c781dc3 051d093c4bde 0b476bdf9acf 0d299b1eb548 0e04efa6bc7d
    1a5d44a2dca1 2037abcaffb2 2050aae28f97 2598f7d6adc1 27a9a42931df 293257ab6495 2cafc0970149 2ee190ab064b
    2ff8b0fb93ac 37f8f09bdf12 3a8b61d0f636 3e6099e82cea 3e6a54ba6700 3f370c9dd822 49f777db995e 4c20e6f5cc11
    4c98242dcadc 53f5da0aaa93 549c9390539e 570f50924fba 5895b89c8fb3 5aac38e542b7 647f7143af14 649e1f5c769e
    6aa14267d949 6c96130f130a 6d7fa4e64d4b 78314b11be2e 797c0ce41458 7e8de44ea9ec 80f8b7c904d4 82e74299544e
    8731261cb72d 8be5d113c087 8de69d99424c 8e0628300c16 8f5c83b57d08 9387af38d103 9b1359dd6134 9cb335cb7b5f
    9e309cccd311 a19f89ab3555 a35b81a7d792 a6c814bc555a aa6547439583 ad71fb416553 b1471f544cee b87dad10a32a
    b8e148545b13 bb9b1163338b bc3ae723f57c c20fbc2b9618 c6ea27c534f9 cb20d34a7add cb87c87e4a13 d3873980f248
    d5c211837d1f dc0fcf046c61 e21b597ba6b9 e4a5542bb7fd e856c6e712db e9974c507d2a ea9bb1082cf9 eaa5581c2e8d
    eb540d2b6ee2 f2d6ca165150
    """.split()  # noqa: SIM905 - a list of quoted digests is harder to read
)


def is_published(value: str) -> bool:
    """Whether a value is printed for all to see.

    Example keys of AWS, Stripe, Firebase (its SDK), Flask, PayPal, Mollie, Razorpay, Twitter and GitHub; the keys of
    the emulators of Azure Storage and Cosmos DB; a signature of jwt.io's; the values in the examples of OAuth 1.0 (and
    RFC 5849), OAuth 2.0 (RFC 6749, 6750, 7636), OpenID Connect, RFC 6238 and the key URI format of one-time passwords.
    """
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:12] in _PUBLISHED
