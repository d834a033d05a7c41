/// CPU engine: the same sample sort in Java on all cores, in place. Start at [CpuSorter]; [DistributionPass] is one
/// pass.
package io.samplesort.cpu;
