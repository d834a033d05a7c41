# Prints the milliseconds of NumPy's partition of random keys, a line for each rank.
import sys
import time

import numpy

kind, count, repetitions = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random = numpy.random.default_rng(1)
if kind[0] == "f":
    keys = random.random(count).astype(kind)
else:
    limits = numpy.iinfo(kind)
    keys = random.integers(limits.min, limits.max, count, dtype=kind, endpoint=True)
copy = numpy.empty_like(keys)
for rank in map(int, sys.argv[4:]):
    millis = []
    for _ in range(repetitions):
        copy[:] = keys
        start = time.perf_counter()
        copy.partition(rank)
        millis.append((time.perf_counter() - start) * 1e3)
    print(*millis, flush=True)
