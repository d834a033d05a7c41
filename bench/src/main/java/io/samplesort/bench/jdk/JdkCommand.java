package io.samplesort.bench.jdk;

import io.samplesort.Device;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.SizeOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench jdk`.
@Command(
        name = "jdk",
        description =
                "Compares every call of SampleSort with the JDK's sort of the same array, by turns, and prints the"
                        + " JDK's time divided by ours. A cell ends after a quarter of a second and three repetitions.")
public final class JdkCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            description = "Such as long,String,object-by-key,argsort-int; by default all of them.")
    private List<String> types;

    @Option(names = "--inputs", split = ",", description = "Such as random,two-runs; by default all of them.")
    private List<String> inputs;

    @Mixin
    private SizeOption sizeOption = new SizeOption("10,100,1000,10000,100000,1000000");

    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(15);

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<JdkRival<?>> rivals = chosen("type", types, JdkRivals.all(), JdkRival::name);
        List<JdkInput> shapes = chosen("input", inputs, Arrays.asList(JdkInput.values()), JdkInput::toString);
        List<Long> sizes = sizeOption.sizes();
        JdkBenchmark benchmark = new JdkBenchmark(
                repetitionOption.repetitions(), options.seed(), options.results(Environment.of(Device.auto())));
        System.out.println(
                row("type", "count", shapes.stream().map(JdkInput::toString).toList()));
        System.out.println(row("---", "---", shapes.stream().map(shape -> "---").toList()));
        boolean allRight = true;
        for (JdkRival<?> rival : rivals) {
            for (long size : sizes) {
                benchmark.warmUp(rival, Math.toIntExact(size));
                List<String> cells = new ArrayList<>();
                for (JdkInput shape : shapes) {
                    if (!rival.takes(shape)) {
                        cells.add("");
                        continue;
                    }
                    JdkBenchmark.Cell cell = benchmark.measure(rival, shape, Math.toIntExact(size));
                    allRight &= cell.isRight();
                    cells.add(text(cell));
                }
                System.out.println(row(rival.name(), Long.toString(size), cells));
            }
        }
        return allRight ? 0 : 1;
    }

    private static String text(JdkBenchmark.Cell cell) {
        return String.format(Locale.ROOT, "%.2f%s", cell.ratio(), cell.isRight() ? "" : " WRONG");
    }

    /// Returns a row of a table in Markdown.
    private static String row(String type, String count, List<String> cells) {
        return "| " + type + " | " + count + " | " + String.join(" | ", cells) + " |";
    }

    /// Returns what a list of names asks for; everything if there is no list.
    private <T> List<T> chosen(String kind, List<String> names, List<T> all, Function<T, String> nameOf) {
        if (names == null) {
            return all;
        }
        return names.stream()
                .map(name -> all.stream()
                        .filter(one -> nameOf.apply(one).equals(name))
                        .findFirst()
                        .orElseThrow(() -> new ParameterException(
                                spec.commandLine(),
                                "no " + kind + " '" + name + "': use "
                                        + all.stream().map(nameOf).collect(Collectors.joining(", ")))))
                .toList();
    }
}
