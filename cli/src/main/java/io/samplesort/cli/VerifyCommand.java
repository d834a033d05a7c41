package io.samplesort.cli;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `samplesort verify`.
@Command(
        name = "verify",
        description = {
            "Checks that the keys of a file are in order and, with --against, that they are the keys of another file:"
                    + " as many of each, in any order.",
            "With payloads, also that each key still has its payload."
        })
final class VerifyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The file of the sorted keys.")
    private Path file;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = "Type of the keys in a raw file.")
    private KeyType type;

    @Option(names = "--descending", description = "Greatest key first.")
    private boolean isDescending;

    @Option(names = "--against", paramLabel = "F", description = "The file before it was sorted.")
    private Path against;

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
        KeyFile keys = KeyFile.open(file, type);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment mapped = keys.map(arena);
            OptionalLong violation = ResultCheck.firstViolation(mapped, keys.type(), isDescending);
            Boolean sameElements = against == null ? null : sameElements(arena, keys, mapped);
            report(keys, violation, sameElements);
            return violation.isEmpty() && !Boolean.FALSE.equals(sameElements) ? 0 : 1;
        }
    }

    private boolean sameElements(Arena arena, KeyFile keys, MemorySegment mapped) {
        KeyFile original = KeyFile.open(against, type);
        if (original.type() != keys.type()) {
            throw new CommandFailure(
                    file + " holds " + keys.type() + " keys and " + against + " " + original.type() + " keys");
        }
        MemorySegment originalMapped = original.map(arena);
        if (payloadFile == null) {
            return Fingerprint.of(mapped, keys.type()).equals(Fingerprint.of(originalMapped, keys.type()));
        }
        KeyFile payloads = payloads(payloadFile, keys);
        KeyFile originalPayloads = payloads(payloadAgainst, original);
        return Fingerprint.of(mapped, keys.type(), payloads.map(arena), payloads.type())
                .equals(Fingerprint.of(
                        originalMapped, keys.type(), originalPayloads.map(arena), originalPayloads.type()));
    }

    private KeyFile payloads(Path path, KeyFile keys) {
        KeyFile payloads = KeyFile.open(path, payloadType);
        if (payloads.count() != keys.count()) {
            throw new CommandFailure(keys.path() + " has " + keys.count() + " keys and " + path + " " + payloads.count()
                    + " payloads: there must be as many");
        }
        return payloads;
    }

    private void report(KeyFile keys, OptionalLong violation, Boolean sameElements) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("file", file.toString());
            result.put("type", keys.type().toString());
            result.put("count", keys.count());
            result.put("sorted", violation.isEmpty());
            violation.ifPresent(index -> result.put("firstViolation", index));
            if (sameElements != null) {
                result.put("sameElements", sameElements);
            }
            out.println(Json.line(result));
        } else {
            out.println(file + ": " + keys.count() + " " + keys.type() + " keys, "
                    + (violation.isEmpty()
                            ? "sorted"
                            : "NOT SORTED: key " + violation.getAsLong() + " should come after the next")
                    + (sameElements == null
                            ? ""
                            : sameElements ? ", the same elements as " + against : ", NOT THE ELEMENTS of " + against));
        }
        out.flush();
    }
}
