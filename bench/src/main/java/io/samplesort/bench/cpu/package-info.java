/// `bench cpu`: the CPU engine next to the sorts of the JDK and of C++ libraries.
package io.samplesort.bench.cpu;
