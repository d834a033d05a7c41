/// External sorting: sorts files within a given memory, which may be less than the files take. Chunks of the input
/// become sorted runs in a temporary file, and buckets that are cut from all runs become the output.
package io.samplesort.external;
