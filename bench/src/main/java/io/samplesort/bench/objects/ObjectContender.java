package io.samplesort.bench.objects;

import io.samplesort.ObjectSorter;
import io.samplesort.SampleSort;
import java.util.Arrays;
import java.util.List;

/// A system that sorts objects.
///
/// @param name  its name in results
/// @param sort  sorts an array
/// @param close gives back the resources of the system
record ObjectContender(String name, Sort sort, Runnable close) {
    /// Sorts an array of objects.
    @FunctionalInterface
    interface Sort {
        void run(Trade[] trades);
    }

    /// Returns all systems. The JDK's parallel sort uses the common pool of the process, whatever `threads` says.
    static List<ObjectContender> all(ObjectJob job, int threads) {
        ObjectSorter<Trade> ours = SampleSort.onCpu().cpuThreads(threads).buildObjects(job.keys());
        ObjectSorter<Trade> comparing = SampleSort.onCpu().cpuThreads(threads).buildObjects(job.comparator());
        return List.of(
                new ObjectContender("samplesort", ours::sort, ours::close),
                new ObjectContender("samplesort-comparator", comparing::sort, comparing::close),
                new ObjectContender("Arrays.sort", trades -> Arrays.sort(trades, job.comparator()), () -> {}),
                new ObjectContender(
                        "Arrays.parallelSort", trades -> Arrays.parallelSort(trades, job.comparator()), () -> {}));
    }
}
