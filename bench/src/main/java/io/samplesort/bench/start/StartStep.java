package io.samplesort.bench.start;

/// A step of the start of a process that is timed.
enum StartStep {
    /// From the start of the Java machine to the beginning of `main`, in whole milliseconds.
    JVM("jvm"),
    /// The initialisation of the CUDA driver and of its context, in a process that does nothing else.
    DRIVER("driver"),
    /// Building a sorter, which also initialises the driver. Its kernels come from the cache.
    BUILD("build"),
    FIRST_SORT("firstSort"),
    SECOND_SORT("secondSort"),
    /// The sum of [#BUILD] and [#FIRST_SORT] without [#DRIVER].
    OURS("ours");

    private final String prefix;

    StartStep(String prefix) {
        this.prefix = prefix;
    }

    /// Returns the prefix of the names of statistics in the results.
    String prefix() {
        return prefix;
    }

    /// Returns the key in the report of a process.
    String key() {
        return prefix + "Millis";
    }
}
