package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.data.RecordGenerator;
import io.samplesort.cli.data.RecordLayout;
import io.samplesort.cli.values.LayoutConverter;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.StringInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `samplesort generate` makes files in parts, and nothing in them shows where a part ends.
class GenerateCommandTest extends CommandCase {
    /// Numbers of 8 bytes that take more than one part, and no whole number of them.
    private static final int COUNT = (16 << 20) / 8 + 70_001;

    @ParameterizedTest
    @EnumSource(names = {"STAGGERED", "TWO_DUPLICATES"})
    void partsAreThoseOfAllNumbers(InputDistribution distribution) throws IOException {
        assertDone(
                "generate",
                path("k"),
                "--type",
                "u64",
                "--count",
                "" + COUNT,
                "--seed",
                "5",
                "--distribution",
                distribution.toString());
        MemorySegment expected = MemorySegment.ofArray(new long[COUNT]);
        distribution.fill(expected, KeyType.U64, 5);
        assertThat(MemorySegment.ofArray(read("k")).mismatch(expected)).isEqualTo(-1);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "ORGAN_PIPE"})
    void partsAreThoseOfAllNumbersOfOtherDistributions(InputDistribution distribution) throws IOException {
        partsAreThoseOfAllNumbers(distribution);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(strings = "gensort")
    void partsAreThoseOfAllRecordsOfOtherKinds(String text) throws IOException {
        partsAreThoseOfAllRecords(text);
    }

    @ParameterizedTest
    @ValueSource(strings = "a:u8,b:bytes[2],_:4,c:bool")
    void partsAreThoseOfAllRecords(String text) throws IOException {
        RecordLayout layout = new LayoutConverter().convert(text);
        int count = (20 << 20) / layout.byteSize();
        assertDone("generate", path("k"), "--layout", text, "--count", "" + count, "--seed", "5");
        MemorySegment expected = MemorySegment.ofArray(new byte[count * layout.byteSize()]);
        RecordGenerator.fill(expected, layout, 5, 0);
        assertThat(MemorySegment.ofArray(read("k")).mismatch(expected)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    void linesAreThoseOfTheBenchmark(StringInput input) throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        input.writeLines(10_000, 5, expected);
        assertDone("generate", path("k"), "--lines", input.toString(), "--count", "10000", "--seed", "5", "--json");
        assertThat(read("k")).isEqualTo(expected.toByteArray());
        assertThat(out()).contains("\"type\":\"lines\"").contains("\"distribution\":\"" + input + "\"");
        // What was estimated before is not far off.
        assertThat(input.bytesOfLines(10_000, 5) / expected.size()).isBetween(0.98, 1.02);
    }

    @Test
    void whatDoesNotFitLinesIsRefused() {
        assertFails(2, "'poems' is none of the inputs: use random, urls", "generate", path("k"), "--lines", "poems");
        String[] lines = {"generate", path("k.npy"), "--lines", "words", "--count", "9"};
        assertFails(2, "give OUT a name without .npy", lines);
        lines[1] = path("k");
        assertFails(2, "leave --distribution out", append(lines, "--distribution", "zipf"));
        assertFails(2, "or with --lines which lines", append(lines, "--type", "u8"));
    }
}
