"""Many files over several processes, the results in the order of the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inkgate.lint.examine import Examined, Examiner, Options
from inkgate.model import InkgateError

if TYPE_CHECKING:
    from inkgate.lint.walk import Item

__all__ = ["PER_PROCESS", "examine_all", "processes"]

PER_PROCESS = 32
"""Files that are worth starting a further process."""

_examiner: Examiner | None = None


def processes(jobs: int, files: int) -> int:
    """How many processes to use.

    Args:
        jobs: what was asked for; 0 for as many as there are processors, but no more than the files are worth.
        files: how many there are.
    """
    if jobs:
        return max(1, min(jobs, files))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, files // PER_PROCESS))


def examine_all(items: Sequence[Item], options: Options, jobs: int = 0) -> Iterator[Examined]:
    """Examine every file, in order.

    Raises:
        InkgateError: the rules cannot be used, or a process died: then nothing can be said about its files.
    """
    count = processes(jobs, len(items))
    examiner = Examiner(options)  # loads the rules here, so a mistake in them is told once
    if count == 1:
        yield from map(examiner.examine, items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    chunk = max(1, min(16, len(items) // (count * 4)))
    with ProcessPoolExecutor(count, initializer=_start, initargs=(options,)) as pool:
        try:
            yield from pool.map(_work, items, chunksize=chunk)
        except BrokenProcessPool:
            raise InkgateError(
                "a scanning process died; nothing can be said about its files",
                hint="--jobs 1 scans in one process; the system may have run out of memory",
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _start(options: Options) -> None:
    global _examiner  # one per process, made once
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends the pool
    _examiner = Examiner(options)


def _work(item: Item) -> Examined:
    if _examiner is None:
        raise RuntimeError("the process was not started by `_start`")
    return _examiner.examine(item)
