"""A random key of this home, so that digests of texts cannot be compared with guesses by someone without it."""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path

from inkgate.store import files
from inkgate.store.errors import StoreError

__all__ = ["HomeKey"]

_BYTES = 32


class HomeKey:
    """The key file, made on first use, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key = b""

    def digest(self, data: bytes) -> str:
        """Keyed SHA-256 of `data`, as hexadecimal digits.

        Raises:
            StoreError: the key can neither be read nor made.
        """
        return hmac.new(self._read(), data, hashlib.sha256).hexdigest()

    def same(self, data: bytes, digest: object) -> bool:
        """Whether `digest` was made from `data` with this key."""
        return isinstance(digest, str) and hmac.compare_digest(self.digest(data), digest)

    def _read(self) -> bytes:
        if not self._key:
            key = files.read_bytes(self._path)
            if key is None:
                key = self._make()
            if len(key) != _BYTES:
                raise StoreError(f"The key file {self._path} is damaged: it holds {len(key)} bytes, not {_BYTES}.")
            self._key = key
        return self._key

    def _make(self) -> bytes:
        with files.lock(self._path.with_name(self._path.name + ".lock")):
            key = files.read_bytes(self._path)  # another process may have been faster
            if key is None:
                key = os.urandom(_BYTES)
                files.prepare(self._path, key).commit()
        return key
