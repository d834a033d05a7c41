/// The GPU sorts that the paper of 2009 compares, together with its own, as CUDA programs that were written from the
/// published descriptions. They serve only as a comparison for today's sorts, and know nothing about them.
package io.samplesort.study.historic;
