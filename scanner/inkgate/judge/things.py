"""What looks like a key and only names a thing: the end of an ARN or a path, a revision, the id of a request."""

from __future__ import annotations

from inkgate.judge.values import is_noise, is_reference, is_sequence, is_uuid
from inkgate.text.lazy import lazy

__all__ = ["names_thing"]

_LIKE_UUID = lazy(r"(?:[a-z][\w-]{0,20}[_-])?[0-9a-z]{7,8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{11,13}")
"""A UUID, also one that was changed by hand (`12cs345-67cd-...`), maybe behind a word."""

# What a caller sends along so that a request which comes twice is carried out once; by what it is asked for later.
_ONCE = lazy(r"(?i)(?:request|change|lifecycle-?action)[_-]?$|client-$|(?<![a-z])(?-i:Client)$")
_INSIDE = lazy(r"\barn:[\w:/.-]{6,120}$|://[^\s\"'<>?]{0,160}$")
_BUCKET = lazy(r"(?i)[\"']bucket[\w-]{0,12}[\"']\s?:[^{}]{0,120}$")
_REVISION = lazy(r"(?:^|/)(?:commits?|tree|blob|raw|compare)/[0-9a-f]{7,64}(?![0-9a-f])")
_COUNTED = lazy(r"[\"'.:=_-](?:1234567890|0123456789|abcdef0123|1234abcd)\w{0,40}[\"'\n,;]")
"""A value that counts, as in examples: what counts as well beside it is another one."""

# The number of a bot and 35 characters (core.telegram.org/bots/api): what begins like it and goes on longer is none.
_TELEGRAM = lazy(r"(?i)telegram|(?<![a-z])tg(?![a-z])")
_NUMBERED = lazy(r"\d{3,20}:A[\w-]{20}")
_BOT = lazy(r"\d{5,16}:A[\w-]{34}")


def names_thing(value: str, kind: str, before: str, between: str, text: str) -> bool:
    """Whether a value names something, or has the form of one service's tokens but for its length.

    Args:
        value: what stands where a secret could.
        kind: see `inkgate.judge.named.named`; one that stands behind a mere `key/` must be more than a piece of a path.
        before: the name before the keyword.
        between: what stands between the name and the value.
        text: what stands before the name, with it.
    """
    if value.isalnum() and len(value) > 15 and is_sequence(value, 10) and _COUNTED.search(text[-200:]):
        return True
    if _TELEGRAM.search(before) and _NUMBERED.match(value):
        return not _BOT.fullmatch(value)
    if _LIKE_UUID.fullmatch(value) and (_ONCE.search(before) or _BUCKET.search(text)):
        return True
    if kind != "told-key":
        return False
    if between[-1:] == "/":
        if len(between) > 1 and is_reference("/" + value):
            return True
        if (_LIKE_UUID.fullmatch(value) or _REVISION.search(value)) and _INSIDE.search(text):
            return True
    return _has_uuid(value)


def _has_uuid(value: str) -> bool:
    """Whether a value is a path with a UUID in it."""
    parts = value.split("/")
    named = [part for part in parts if not is_uuid(part)]
    return 0 < len(named) < len(parts) and not any(map(is_noise, named))
