"""What the learned judge is fitted on: rows of the corpora and of our own, their passages, and the list of words."""

from __future__ import annotations

import json
import random
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from inkgate.judge.learned import TOKEN
from inkgate.judge.passages import cut
from inkgate.model import Target
from inkgate.text.fold import fold

ROOT = Path(__file__).resolve().parents[1]
LEXICON = Path(__file__).with_name("judge_meanings.toml")

TAUGHT = frozenset(
    {
        "direct",
        "direct_multilingual",
        "direct_adv",
        "direct_evasion",
        "indirect",
        "indirect_wrapped",
        "indirect_enhanced",
        "indirect_adaptive",
        "memory",
        "exfil",
        "exfil_evasion",
        "injection",
        "hijack",
        "deception",
        "promptware",
        "memory-poison",
        "persistence",
        "exfiltration",
        "imitation",
        "privilege",
        "credential-access",
        "configuration",
        "anti-forensics",
        "destructive",
    }
)
"""Kinds of attacks that are learnt. Bare tasks, code and persona stories are not: their wording is ordinary."""

NAMED = re.compile(r"\.example\b")
"""Domains that are reserved for examples: ours use them everywhere, attackers do not."""

LONG_KINDS = frozenset({"benign_doc", "benign_vault", "benign_rules", "benign_skill", "hardneg_doc"})
UNRELIABLE = frozenset({"benign_atr"})
"""Labels that hold for one rule only."""

PER_DOCUMENT = 12
"""Passages of one long document."""


@dataclass
class Row:
    """A labelled text."""

    corpus: str
    kind: str
    malicious: bool
    target: Target
    lower: str
    text: str

    @property
    def taught(self) -> bool:
        """Whether the text may be learnt from at all."""
        return self.corpus != "own-kept" and (not self.malicious or self.kind in TAUGHT)


@dataclass
class Passage:
    """A piece of a text."""

    row: int
    text: str
    malicious: bool
    taught: bool


def target_of(row: dict[str, Any]) -> Target:
    """What a sample would be written to, by its kind when it does not say."""
    if "target" in row:
        return Target(row["target"])
    words = (("skill", "skill"), ("rules", "context"), ("memory", "memory"), ("vault", "vault"), ("doc", "vault"))
    return Target(next((target for word, target in words if word in row.get("kind", "")), "memory"))


def text_of(row: dict[str, Any]) -> str:
    """The text of a sample."""
    if "parts" in row:
        return "".join(row["parts"])
    if "gen" in row:
        return str(row["gen"]["prefix"] + row["gen"]["unit"] * row["gen"]["times"] + row["gen"]["suffix"])
    return str(row["text"])


def kept(ident: str) -> bool:
    """Whether a sample of our own is kept for measuring."""
    return bool(sha256(ident.encode()).digest()[0] & 1)


def load(folder: Path) -> list[Row]:
    """All rows of the corpora, and our own."""
    rows: list[Row] = []
    chance = random.Random(7)
    for path in (*sorted(folder.glob("*.jsonl")), *sorted((ROOT / "corpus").rglob("*.jsonl"))):
        own = path.is_relative_to(ROOT)
        for line in path.open(encoding="utf-8"):
            data = json.loads(line)
            if data["kind"] in UNRELIABLE:
                continue
            unseen = own and "taught" not in path.parts and (kept(data["id"]) or "reworded" in path.parts)
            corpus = ("own-kept" if unseen else "own-taught") if own else path.stem
            text = text_of(data)
            malicious = data["label"] == "malicious"
            seen = NAMED.sub(lambda _: chance.choice((".com", ".net", ".org", ".io")), text) if own else text
            rows.append(Row(corpus, data["kind"], malicious, target_of(data), fold(seen).lower, text))
    return rows


def lexicon() -> dict[str, Any]:
    """The word list by meaning, folded, in the form that the judge reads."""
    made: dict[str, Any] = {"labels": [], "whole": {}, "begin": {}, "inside": {}, "pairs": {}}
    for number, (label, words) in enumerate(tomllib.loads(LEXICON.read_text(encoding="utf-8")).items()):
        made["labels"].append(label)
        for quoted, bare in re.findall(r'"([^"]+)"|((?:\\ |\S)+)', words):
            item = (quoted or bare).replace("\\ ", " ")
            parts = TOKEN.findall(fold(item.rstrip("*")).lower)
            if not 1 <= len(parts) <= 2:
                sys.exit(f"{LEXICON.name}: {item!r} is neither a word nor a pair of words")
            word = " ".join(parts)
            if len(parts) == 2:
                table = "pairs"
            elif word[0] >= "\u0590" and (len(word) > 2 or word[0] >= "\u0e00"):
                table = "inside"
            else:
                table = "begin" if item.endswith("*") else "whole"
            numbers = made[table].setdefault(word, [])
            if number not in numbers:
                numbers.append(number)
    return made


def passages(rows: Sequence[Row]) -> list[Passage]:
    """What is learnt from: every text cut into passages, of long documents some."""
    chance = random.Random(5)
    made: list[Passage] = []
    for index, row in enumerate(rows):
        pieces = [row.lower[start:end] for start, end in cut(row.lower)]
        taught = row.taught and not (row.malicious and len(pieces) > 3)
        if row.kind in LONG_KINDS and not row.corpus.startswith("own"):
            pieces = chance.sample(pieces, min(len(pieces), PER_DOCUMENT // (3 if "i18n" in row.corpus else 1)))
        if taught:
            made += [Passage(index, piece, row.malicious, taught) for piece in pieces]
    return made


def bare(text: str) -> str:
    """A text without numbers and marks, to find copies by."""
    return re.sub(r"[\W_\d]+", " ", text).strip()
