package io.samplesort.bench.objects;

import io.samplesort.Device;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.TurnOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench objects`.
@Command(
        name = "objects",
        description = "Sorts arrays of Java objects by keys and by comparators, by turns with the JDK. Before, each"
                + " system sorts for at least 0.3 s, so that its code is compiled, unless --warm-ups is 0.")
public final class ObjectsCommand implements Callable<Integer> {
    @Option(
            names = "--jobs",
            split = ",",
            defaultValue = "double,two-keys,string,number-and-string,long,two-doubles,nullable,date,decimal",
            description = "What objects are sorted by; default: ${DEFAULT-VALUE}.")
    private List<String> jobs;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "2",
            description =
                    "How many threads of ours sort; the JDK's parallel sort takes all of the common pool; default:"
                            + " ${DEFAULT-VALUE}.")
    private List<Integer> threads;

    @Mixin
    private TurnOptions turns;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^12..2^22");

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<ObjectJob> parsedJobs;
        try {
            parsedJobs = jobs.stream().map(ObjectJob::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        ObjectBenchmark benchmark = new ObjectBenchmark(
                turns.repetitions(), turns.warmUps(), options.seed(), options.results(Environment.of(Device.cpu())));
        boolean allRight = true;
        for (long size : sizeOption.sizes()) {
            for (ObjectJob job : parsedJobs) {
                for (int count : threads) {
                    List<ObjectContender> all = ObjectContender.all(job, count);
                    List<ObjectContender> chosen = all.stream()
                            .filter(contender -> turns.isMeasured(contender.name()))
                            .toList();
                    allRight &= benchmark.measure(job, chosen, Math.toIntExact(size), count);
                    all.forEach(contender -> contender.close().run());
                }
            }
        }
        return allRight ? 0 : 1;
    }
}
