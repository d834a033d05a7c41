# Prints the milliseconds of NumPy's unique with counts, and of its searchsorted of random and of sorted queries, a line
# for each.
import sys
import time

import numpy

kind, count, values, repetitions = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
random = numpy.random.default_rng(1)


def keys(most):
    return random.integers(0, most, count, dtype="i8").astype(kind)


def measure(work):
    millis = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        millis.append((time.perf_counter() - start) * 1e3)
    print(*millis, flush=True)


few = keys(values)
measure(lambda: numpy.unique(few, return_counts=True))
most = 2**31 - 1 if kind == "i4" else 2**63 - 1
wide = numpy.sort(keys(most))
queries = keys(most)
measure(lambda: numpy.searchsorted(wide, queries))
queries.sort()
measure(lambda: numpy.searchsorted(wide, queries))
