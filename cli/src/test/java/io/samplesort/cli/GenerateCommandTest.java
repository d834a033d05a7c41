package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.data.RecordGenerator;
import io.samplesort.cli.data.RecordLayout;
import io.samplesort.cli.options.LayoutConverter;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `samplesort generate` makes files in parts, and nothing in them shows where a part ends.
class GenerateCommandTest extends CommandCase {
    /// Numbers of 8 bytes that take more than one part, and no whole number of them.
    private static final int COUNT = (16 << 20) / 8 + 70_001;

    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "STAGGERED", "TWO_DUPLICATES", "ORGAN_PIPE"})
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

    @ParameterizedTest
    @ValueSource(strings = {"a:u8,b:bytes[2],_:4,c:bool", "gensort"})
    void partsAreThoseOfAllRecords(String text) throws IOException {
        RecordLayout layout = new LayoutConverter().convert(text);
        int count = (20 << 20) / layout.byteSize();
        assertDone("generate", path("k"), "--layout", text, "--count", "" + count, "--seed", "5");
        MemorySegment expected = MemorySegment.ofArray(new byte[count * layout.byteSize()]);
        RecordGenerator.fill(expected, layout, 5, 0);
        assertThat(MemorySegment.ofArray(read("k")).mismatch(expected)).isEqualTo(-1);
    }
}
