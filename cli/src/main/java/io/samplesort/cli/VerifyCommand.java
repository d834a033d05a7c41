package io.samplesort.cli;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Findings;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.options.PayloadOptions;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.InputPathConverter;
import io.samplesort.testkit.StabilityCheck.Column;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `samplesort verify`.
@Command(
        name = "verify",
        customSynopsis = "samplesort verify FILE [--against INPUT] [OPTIONS]",
        description = {
            "Checks that a file is sorted.",
            "",
            "With --against it also checks that the file holds the elements of the input, each as often; with payloads,"
                    + " that each key still has its payload; and with --stable, that equal elements have kept their order."
        },
        exitCodeOnExecutionException = VerifyCommand.CANNOT_CHECK,
        exitCodeList = {
            "0:the file is sorted, and all that was asked for holds",
            "1:it is not, or something else does not hold",
            "2:the command line is wrong",
            "3:the file could not be checked"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  samplesort verify sorted.bin --type u64",
            "  samplesort verify sorted.npy --against values.npy --descending",
            "  samplesort verify sorted.bin --layout gensort --stable --against records.bin"
        })
final class VerifyCommand implements Callable<Integer> {
    static final int CANNOT_CHECK = 3;

    @Parameters(
            paramLabel = "FILE",
            converter = InputPathConverter.class,
            description = "The file of the sorted keys or records; - is the standard input.")
    private Path file;

    @Option(
            names = "--against",
            paramLabel = "INPUT",
            converter = InputPathConverter.class,
            description = "The file before it was sorted; - is the standard input.")
    private Path against;

    @Mixin
    private ElementOptions elementOptions;

    @Option(
            names = "--stable",
            description =
                    "Check that the sort was stable. This needs --against, and 8 bytes of memory for each element.")
    private boolean isStable;

    @Mixin
    private PayloadOptions payloadOptions;

    @Option(
            names = "--payload-against",
            paramLabel = "FILE",
            converter = InputPathConverter.class,
            description = "The file of the payloads before they were sorted.")
    private Path payloadAgainst;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException {
        checkOptions();
        try (Inputs inputs = Inputs.copiedTo(null, null, remark -> {});
                Arena arena = Arena.ofShared()) {
            ElementFile keys = elementOptions.open(inputs.open(file));
            Findings findings = check(arena, inputs, keys);
            print(keys, findings, outputOptions.output());
            return findings.isGood() ? 0 : 1;
        }
    }

    private void checkOptions() {
        payloadOptions.check();
        boolean hasPayloads = payloadOptions.file() != null;
        if (hasPayloads != (payloadAgainst != null) || (hasPayloads && against == null)) {
            throw new UsageFailure("to check payloads, give --against, --payload-file and --payload-against together");
        }
        if (isStable && against == null) {
            throw new UsageFailure(
                    "whether a sort was stable can be checked only with its input: name it with --against");
        }
    }

    private Findings check(Arena arena, Inputs inputs, ElementFile keys) throws IOException {
        if (against == null) {
            MemorySegment sorted = keys.map(arena);
            return ElementFile.reading(List.of(keys), () -> Findings.of(keys.elements(), sorted));
        }
        ElementFile original = elementOptions.open(inputs.open(against));
        keys.checkSameElements(original);
        List<ElementFile> files = new ArrayList<>(List.of(keys, original));
        Column keyColumn = column(arena, original, keys);
        List<Column> payloads = new ArrayList<>();
        if (payloadAgainst != null) {
            ElementFile movedPayloads =
                    payloadOptions.open(inputs.open(payloadOptions.file()), keys, elementOptions.isRaw());
            ElementFile originalPayloads =
                    payloadOptions.open(inputs.open(payloadAgainst), original, elementOptions.isRaw());
            movedPayloads.checkSameElements(originalPayloads);
            files.addAll(List.of(movedPayloads, originalPayloads));
            payloads.add(column(arena, originalPayloads, movedPayloads));
        }
        return ElementFile.reading(files, () -> Findings.of(keys.elements(), keyColumn, payloads, isStable));
    }

    private static Column column(Arena arena, ElementFile original, ElementFile sorted) throws IOException {
        return new Column(original.map(arena), sorted.map(arena), sorted.byteSize());
    }

    private void print(ElementFile keys, Findings findings, Output output) {
        if (output.isForPrograms()) {
            output.print(toMap(keys, findings));
        } else {
            output.print(toText(keys, findings));
        }
    }

    private Map<String, Object> toMap(ElementFile keys, Findings findings) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("file", file.toString());
        result.put("type", keys.elements().toString());
        result.put("count", keys.count());
        result.put("sorted", findings.violation().isEmpty());
        findings.violation().ifPresent(index -> result.put("firstViolation", index));
        if (findings.sameElements() != null) {
            result.put("sameElements", findings.sameElements());
        }
        if (findings.stabilityViolation() != null) {
            result.put("stable", findings.stabilityViolation().isEmpty());
            findings.stabilityViolation().ifPresent(index -> result.put("stabilityViolation", index));
        }
        return result;
    }

    private String toText(ElementFile keys, Findings findings) {
        StringBuilder text = new StringBuilder(
                file + ": " + keys.count() + " " + keys.elements().plural() + ", ");
        if (findings.violation().isEmpty()) {
            text.append("sorted");
        } else {
            long index = findings.violation().getAsLong();
            text.append("NOT SORTED: the element at index " + index + " should come after the next one");
        }
        if (findings.sameElements() != null) {
            text.append(findings.sameElements() ? ", the same elements as " : ", NOT THE ELEMENTS of ")
                    .append(against);
        }
        if (findings.stabilityViolation() != null) {
            text.append(
                    findings.stabilityViolation().isEmpty()
                            ? ", in the order that a stable sort gives"
                            : ", NOT STABLE: an equal element belongs at index "
                                    + findings.stabilityViolation().getAsLong());
        }
        return text.toString();
    }
}
