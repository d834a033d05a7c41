/// Sorts of arrays, memory segments and device memory: start at [SampleSort].
@NullMarked
package io.samplesort;

import org.jspecify.annotations.NullMarked;
