/// The benchmarks. The study measures and draws with their tools.
@SuppressWarnings({"module", "requires-automatic"})
module io.samplesort.bench {
    exports io.samplesort.bench to
            io.samplesort.study;
    exports io.samplesort.bench.baselines to
            io.samplesort.study;
    exports io.samplesort.bench.measure to
            io.samplesort.study;
    exports io.samplesort.bench.plot to
            io.samplesort.study;
    exports io.samplesort.bench.results to
            io.samplesort.study;
    exports io.samplesort.bench.workload to
            io.samplesort.study;

    requires transitive io.samplesort;
    requires io.samplesort.files;
    requires transitive io.samplesort.testkit;
    requires transitive info.picocli;
    requires xchart;
    requires VectorGraphics2D;
    requires com.fasterxml.jackson.jr.ob;
    requires it.unimi.dsi.fastutil.core;
    requires java.desktop;
    requires java.management;
    requires java.sql;

    // Picocli sets the options of commands by their names, and Jackson reads and writes results.
    opens io.samplesort.bench;
    opens io.samplesort.bench.columns;
    opens io.samplesort.bench.cpu;
    opens io.samplesort.bench.device;
    opens io.samplesort.bench.files;
    opens io.samplesort.bench.gpus;
    opens io.samplesort.bench.host;
    opens io.samplesort.bench.jdk;
    opens io.samplesort.bench.measure;
    opens io.samplesort.bench.objects;
    opens io.samplesort.bench.plot;
    opens io.samplesort.bench.records;
    opens io.samplesort.bench.results;
    opens io.samplesort.bench.segments;
    opens io.samplesort.bench.select;
    opens io.samplesort.bench.sorted;
    opens io.samplesort.bench.start;
    opens io.samplesort.bench.strings;
}
