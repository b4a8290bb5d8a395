"""Many texts at once, in an engine for large tables: a table of path and text in, one row for each finding out.

The core is a function from Arrow record batches to Arrow record batches, which is what such engines pass to Python:
Spark's `mapInArrow` takes it as it is, Ray Data's `map_batches` one table at a time, and for Dask there is `scan_dask`.
Needs the extra `inkgate[batch]`.

    frame.mapInArrow(BatchScan(), SPARK_SCHEMA)        # Spark
    scan_dask(frame).compute()                         # Dask
    dataset.map_batches(BatchScan().table, batch_format="pyarrow")   # Ray Data

Nothing that goes wrong ends as a clean result: it is an error of the partition, which the engine reports and, where it
is told to, tries again. What is no text (an image), or cannot be read (a damaged archive), is a row of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from inkgate import __version__
from inkgate.lint.files import scan_reader
from inkgate.lint.targets import target_for
from inkgate.match.rules import load_rules
from inkgate.model import Finding, InkgateError, ScanResult, Target, Unread, Verdict
from inkgate.policy import DEFAULT, Policy

if TYPE_CHECKING:
    from inkgate.match.rules import RuleSet

__all__ = ["SPARK_SCHEMA", "BatchError", "BatchScan", "scan_dask"]

_TEXT = (
    "path", "kind", "source", "rule", "category", "severity", "confidence", "stance", "verdict", "message", "reason",
    "view", "excerpt", "fingerprint", "target", "ruleset", "version",
)  # fmt: skip
_NUMBERS = ("start", "end", "line", "column", "end_line", "end_column")

SPARK_SCHEMA = ", ".join([*(f"`{name}` string" for name in _TEXT), *(f"`{name}` bigint" for name in _NUMBERS)])
"""The columns of the result as Spark's `mapInArrow` wants them."""


class BatchError(InkgateError):
    """A partition could not be scanned; nothing is said about any of its texts."""


@dataclass(frozen=True, slots=True)
class BatchScan:
    """Scans tables of texts. Can be pickled, and calls itself on the record batches of a partition.

    A table has the columns `path` (text) and `text` (text or bytes), and may have `target`. Where it has none, or an
    empty one, the target is told by the path; a text below a folder `skills`, or below one whose `SKILL.md` is in the
    same batch, is part of a skill. Further columns are left alone.

    The result has one row for each finding (`kind` is `finding`), and one for each thing that was not read (`unread`:
    its `verdict` is `stage` if something is wrong with it, and `allow` if it is of a kind that holds no text).

    Attributes:
        packs: paths of further rule packs, which every worker must be able to read.
        policy: changes of the verdict table, as in the configuration.
        trust: who the skills come from.
    """

    packs: tuple[str, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)
    trust: str = "community"

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Scan record batches; one comes out for each that goes in.

        Args:
            batches: of type `pyarrow.RecordBatch`.

        Raises:
            BatchError: a column or a text is missing or of a wrong type.
            InkgateError: the rules or the policy cannot be used.
        """
        arrow = _arrow()
        rules = load_rules(self.packs, keep=True)
        policy = (Policy.from_mapping(self.policy) if self.policy else DEFAULT).for_trust(self.trust)
        schema = _schema(arrow)
        for batch in batches:
            rows = [row for result in _results(batch, rules, policy) for row in _rows(result)]
            yield arrow.RecordBatch.from_pylist(rows, schema=schema)

    def table(self, table: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Scan a whole `pyarrow.Table`.

        Raises:
            BatchError: as above, as is `InkgateError`.
        """
        arrow = _arrow()
        return arrow.Table.from_batches(list(self(table.to_batches())), schema=_schema(arrow))


