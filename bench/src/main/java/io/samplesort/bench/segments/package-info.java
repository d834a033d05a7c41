/// `bench segments`: sorts of the segments of an array, on the CPU beside the JDK and on a GPU beside CUB.
package io.samplesort.bench.segments;
