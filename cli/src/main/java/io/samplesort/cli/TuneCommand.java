package io.samplesort.cli;

import io.samplesort.Device;
import io.samplesort.cli.options.Heading;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.tune.TunedElements;
import io.samplesort.cli.tune.TunedParameter;
import io.samplesort.cli.tune.TuningSearch;
import io.samplesort.cli.tune.TuningTurns;
import io.samplesort.cli.values.CountConverter;
import io.samplesort.cli.values.DeviceConverter;
import io.samplesort.cli.values.TunedElementsConverter;
import io.samplesort.cli.values.TunedParameterConverter;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.gpu.cubins.KeptTunings;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `samplesort tune`.
@Command(
        name = "tune",
        customSynopsis = "samplesort tune [OPTIONS]",
        description = {
            "Measures which tuning parameters are fastest on your GPU, and keeps them in your cache folder.",
            "",
            "The defaults were measured on an NVIDIA H200. Each tuning is compiled and sorts random numbers by turns"
                    + " with the best so far, so nothing else should use the GPU meanwhile. Later sorts of elements of"
                    + " the same sizes use what was fastest. Results never depend on the tuning. Rates are those of the"
                    + " largest size, in 10^9 elements a second; the gain is the mean over all sizes."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  samplesort tune", "  samplesort tune --types u64 --sizes 2^20,2^24", "  samplesort tune --reset"})
final class TuneCommand implements Callable<Integer> {
    private static final int MOST_REPETITIONS = 1000;

    @Heading("What is measured")
    @Option(
            names = "--types",
            paramLabel = "TYPES",
            split = ",",
            defaultValue = "u32,u64,u32+u32,u64+u64",
            converter = TunedElementsConverter.class,
            description = "Types of keys, or of keys and payloads such as u32+u32. A tuning serves all elements of the"
                    + " same sizes. Default: ${DEFAULT-VALUE}.")
    private List<TunedElements> types;

    @Option(
            names = "--sizes",
            paramLabel = "COUNTS",
            split = ",",
            defaultValue = "2^22,2^26",
            converter = CountConverter.class,
            description = "How many elements are sorted. The mean over all sizes decides. Default: ${DEFAULT-VALUE}.")
    private List<Long> sizes;

    @Option(
            names = "--parameters",
            paramLabel = "NAMES",
            split = ",",
            converter = TunedParameterConverter.class,
            completionCandidates = TunedParameterConverter.Names.class,
            description = "Which parameters are tried: tile, distributionBlocks, smallSort, smallSortResidentThreads,"
                    + " mergeBuffers, bucketTarget, maxBucketCount. Default: all.")
    private List<TunedParameter> parameters = List.of(TunedParameter.values());

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            defaultValue = "9",
            converter = CountConverter.class,
            description = "How often each tuning sorts, for the median. Default: ${DEFAULT-VALUE}.")
    private long repetitions;

    @Option(names = "--reset", description = "Measure nothing, and forget what was kept for this GPU.")
    private boolean isReset;

    @Heading("The GPU")
    @Option(
            names = "--device",
            paramLabel = "GPU",
            defaultValue = "gpu",
            converter = DeviceConverter.class,
            description = "The GPU: gpu, or gpu:N for number N. Default: ${DEFAULT-VALUE}.")
    private Device device;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException {
        check();
        Cuda.require();
        CudaDevice gpu = CudaDevice.get(device.ordinal());
        Output output = outputOptions.output();
        if (isReset) {
            output.remark(
                    KeptTunings.forget(gpu) ? "forgot " + KeptTunings.file(gpu) : "nothing was kept for " + gpu.name());
            return 0;
        }
        // What was measured for other types stays, unless it is for other kernels.
        Map<String, String> kept = new LinkedHashMap<>(KeptTunings.of(gpu).overrides());
        // The search begins with the defaults.
        System.setProperty(KeptTunings.PROPERTY, "false");
        if (!output.isForPrograms()) {
            output.print(String.format(
                    "%-10s %8s %10s %10s %8s  %s", "type", "tried", "default", "tuned", "gain", "parameters"));
        }
        for (TunedElements elements : types) {
            TuningSearch search = measure(elements, output);
            kept.remove(elements.kind());
            if (!search.overrides().isEmpty()) {
                kept.put(elements.kind(), search.values());
            }
            // What was measured is kept even if the next type fails.
            KeptTunings.keep(gpu, kept);
        }
        output.remark("kept in " + KeptTunings.file(gpu));
        return 0;
    }

    private void check() {
        if (device.kind() != Device.Kind.GPU) {
            throw new UsageFailure("--device " + device + ": a tuning is for a GPU, such as gpu:0");
        }
        if (repetitions < 1 || repetitions > MOST_REPETITIONS) {
            throw new UsageFailure("--repetitions " + repetitions + ": must be 1 to " + MOST_REPETITIONS);
        }
        if (sizes.stream().anyMatch(size -> size < 1)) {
            throw new UsageFailure("--sizes: must be 1 or more");
        }
    }

    private TuningSearch measure(TunedElements elements, Output output) {
        List<Long> ascending = sizes.stream().sorted().distinct().toList();
        try (TuningTurns turns = new TuningTurns(device.ordinal(), elements, ascending, (int) repetitions)) {
            Tuning byDefault = turns.byDefault();
            TuningSearch search = new TuningSearch(byDefault, turns::time);
            for (TunedParameter parameter : parameters) {
                output.remark(elements + ": trying " + parameter);
                search.tryAll(parameter);
            }
            double[][] millis = turns.millis(search.best(), byDefault);
            search.confirm(TuningTurns.ratio(millis));
            tell(output, elements, search, ascending.getLast(), millis);
            return search;
        }
    }

    /// @param largest the largest size
    /// @param millis  the times of the tuning and of the default, for each size
    private static void tell(
            Output output, TunedElements elements, TuningSearch search, long largest, double[][] millis) {
        double[] ofLargest = millis[millis.length - 1];
        double defaultMillis = ofLargest[1];
        // Without overrides both sorters are the same, and their times differ only by chance.
        boolean isDefault = search.overrides().isEmpty();
        double tunedMillis = isDefault ? defaultMillis : ofLargest[0];
        double gain = isDefault ? 0 : 1 / TuningTurns.ratio(millis) - 1;
        if (output.isForPrograms()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("type", elements.toString());
            line.put("n", largest);
            line.put("tried", search.tried());
            line.put("defaultMillis", defaultMillis);
            line.put("tunedMillis", tunedMillis);
            line.put("gain", gain);
            line.put("parameters", search.overrides());
            output.print(line);
        } else {
            output.print(String.format(
                    Locale.ROOT,
                    "%-10s %8d %10.2f %10.2f %7.1f%%  %s",
                    elements,
                    search.tried(),
                    largest / defaultMillis * 1e-6,
                    largest / tunedMillis * 1e-6,
                    100 * gain,
                    isDefault ? "the defaults" : search.overrides()));
        }
    }
}
