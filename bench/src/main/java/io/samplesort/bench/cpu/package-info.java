/// `bench cpu`: the CPU engine beside the sorts of the JDK and of C++ libraries.
package io.samplesort.bench.cpu;
