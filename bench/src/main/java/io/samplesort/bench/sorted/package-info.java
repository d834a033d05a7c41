/// `bench sorted`: operations on sorted keys, next to plain Java and to copies of the same bytes.
package io.samplesort.bench.sorted;
