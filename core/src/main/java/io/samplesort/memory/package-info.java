/// Host memory: how much of it is available, allocating gigabytes of it quickly, parts of arrays, and where to cut
/// sorted runs into buckets of a given size.
package io.samplesort.memory;
