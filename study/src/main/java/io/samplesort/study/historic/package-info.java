/// The GPU sorts that the paper of 2009 compares, itself included, as CUDA programs of our own after their published
/// descriptions. For measurements beside today's sorts alone; knows nothing of how these work.
package io.samplesort.study.historic;
