/// The paper's study and the ablation.
@SuppressWarnings("requires-automatic")
module io.samplesort.study {
    requires io.samplesort.bench;
    requires java.desktop;
    requires xchart;
    requires it.unimi.dsi.fastutil.core;
    requires org.apache.commons.rng.simple;

    // Picocli sets the options of commands by their names.
    opens io.samplesort.study to
            info.picocli;
    opens io.samplesort.study.ablation to
            info.picocli;
    opens io.samplesort.study.paper to
            info.picocli;
}
