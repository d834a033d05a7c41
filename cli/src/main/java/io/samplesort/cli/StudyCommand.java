package io.samplesort.cli;

import io.samplesort.cli.report.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `samplesort study`, which the launchers run from a module of its own. Here it is only listed in the help.
@Command(
        name = "study",
        customSynopsis = "samplesort study [OPTIONS]",
        description = {
            "Runs the experiments of the paper on this machine.",
            "",
            "It is run by the launcher of the sources and that of a bundle, whose samplesort study --help lists all"
                    + " options."
        })
final class StudyCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new CommandFailure(
                "the study is not in this jar: run ./samplesort study in the sources, or bin/samplesort"
                        + " study in a bundle");
    }
}
