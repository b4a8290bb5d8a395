"""Many files over several processes, the results in the order of the files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from inkgate.lean import TYPE_CHECKING
from inkgate.lint.examine import Examined, Examiner, Options
from inkgate.model import InkgateError

if TYPE_CHECKING:
    from inkgate.lint.walk import Item

__all__ = ["PER_PROCESS", "chunks", "examine_all", "processes"]

PER_PROCESS = 1 << 20
"""Bytes that are worth a further process: to start one and to compile the patterns in it takes 0.1 to 0.3 s."""

_FILE = 4096
"""Bytes that cost as much as opening a file and reporting on it."""

_CHUNKS = 8
_LEAST, _MOST = 64 << 10, 1 << 20
"""Bytes of a chunk: pieces for each process, so that all of them end at about the same time, in these bounds."""

_examiner: Examiner | None = None


def processes(jobs: int, files: int, size: int) -> int:
    """How many processes to use.

    Args:
        jobs: what was asked for; 0 for as many as there are processors, but no more than the files are worth.
        files: how many there are.
        size: bytes in all of them, with what a file costs by itself.
    """
    if jobs:
        return max(1, min(jobs, files))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, files, size // PER_PROCESS))


def chunks(sizes: Sequence[int], count: int) -> list[range]:
    """The numbers of the files of each chunk, in order: together about as many bytes as the others.

    Args:
        sizes: of the files, in bytes.
        count: of the processes.
    """
    fill = min(_MOST, max(_LEAST, sum(sizes) // (count * _CHUNKS)))
    found: list[range] = []
    start = held = 0
    for number, size in enumerate(sizes):
        held += size
        if held >= fill or number == len(sizes) - 1:
            found.append(range(start, number + 1))
            start, held = number + 1, 0
    return found


def examine_all(
    items: Sequence[Item], options: Options, jobs: int = 0, remarks: list[str] | None = None
) -> Iterator[Examined]:
    """Examine every file, in order.

    Args:
        items: the files.
        options: how.
        jobs: see `processes`.
        remarks: where to put what a person should know about the run.

    Raises:
        InkgateError: the rules cannot be used, or a process died: then nothing can be said about its files.
    """
    sizes = [_size(item) for item in items] if jobs != 1 else []
    count = processes(jobs, len(items), sum(sizes))
    examiner = Examiner(options)  # loads the rules here, so a mistake in them is told once
    results = map(examiner.examine, items) if count == 1 else _spread(items, sizes, options, count)
    cache = examiner.cache
    for examined in results:
        if cache is not None and examined.clean is not None:
            cache.add(*examined.clean)
        yield examined
    if cache is not None:
        cache.save()
        if cache.remark and remarks is not None:
            remarks.append(cache.remark)


def _spread(items: Sequence[Item], sizes: Sequence[int], options: Options, count: int) -> Iterator[Examined]:
    """The results of several processes."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    parts = chunks(sizes, count)
    # A chunk that is much larger than the others would end last if it began last; the rest stays in order.
    order = sorted(
        range(len(parts)), key=lambda part: -max(0, sum(sizes[number] for number in parts[part]) - 4 * _MOST)
    )
    with ProcessPoolExecutor(min(count, len(parts)), initializer=_start, initargs=(options,)) as pool:
        try:
            futures = {part: pool.submit(_work, [items[number] for number in parts[part]]) for part in order}
            for part in range(len(parts)):
                yield from futures.pop(part).result()
        except BrokenProcessPool:
            raise InkgateError(
                "a scanning process died; nothing can be said about its files",
                hint="--jobs 1 scans in one process; the system may have run out of memory",
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _size(item: Item) -> int:
    """What a file costs, in bytes; one that cannot be asked costs little, as it will not be read."""
    try:
        status = os.stat(item.path)  # noqa: PTH116 - text, for every file
    except (OSError, ValueError):
        return _FILE
    return _FILE + (status.st_size if stat.S_ISREG(status.st_mode) else 0)


def _start(options: Options) -> None:
    global _examiner  # one per process, made once
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends the pool
    _examiner = Examiner(options)


def _work(items: Sequence[Item]) -> list[Examined]:
    if _examiner is None:
        raise RuntimeError("the process was not started by `_start`")
    return [_examiner.examine(item) for item in items]
