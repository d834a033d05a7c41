/// Input distributions, shapes that break sorts, and checks of results.
module io.samplesort.testkit {
    exports io.samplesort.testkit;

    requires transitive org.apache.commons.rng.api;
    requires org.apache.commons.rng.simple;
}
