package io.samplesort.bench.gpus;

import io.samplesort.Device;
import io.samplesort.bench.results.DistributionOption;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.testkit.InputDistribution;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench gpus`.
@Command(
        name = "gpus",
        description =
                "Sorts one array on one GPU and on several of a host: in their memory, and from host memory to host"
                        + " memory. What one GPU cannot hold is left out there.")
public final class GpusCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            defaultValue = "u64,u32,u32+u32,record100",
            description = "Such as u64,u32+u32, struct16 or record100; default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--places",
            split = ",",
            defaultValue = "device,host",
            description = "device, host or both; default: ${DEFAULT-VALUE}.")
    private List<String> places;

    @Option(
            names = "--device",
            defaultValue = "gpus",
            description = "gpus, or a list such as gpu:0,gpu:2; default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(
            names = "--teams",
            split = ",",
            description =
                    "How many of the GPUs sort together, such as 2,4 or all; default: 1, 2, 4 and so on, and all.")
    private List<String> teams = List.of();

    @Option(
            names = "--shares",
            split = ",",
            defaultValue = "1",
            description = "How much of the array each GPU has in its memory, in relation to the others. The GPUs take"
                    + " these by turns: of 1,3 every second one has three times as much. Default: ${DEFAULT-VALUE}.")
    private List<Integer> shares;

    @Option(
            names = "--tuning",
            description = "Tuning parameters. Given several times, sorts of these tunings take turns on several GPUs.")
    private List<String> tunings = List.of("");

    @Option(
            names = "--untimed",
            defaultValue = "20",
            description = "Sorts in device memory before the timed ones, in which Java compiles what calls the GPUs;"
                    + " default: ${DEFAULT-VALUE}.")
    private int untimed;

    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(5);

    @Mixin
    private DistributionOption distributionOption;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^20..2^31");

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Subject> subjects = parsed(() -> types.stream().map(Subject::parse).toList());
        List<Place> where = parsed(() -> places.stream().map(Place::parse).toList());
        List<Integer> ordinals = ordinals();
        Map<String, Object> environment = Environment.gpu(ordinals.getFirst());
        environment.put("peers", peers(ordinals));
        if (shares.stream().anyMatch(share -> share < 1)) {
            throw new ParameterException(spec.commandLine(), "--shares " + shares + ": each is at least 1");
        }
        Results results = options.results(environment);
        boolean allRight = true;
        long largestBytes = Long.BYTES * Collections.max(sizeOption.sizes());
        environment.put("untimed", untimed);
        try (GpusBenchmark benchmark = new GpusBenchmark(
                untimed, repetitionOption.repetitions(), tunings, shares, largestBytes, options.seed())) {
            for (Subject subject : subjects) {
                for (Place place : where) {
                    for (InputDistribution distribution : distributionOption.distributions()) {
                        for (long count : sizeOption.sizes()) {
                            for (List<Integer> team : named(ordinals)) {
                                allRight &= measure(benchmark, results, team, place, subject, distribution, count);
                            }
                        }
                    }
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private <T> T parsed(Callable<T> parser) {
        try {
            return parser.call();
        } catch (Exception e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private List<Integer> ordinals() {
        Device named = parsed(() -> Device.parse(device));
        List<Integer> ordinals = named.kind() != Device.Kind.GPUS
                ? List.of()
                : !named.ordinals().isEmpty()
                        ? named.ordinals()
                        : IntStream.range(0, CudaDevice.count()).boxed().toList();
        if (ordinals.size() < 2) {
            throw new ParameterException(
                    spec.commandLine(), "--device " + device + " is less than two GPUs: use bench gpu or bench host");
        }
        return ordinals;
    }

    /// Returns the teams that sort, each of the first GPUs.
    private List<List<Integer>> named(List<Integer> ordinals) {
        if (teams.isEmpty()) {
            return teams(ordinals);
        }
        return teams.stream().map(team -> team(ordinals, team)).toList();
    }

    private List<Integer> team(List<Integer> ordinals, String team) {
        if (team.equals("all")) {
            return ordinals;
        }
        int size = parsed(() -> Integer.parseInt(team));
        if (size < 1 || size > ordinals.size()) {
            throw new ParameterException(
                    spec.commandLine(), "--teams " + team + ": there are " + ordinals.size() + " GPUs");
        }
        return ordinals.subList(0, size);
    }

    /// Returns the first GPU alone, the first two, four and so on, and all.
    private static List<List<Integer>> teams(List<Integer> ordinals) {
        List<List<Integer>> teams = new ArrayList<>();
        for (int size = 1; size < ordinals.size(); size *= 2) {
            teams.add(ordinals.subList(0, size));
        }
        teams.add(ordinals);
        return teams;
    }

    /// Returns which GPUs each GPU can access directly.
    private static Map<String, Object> peers(List<Integer> ordinals) {
        Map<String, Object> peers = new LinkedHashMap<>();
        for (int from : ordinals) {
            peers.put(
                    "gpu:" + from,
                    ordinals.stream()
                            .filter(to -> to != from && CudaDevice.canReach(from, to))
                            .map(to -> "gpu:" + to)
                            .toList());
        }
        return peers;
    }

    private static boolean measure(
            GpusBenchmark benchmark,
            Results results,
            List<Integer> team,
            Place place,
            Subject subject,
            InputDistribution distribution,
            long count) {
        try {
            boolean areRight = true;
            for (Map<String, Object> result : benchmark.measure(team, place, subject, distribution, count)) {
                results.add(result);
                print(result);
                areRight &= Results.isTrue(result, "verified");
            }
            return areRight;
        } catch (InsufficientDeviceMemoryException e) {
            System.err.println("left out: " + count + " elements of " + subject + " on " + team.size() + " GPUs: "
                    + e.getMessage());
            return true;
        }
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        System.out.printf(
                Locale.ROOT,
                "%-20s %-6s %-9s %-24s %12d  %8.2f Gkeys/s  %9.3f ms%s%s%s%n",
                result.get("system"),
                result.get("place"),
                result.get("type"),
                result.get("distribution"),
                result.get("count"),
                result.get("wallGigaKeysPerSecond"),
                result.get("wallMillisMedian"),
                result.containsKey("balance")
                        ? String.format(Locale.ROOT, "  balance %.3f", result.get("balance"))
                        : "",
                result.containsKey("way") ? "  " + result.get("way") : "",
                Results.isTrue(result, "verified") ? "" : "  WRONG");
    }
}
