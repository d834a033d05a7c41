/// The samplesort command.
module io.samplesort.cli {
    requires io.samplesort.files;
    requires io.samplesort.testkit;
    requires info.picocli;
    requires com.fasterxml.jackson.jr.ob;

    // Picocli sets the options of commands by their names.
    opens io.samplesort.cli to
            info.picocli;
    opens io.samplesort.cli.options to
            info.picocli;
    opens io.samplesort.cli.values to
            info.picocli;
}
