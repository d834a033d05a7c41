package io.samplesort.bench;

/// What a process does up to the end of its second sort.
enum StartStep {
    /// From the start of the Java machine to the beginning of `main`; told in whole milliseconds.
    JVM("jvm"),
    /// The CUDA driver's own initialisation, and its context.
    DRIVER("driver"),
    /// Building a sorter: its kernels come from the cache.
    BUILD("build"),
    FIRST_SORT("firstSort"),
    SECOND_SORT("secondSort");

    private final String prefix;

    StartStep(String prefix) {
        this.prefix = prefix;
    }

    /// In the results, before the name of a statistic.
    String prefix() {
        return prefix;
    }

    /// In what a process reports.
    String key() {
        return prefix + "Millis";
    }
}
