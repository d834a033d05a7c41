/// Host memory: how much of it is available, allocating gigabytes of it quickly, parts of arrays, and where to cut
/// sorted runs into buckets of a given size, and what a sample says about ranks.
package io.samplesort.memory;
