"""The interfaces between the tiers: explicit steps, each a gated write that says where its text comes from."""

from .consolidate import consolidate, remember
from .desk import Desk
from .drift import drifted
from .model import Done, Kind, Proposal, Source, Step, TierError
from .open import Tiers
from .pointer import grown, point
from .procedure import succeeded
from .promote import candidates, promote

__all__ = [
    "Desk",
    "Done",
    "Kind",
    "Proposal",
    "Source",
    "Step",
    "TierError",
    "Tiers",
    "candidates",
    "consolidate",
    "drifted",
    "grown",
    "point",
    "promote",
    "remember",
    "succeeded",
]
