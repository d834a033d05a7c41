# Sorts what lies in a file, each time that a line comes in, and prints how many seconds that took.
#
# Arguments: the file, the type of the keys, how many elements there are, the bytes of an element, and the bytes of a
# payload, which lie in a second column behind the elements; 0 for none. An element begins with its key.
import sys
import time

import numpy

path, key = sys.argv[1:3]
count, element_bytes, payload_bytes = map(int, sys.argv[3:])
key = numpy.dtype(key)
is_record = element_bytes > key.itemsize
# Whole records are moved as bytes of any meaning.
element = numpy.dtype(("V", element_bytes)) if is_record else key
fields = numpy.dtype({"names": ["key"], "formats": [key], "offsets": [0], "itemsize": element_bytes})

mapped = numpy.memmap(path, dtype=numpy.uint8, mode="r+")
mapped_elements = mapped[: count * element_bytes].view(element)
mapped_payloads = mapped[count * element_bytes :].view(numpy.dtype(("V", payload_bytes))) if payload_bytes else None

for _ in sys.stdin:
    elements = numpy.array(mapped_elements)
    payloads = numpy.array(mapped_payloads) if payload_bytes else None
    start = time.perf_counter()
    if is_record or payload_bytes:
        order = numpy.argsort(elements.view(fields)["key"] if is_record else elements)
        elements = elements.take(order)
        payloads = payloads.take(order) if payload_bytes else None
    else:
        elements.sort()
    seconds = time.perf_counter() - start
    mapped_elements[:] = elements
    if payload_bytes:
        mapped_payloads[:] = payloads
    print(seconds, flush=True)
