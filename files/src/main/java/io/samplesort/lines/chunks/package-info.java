/// Lines in memory: as many as fit, where each begins, the keys of all of them, and copies in sorted order.
package io.samplesort.lines.chunks;
