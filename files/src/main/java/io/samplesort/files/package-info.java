/// Sorts of files within a given memory: start at [FileSort] and [LineSort].
@NullMarked
package io.samplesort.files;

import org.jspecify.annotations.NullMarked;
