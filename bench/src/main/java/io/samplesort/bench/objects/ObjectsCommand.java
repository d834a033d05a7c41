package io.samplesort.bench.objects;

import io.samplesort.Device;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Sizes;
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
        description = "Sorts arrays of Java objects by keys and by comparators, beside the JDK, by turns.")
public final class ObjectsCommand implements Callable<Integer> {
    @Option(
            names = "--sizes",
            defaultValue = "2^12..2^22",
            description = "Such as 2^12..2^22 or 2^16,2^20; default: ${DEFAULT-VALUE}.")
    private String sizes;

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

    @Option(names = "--systems", split = ",", description = "Only these of the systems that a full run lists.")
    private List<String> systems;

    @Option(names = "--repetitions", defaultValue = "7", description = "Timed runs of each; default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Option(
            names = "--warm-ups",
            defaultValue = "3",
            description = "Runs of each before the timed ones, more if they take less than 0.3 s; 0 for none at all;"
                    + " default: ${DEFAULT-VALUE}.")
    private int warmUps;

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<ObjectJob> parsedJobs;
        List<Long> counts;
        try {
            parsedJobs = jobs.stream().map(ObjectJob::parse).toList();
            counts = Sizes.parse(sizes);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        ObjectBenchmark benchmark = new ObjectBenchmark(
                repetitions, warmUps, options.seed(), options.results(Environment.of(Device.cpu())));
        boolean allRight = true;
        for (long size : counts) {
            for (ObjectJob job : parsedJobs) {
                for (int count : threads) {
                    List<ObjectContender> all = ObjectContender.all(job, count);
                    List<ObjectContender> chosen = all.stream()
                            .filter(contender -> systems == null || systems.contains(contender.name()))
                            .toList();
                    allRight &= benchmark.measure(job, chosen, Math.toIntExact(size), count);
                    all.forEach(contender -> contender.close().run());
                }
            }
        }
        return allRight ? 0 : 1;
    }
}
