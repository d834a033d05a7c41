/// `bench segments`: sorts of the segments of an array, on the CPU compared with the JDK, and on a GPU with CUB.
package io.samplesort.bench.segments;
