"""What was said before: sessions and their messages, searched by words and by parts of words.

Recalled text is data. It is masked on the way in, scanned on the way out, and fenced before it reaches a prompt.
"""

from .fence import fence, fence_messages
from .model import Added, DamagedError, Found, Health, Hit, Message, Passage, Session, Shown
from .store import RecallStore

__all__ = [
    "Added",
    "DamagedError",
    "Found",
    "Health",
    "Hit",
    "Message",
    "Passage",
    "RecallStore",
    "Session",
    "Shown",
    "fence",
    "fence_messages",
]