def scan_dask(frame: Any, scan: BatchScan | None = None) -> Any:  # noqa: ANN401 - dask has no types
    """The findings of a Dask data frame of texts, as another one, which is worked out when it is asked for.

    Args:
        frame: of type `dask.dataframe.DataFrame`, with the columns that `BatchScan` reads.
        scan: how; with the shipped rules when None.

    Raises:
        BatchError: a column is missing. What is wrong with the texts is raised where they are worked out.
    """
    names = [name for name in ("path", "text", "target") if name in frame.columns]
    _demand(names)
    empty = _schema(_arrow()).empty_table().to_pandas()
    return frame[names].map_partitions(_partition, scan or BatchScan(), meta=empty)


def _partition(frame: Any, scan: BatchScan) -> Any:  # noqa: ANN401 - pandas has no types
    """One partition of a Dask data frame."""
    arrow = _arrow()
    try:
        table = arrow.Table.from_pandas(frame, preserve_index=False)
    except arrow.ArrowException as error:
        raise BatchError(f"a column holds values of different types: {error}") from None
    return scan.table(table).to_pandas()


def _arrow() -> Any:  # noqa: ANN401
    try:
        import pyarrow
    except ImportError as error:
        raise BatchError("pyarrow is not installed", hint="pip install 'inkgate[batch]'") from error
    return pyarrow


def _schema(arrow: Any) -> Any:  # noqa: ANN401
    return arrow.schema([*((name, arrow.string()) for name in _TEXT), *((name, arrow.int64()) for name in _NUMBERS)])


def _demand(names: Iterable[str]) -> None:
    missing = {"path", "text"} - set(names)
    if missing:
        raise BatchError(f"the table has no column {' and no column '.join(sorted(missing))}")


def _results(batch: Any, rules: RuleSet, policy: Policy) -> Iterator[tuple[str, ScanResult]]:  # noqa: ANN401
    """Path and result of each row."""
    _demand(batch.schema.names)
    columns = [batch.column(name).to_pylist() for name in ("path", "text")]
    targets = batch.column("target").to_pylist() if "target" in batch.schema.names else [None] * len(columns[0])
    skills = {str(PurePosixPath(path).parent) for path in columns[0] if str(path).lower().endswith("skill.md")}
    for row, (path, text, target) in enumerate(zip(*columns, targets, strict=True)):
        if not isinstance(path, str) or not isinstance(text, str | bytes):
            raise BatchError(f"row {row}: path must be text, and text must be text or bytes ({path!r}: {type(text)})")
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        if target:
            given = _target(target, row)
            yield path, scan_reader(BytesIO(data), path, target=given, policy=policy, rules=rules)
        else:
            kind = target_for(path, skill=_in_skill(path, skills))
            yield path, scan_reader(BytesIO(data), path, target=kind, policy=policy, rules=rules)


def _target(name: object, row: int) -> Target:
    try:
        return Target(str(name))
    except ValueError:
        raise BatchError(f"row {row}: unknown target {name!r}", hint=f"targets are {', '.join(Target)}") from None


def _in_skill(path: str, folders: set[str]) -> bool:
    """Whether a path belongs to a skill; nothing on the disk of the worker has a say in it."""
    above = PurePosixPath(path).parents
    return any(folder.name.lower() == "skills" or str(folder) in folders for folder in above)


def _rows(found: tuple[str, ScanResult]) -> Iterator[dict[str, Any]]:
    path, result = found
    common = {"path": path, "target": str(result.target), "ruleset": result.ruleset, "version": __version__}
    for finding in result.findings:
        yield {**common, **_finding(finding)}
    for item in result.unread:
        yield {**common, **_unread(item)}


def _finding(finding: Finding) -> dict[str, Any]:
    words = ("source", "rule", "category", "severity", "confidence", "stance", "verdict", "message", "reason", "view")
    told = {name: str(getattr(finding, name)) for name in (*words, "excerpt", "fingerprint")}
    return {"kind": "finding", **told, **{name: getattr(finding, name) for name in _NUMBERS}}


def _unread(item: Unread) -> dict[str, Any]:
    verdict = Verdict.STAGE if item.fatal else Verdict.ALLOW
    return {"kind": "unread", "source": item.source, "verdict": str(verdict), "message": item.reason}
