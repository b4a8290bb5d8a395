"""Fit the learned judge: the weights that `inkgate.judge.learned` ships, and the figures in docs/detection.md.

    python tools/train_judge.py DATA [--evaluate] [--write]

DATA is a folder of JSON lines files, one for each corpus, with `text`, `label` (malicious or benign) and `kind`; what
`ordinary_texts.py` collects from packages goes there too. Half of the samples in corpus/, by a hash of their ids, and
those in its folders `taught` are trained on; the others measure. Beside them it learns from sentences that the grammar
in judge_grammar.toml writes. Only weights leave the texts.

`--evaluate` leaves one corpus out at a time, judges it with what the others teach, and prints what is caught and
wrongly shown; `--write` replaces the shipped files. Thresholds come from the left-out scores. Needs the group `train`:
`pip install inkgate[train]`.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import ahocorasick
import numpy as np
from judge_grammar import sentences
from judge_rows import ROOT, Passage, Row, bare, lexicon, load, passages
from scipy.sparse import csr_matrix, diags, vstack
from sklearn.linear_model import LogisticRegression

from inkgate.judge.context import SHORT
from inkgate.judge.learned import NGRAMS, PLACES, Meanings, meaning_places, meant_in, ngram_places
from inkgate.judge.passages import BRIEF, CLOSE, LEARNED, Passages, close_cues
from inkgate.match.rules import load_rules
from inkgate.model import Target
from inkgate.text.fold import fold

PLACE = ROOT / "scanner" / "inkgate" / "judge"

STRENGTH = 12.0
MEANING_VALUE = 0.3
"""What one meaning is worth beside n-grams, whose values are one over the root of their number."""

CAPS = {"malicious": 600.0, "benign": 1500.0}
"""The most that one corpus can weigh."""

OWN_WEIGHT = 2.2
"""What each of our own samples weighs; they are as different as what people write, so they have no cap."""

WRITTEN = 40
"""Sentences of each template of the grammar, at most."""

WRITTEN_WEIGHT = {True: 12000.0, False: 15600.0}
"""What the grammar's attacks and its ordinary sentences weigh in all."""

ALLOWED = {"memory": 0.01, "user": 0.01, "brief": 0.015, "vault": 0.004, "context": 0.01, "skill": 0.01}
"""Share of ordinary texts that may be shown for review, by target (`brief`: whatever else is read closely for being
short), of corpora that were left out. Most are paragraphs of manuals, in languages of which the model has then seen
hardly any, so the model that ships shows fewer."""

SURE = {"memory": 1.6, "user": 1.6, "brief": 2.4, "vault": 2.9, "context": 1.0, "skill": 1.7}
"""The least threshold by target, and of what else is read closely for being short: at 1.6 about half of one per cent of
ordinary paragraphs and fortunes are shown. Notes are full of what the documentation of software asks its readers."""

HARD = frozenset({"hardneg_doc", "near-misses", "security-notes"})
"""Ordinary texts that were chosen for being hard: how many of them are shown says nothing about ordinary ones."""

TAUGHT = "own-taught"
"""Texts written for teaching; the ordinary ones keep close to attacks on purpose, so they say as little."""

LENGTHS = {True: (200, 600), False: (BRIEF, 1500, 6000)}
"""Borders in characters between the lengths that have a threshold of their own, for short targets and for long ones."""

FOLDS = (
    ("yanismiraoui",),
    ("memgar_examples",),
    ("neuralchemy", "pi_and_benign"),
    ("slabs",),
    ("atr", "atr_adv"),
    ("injecagent", "asb", "bipia"),
    ("garak", "promptmap", "small_direct", "bastioncorpus", "agent_injection_bench", "wildguard_benign"),
    ("rules_cursor", "rules_copilot", "hermes_docs"),
    ("skills_official", "skills_copilot", "skillfortify", "skillspector", "cisco_evals", "vault_obsidian_en",
     "vault_obsidian_i18n", "vault_til_jbranchaud"),
    ("hardneg_owasp", "hardneg_owasp_i18n", "hardneg_toolsdocs"),
    ("manuals",),
    ("guides",),
    ("readmes",),
    ("own-taught",),
)  # fmt: skip
"""Corpora that are left out together: those of one fold copy each other, or hold too little by themselves."""


def matrix(texts: Sequence[str], meanings: Meanings) -> csr_matrix:
    """One row for each text: its n-grams and meanings."""
    ends, places, values = [0], [], []
    for text in texts:
        found = Counter(ngram_places(text))
        size = 1 / math.sqrt(found.total()) if found else 0.0
        for place, times in found.items():
            places.append(place)
            values.append(times * size)
        for place in meaning_places(meant_in(meanings, text)):
            places.append(NGRAMS + place)
            values.append(MEANING_VALUE)
        ends.append(len(places))
    return csr_matrix(
        (np.array(values, dtype=np.float32), np.array(places, dtype=np.int32), ends), (len(texts), PLACES)
    )


