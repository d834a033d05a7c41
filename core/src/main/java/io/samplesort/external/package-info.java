/// Sorts of files within a given memory: plans, sorted runs in a temporary file, and buckets that are cut from them.
package io.samplesort.external;
