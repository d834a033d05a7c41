package io.samplesort.cli;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Elements;
import io.samplesort.cli.data.Findings;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.KeyTypeConverter;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Json;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.StabilityCheck.Column;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `samplesort verify`.
@Command(
        name = "verify",
        description = {
            "Checks that the keys or records of a file are in order and, with --against, that they are those of another"
                    + " file: as many of each, in any order.",
            "With payloads, also that each key still has its payload; with --stable, that equal elements have kept their"
                    + " order."
        })
final class VerifyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The file of the sorted keys or records.")
    private Path file;

    @Mixin
    private ElementOptions elementOptions;

    @Option(names = "--against", paramLabel = "F", description = "The file before it was sorted.")
    private Path against;

    @Option(
            names = "--stable",
            description = "Check that the sort was stable; needs --against, and 8 bytes of memory an element.")
    private boolean isStable;

    @Option(
            names = "--payload",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = "Type of the payloads in raw files.")
    private KeyType payloadType;

    @Option(names = "--payload-file", paramLabel = "F", description = "The payloads of FILE.")
    private Path payloadFile;

    @Option(
            names = "--payload-against",
            paramLabel = "F",
            description = "The payloads of the file before it was sorted.")
    private Path payloadAgainst;

    @Option(names = "--json", description = "Print the result as one line of JSON.")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if ((payloadFile == null) != (payloadAgainst == null) || (payloadFile != null && against == null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "payloads are checked with --against, --payload-file and --payload-against together");
        }
        if (isStable && against == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "whether a sort was stable shows beside its input alone: name it with --against");
        }
        ElementFile keys = elementOptions.open(file);
        try (Arena arena = Arena.ofShared()) {
            Findings findings = check(arena, keys);
            report(keys, findings);
            return findings.isGood() ? 0 : 1;
        }
    }

    private Findings check(Arena arena, ElementFile keys) {
        MemorySegment sorted = keys.map(arena);
        if (against == null) {
            return Findings.of(keys.elements(), sorted);
        }
        ElementFile original = elementOptions.open(against);
        if (!original.elements().equals(keys.elements())) {
            throw new CommandFailure(file + " holds " + keys.elements().plural() + " and " + against + " "
                    + original.elements().plural());
        }
        List<Column> payloads = payloadFile == null ? List.of() : List.of(payloads(arena, keys, original));
        return Findings.of(
                keys.elements(), new Column(original.map(arena), sorted, keys.byteSize()), payloads, isStable);
    }

    private Column payloads(Arena arena, ElementFile keys, ElementFile original) {
        ElementFile sorted = payloads(payloadFile, keys);
        ElementFile unsorted = payloads(payloadAgainst, original);
        if (!sorted.elements().equals(unsorted.elements())) {
            throw new CommandFailure(payloadFile + " holds " + sorted.elements().plural() + " and " + payloadAgainst
                    + " " + unsorted.elements().plural());
        }
        return new Column(unsorted.map(arena), sorted.map(arena), sorted.byteSize());
    }

    private ElementFile payloads(Path path, ElementFile keys) {
        ElementFile payloads = ElementFile.ofNumbers(path, payloadType, false);
        if (payloads.count() != keys.count()) {
            throw new CommandFailure(keys.path() + " has " + keys.count() + " keys and " + path + " " + payloads.count()
                    + " payloads: there must be as many");
        }
        return payloads;
    }

    private void report(ElementFile keys, Findings findings) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(isJson ? Json.line(toMap(keys, findings)) : toText(keys, findings));
        out.flush();
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
        Elements elements = keys.elements();
        StringBuilder text = new StringBuilder(file + ": " + keys.count() + " " + elements.plural() + ", ");
        if (findings.violation().isEmpty()) {
            text.append("sorted");
        } else {
            text.append("NOT SORTED: number ")
                    .append(findings.violation().getAsLong())
                    .append(" (the first is 0) should come after the next");
        }
        if (findings.sameElements() != null) {
            text.append(findings.sameElements() ? ", the same elements as " : ", NOT THE ELEMENTS of ")
                    .append(against);
        }
        if (findings.stabilityViolation() != null) {
            text.append(
                    findings.stabilityViolation().isEmpty()
                            ? ", in the order that a stable sort gives"
                            : ", NOT STABLE: another of its equals belongs at "
                                    + findings.stabilityViolation().getAsLong());
        }
        return text.toString();
    }
}
