/// Sorts of files within a given memory: start at [FileSort] and [LineSort].
package io.samplesort.files;
