package io.samplesort.bench.host;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.measure.LinkSpeed;
import io.samplesort.bench.results.DistributionOption;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.results.StageRows;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench large`.
@Command(
        name = "large",
        description = "Sorts more host memory than the GPU may use device memory, and verifies the result by its"
                + " order and its fingerprint.")
public final class LargeCommand implements Callable<Integer> {
    @Option(
            names = "--counts",
            defaultValue = "2^30",
            description = "How many 64-bit unsigned keys; the host needs 16 bytes for each; default: ${DEFAULT-VALUE}.")
    private String counts;

    @Option(
            names = "--device-memory",
            paramLabel = "BYTES",
            defaultValue = "2^32",
            description = "Device memory that the sort may use; default: ${DEFAULT-VALUE}.")
    private String deviceMemory;

    @Option(names = "--tuning", defaultValue = "", description = "Tuning parameters.")
    private String tuning;

    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(1);

    @Mixin
    private DistributionOption distributionOption;

    @Mixin
    private ResultOptions options;

    @Override
    public Integer call() {
        long limit = Sizes.parse(deviceMemory).getFirst();
        Map<String, Object> environment = Environment.gpu(0);
        environment.put("deviceMemoryLimit", limit);
        List<Long> sizes = Sizes.parse(counts);
        LinkSpeed link = LinkSpeed.measure(List.of(Device.gpu(0)), Long.BYTES * Collections.max(sizes));
        link.addTo(environment);
        Results results = options.results(environment);
        boolean allRight = true;
        try (ReusedMemory memory = new ReusedMemory();
                Sorter sorter = SampleSort.onGpu()
                        .order(Order.unsigned())
                        .deviceMemory(limit)
                        .tuning(tuning)
                        .timesPhases()
                        .build(ElementType.LONG)) {
            for (InputDistribution distribution : distributionOption.distributions()) {
                for (long count : sizes) {
                    MemorySegment keys = memory.pair(count * Long.BYTES, 0).keys();
                    for (int repetition = 0; repetition < repetitionOption.repetitions(); repetition++) {
                        Map<String, Object> result = measure(sorter, link, distribution, keys, repetition);
                        results.add(result);
                        allRight &= Results.isTrue(result, "verified");
                    }
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private Map<String, Object> measure(
            Sorter sorter, LinkSpeed link, InputDistribution distribution, MemorySegment keys, int repetition) {
        distribution.fill(keys, KeyType.U64, options.seed() + repetition);
        Fingerprint before = Fingerprint.of(keys, KeyType.U64);
        long start = System.nanoTime();
        SortReport report = sorter.sort(keys);
        double millis = (System.nanoTime() - start) * 1e-6;
        boolean isRight = ResultCheck.firstViolation(keys, KeyType.U64, false).isEmpty()
                && Fingerprint.of(keys, KeyType.U64).equals(before);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", "samplesort-gpu");
        result.put("type", "u64");
        result.put("distribution", distribution.toString());
        result.put("count", report.elementCount());
        result.put("repetition", repetition);
        result.put("wallMillis", millis);
        result.put("timesLinkOnce", millis / link.millis(keys.byteSize()));
        result.put("extraBytes", report.extraBytes());
        result.put("stages", StageRows.of(report));
        result.put("verified", isRight);
        System.out.printf(
                Locale.ROOT,
                "%s %d keys, %.1f GB: %.3f s, %.1f million keys/s%s%s%n",
                distribution,
                report.elementCount(),
                keys.byteSize() * 1e-9,
                millis * 1e-3,
                report.elementCount() / millis * 1e-3,
                StageRows.text(report),
                isRight ? "" : "  WRONG");
        return result;
    }
}