def sample_weights(items: Sequence[Passage], rows: Sequence[Row]) -> np.ndarray:
    """How much each passage counts: little where many begin alike, and no corpus more than its cap."""
    keys = [(rows[item.row].corpus, item.malicious, " ".join(bare(item.text).split()[:5])) for item in items]
    counts = Counter(keys)
    weights = np.array([counts[key] ** -0.7 for key in keys])
    for corpus in {key[0] for key in keys}:
        for malicious, cap in ((True, CAPS["malicious"]), (False, CAPS["benign"])):
            mine = np.array([key[0] == corpus and key[1] is malicious for key in keys])
            if mine.any():
                own = corpus == "own-taught"
                weights[mine] *= OWN_WEIGHT if own else min(1.0, cap / weights[mine].sum())
    return weights


def telling(features: csr_matrix, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What each feature is multiplied by before fitting: the more, the more its counts differ between the labels.

    The method of Wang and Manning (2012), mixed half and half with equal factors. On average over all features that are
    seen nothing becomes larger, so that `STRENGTH` keeps its meaning.
    """
    seen = features.copy()
    seen.data = np.ones_like(seen.data)
    attacks, ordinary = (1.0 + seen.T @ (weights * each) for each in (labels, ~labels))
    factors = 0.5 + 0.5 * np.abs(np.log(attacks / attacks.sum()) - np.log(ordinary / ordinary.sum()))
    squares = np.asarray(features.multiply(features).sum(axis=0)).ravel()
    return np.asarray(factors / np.sqrt((squares * factors**2).sum() / squares.sum()), dtype=np.float32)


def fit(features: csr_matrix, labels: np.ndarray, weights: np.ndarray) -> LogisticRegression:
    """The model of some passages."""
    factors = telling(features, labels, weights)
    model = LogisticRegression(C=STRENGTH, max_iter=200, tol=1e-2, solver="liblinear", random_state=1)
    model.fit(features @ diags(factors), labels, sample_weight=weights)
    model.coef_ = model.coef_ * factors
    return model


@dataclass
class Lesson:
    """What a model is fitted on."""

    features: csr_matrix
    labels: np.ndarray
    weights: np.ndarray


def written(meanings: Meanings) -> Lesson:
    """What the grammar writes."""
    made = list(sentences(WRITTEN))
    labels = np.array([malicious for _, malicious, _ in made])
    share = {label: weight / (labels == label).sum() for label, weight in WRITTEN_WEIGHT.items()}
    weights = np.array([share[bool(label)] for label in labels])
    return Lesson(matrix([fold(text).lower for *_, text in made], meanings), labels, weights)


def learn(real: Lesson, grammar: Lesson, use: np.ndarray | None = None) -> LogisticRegression:
    """The model of real passages, or of some of them, and of the grammar's sentences."""
    chosen = slice(None) if use is None else use
    return fit(
        vstack([real.features[chosen], grammar.features]).tocsr(),
        np.concatenate([real.labels[chosen], grammar.labels]),
        np.concatenate([real.weights[chosen], grammar.weights]),
    )


def read_passages(row: Row, cues: ahocorasick.Automaton) -> list[str]:
    """The passages of a text that the judge would read."""
    short = row.target in SHORT or len(row.lower) <= BRIEF
    reader = Passages(pairs=not short)
    hits = [(last + 1 - length, last + 1) for last, length in cues.iter(row.lower)]
    if short:
        hits += close_cues(row.lower, 0, 0, min(len(row.lower), CLOSE))
    hits.sort(key=lambda hit: (hit[1], hit[0]))
    found = (reader.around(row.lower, 0, *hit) for hit in hits)
    return [row.lower[place[0] : place[2]] for place in found if place is not None]


def cue_words() -> ahocorasick.Automaton:
    """The words at which the judge looks in any text, with their lengths."""
    found = ahocorasick.Automaton()
    for word in load_rules().by_id[LEARNED].keywords:
        found.add_word(word, len(word))
    found.make_automaton()
    return found


def lesson(rows: Sequence[Row], items: Sequence[Passage], meanings: Meanings) -> Lesson:
    """What the passages teach."""
    labels = np.array([item.malicious for item in items])
    return Lesson(matrix([item.text for item in items], meanings), labels, sample_weights(items, rows))


def left_out(rows: Sequence[Row], meanings: Meanings) -> np.ndarray:
    """The highest score of each text, by a model that has not seen its corpus; minus infinity when none is read."""
    items = passages(rows)
    real, grammar = lesson(rows, items, meanings), written(meanings)
    corpora = np.array([rows[item.row].corpus for item in items])
    copies: dict[str, set[str]] = defaultdict(set)
    for item in items:
        copies[rows[item.row].corpus].add(bare(item.text))
    texts = np.array([bare(item.text) for item in items])
    cues = cue_words()
    scores = np.full(len(rows), -np.inf)
    for fold_ in (*FOLDS, ("own-kept",)):
        known = set().union(*(copies[name] for name in fold_))
        use = ~np.isin(corpora, fold_) & np.array([text not in known for text in texts])
        model = learn(real, grammar, use)
        read = [
            (index, text) for index, row in enumerate(rows) if row.corpus in fold_ for text in read_passages(row, cues)
        ]
        if read:
            found = model.decision_function(matrix([text for _, text in read], meanings))
            np.maximum.at(scores, [index for index, _ in read], found)
        print(f"left out: {', '.join(fold_)}", file=sys.stderr, flush=True)
    return scores


def thresholds(rows: Sequence[Row], scores: np.ndarray) -> dict[str, list[tuple[int, float]]]:
    """For each target and length, the score that `ALLOWED` of the ordinary texts reach; copies count once."""
    made: dict[str, list[tuple[int, float]]] = {}
    for target in Target:
        short = target in SHORT
        group = SHORT if short else {target}
        borders = (0, *LENGTHS[short], sys.maxsize)
        seen: set[str] = set()
        ordinary: list[tuple[int, float]] = []
        for row, score in zip(rows, scores, strict=True):
            key = " ".join(bare(row.lower).split()[:6])
            if (
                row.target in group
                and not row.malicious
                and row.corpus != TAUGHT
                and row.kind not in HARD
                and key not in seen
            ):
                seen.add(key)
                ordinary.append((len(row.text), float(score)))
        made[str(target)] = []
        least: dict[str, float] = {}
        for low, high in pairwise(borders):
            mine = sorted((score for size, score in ordinary if low < size <= high), reverse=True)
            read = "brief" if not short and high <= BRIEF else str(target)
            value = mine[max(1, int(ALLOWED[read] * len(mine)))] if len(mine) > 1 else 0.0
            # A longer text never gets away with less, when it is read in the same way.
            least[read] = max(value + 0.01, SURE[str(target)], least.get(read, SURE[read]))
            made[str(target)].append((high, round(least[read], 2)))
    return made


def report(rows: Sequence[Row], scores: np.ndarray, limits: dict[str, list[tuple[int, float]]]) -> Iterator[str]:
    """A line for each corpus and kind: caught by rules, by the model, by both."""
    from inkgate import scan_text

    groups: dict[tuple[bool, str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row, score in zip(rows, scores, strict=True):
        found = scan_text(row.text, target=row.target).findings
        ruled = any(item.verdict != "allow" for item in found if item.rule != LEARNED)
        least = next(value for size, value in limits[str(row.target)] if len(row.text) <= size)
        group = groups[(row.malicious, row.corpus, row.kind)]
        for place, hit in enumerate((True, ruled, score >= least, ruled or score >= least)):
            group[place] += hit
    yield "| corpus | kind | texts | rules % | model % | both % |"
    yield "|---|---|--:|--:|--:|--:|"
    for (malicious, corpus, kind), (count, *hits) in sorted(groups.items(), reverse=True):
        shares = " | ".join(f"{100 * hit / count:.1f}" for hit in hits)
        yield f"| {corpus} | {'' if malicious else 'ordinary: '}{kind} | {count} | {shares} |"


def quantised(model: LogisticRegression) -> tuple[bytes, list[float]]:
    """The weights as signed bytes, and what one step is worth for n-grams and for meanings."""
    table = np.zeros(PLACES, dtype=np.int8)
    scale: list[float] = []
    for part, value in ((slice(0, NGRAMS), 1.0), (slice(NGRAMS, PLACES), MEANING_VALUE)):
        weights = model.coef_[0][part]
        step = float(np.quantile(np.abs(weights[weights != 0]), 0.9999)) / 127
        table[part] = np.clip(np.round(weights / step), -127, 127)
        scale.append(step * value)
    return table.tobytes(), scale


def write(rows: Sequence[Row], lists: dict[str, Any], limits: dict[str, list[tuple[int, float]]]) -> None:
    """Fit on everything that is taught, and replace the shipped files."""
    items = passages(rows)
    meanings = Meanings(lists)
    model = learn(lesson(rows, items, meanings), written(meanings))
    weights, scale = quantised(model)
    data = {
        "sha256": sha256(weights).hexdigest(),
        "bias": float(model.intercept_[0]),
        "scale": scale,
        "thresholds": limits,
        "meanings": lists,
    }
    (PLACE / "learned.bin").write_bytes(weights)
    (PLACE / "learned.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="ascii")


def main() -> int:
    """Train, and say how well."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of corpora")
    parser.add_argument("--evaluate", action="store_true", help="print the table of left-out corpora, beside the rules")
    parser.add_argument("--write", action="store_true", help="replace the shipped weights")
    args = parser.parse_args()
    rows = load(args.data)
    lists = lexicon()
    scores = left_out(rows, Meanings(lists))
    limits = thresholds(rows, scores)
    print(json.dumps(limits), file=sys.stderr)
    if args.write:
        write(rows, lists, limits)
    if args.evaluate:
        print("\n".join(report(rows, scores, limits)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
