package io.samplesort.bench.start;

/// What is timed of the start of a process.
enum StartStep {
    /// From the start of the Java machine to the beginning of `main`; told in whole milliseconds.
    JVM("jvm"),
    /// The CUDA driver's own initialisation, and its context, in a process that does nothing else.
    DRIVER("driver"),
    /// Building a sorter, which initialises the driver; its kernels come from the cache.
    BUILD("build"),
    FIRST_SORT("firstSort"),
    SECOND_SORT("secondSort"),
    /// [#BUILD] and [#FIRST_SORT], less [#DRIVER].
    OURS("ours");

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
