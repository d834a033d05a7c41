package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `samplesort merge`: the result is that of a stable sort of the files one after the other.
class MergeCommandTest extends CommandCase {
    private static final String LAYOUT = "a:u8,b:bytes[3]";

    /// Makes sorted files of different sizes, and one of all elements, sorted stably.
    ///
    /// @param ofType what `generate` is told, and what all commands are
    private List<String> sortedFiles(String suffix, String[] ofType, String... order) throws IOException {
        List<String> files = new ArrayList<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int count : new int[] {3000, 0, 20_000, 1}) {
            String file = path(files.size() + suffix);
            assertDone(append(words("generate", file, "--count", "" + count, "--seed", "" + count), ofType));
            all.write(Files.readAllBytes(Path.of(file)));
            files.add(file);
        }
        Files.write(Path.of(path("all")), all.toByteArray());
        String[] options = append(ofType, order);
        files.forEach(file -> assertDone(append(words("sort", file, "--stable"), options)));
        assertDone(append(words("sort", path("all"), "--stable"), options));
        return files;
    }

    private static String[] words(String... words) {
        return words;
    }

    private static String[] merge(List<String> files, String... words) {
        return append(append(words("merge"), files.toArray(String[]::new)), words);
    }

    @ParameterizedTest
    @CsvSource({"u64, ''", "f32, --descending", "i8, ''", "u16, --descending"})
    void mergesNumbers(String type, String option) throws IOException {
        String[] order = option.isEmpty() ? words() : words(option);
        List<String> files = sortedFiles(".bin", words("--type", type), order);
        for (String memory : List.of("64K", "1G")) {
            String[] words = merge(files, "-o", path("merged"), "--type", type, "--memory", memory);
            assertDone(append(append(words, order), "--json"));
            assertThat(JSON.std.mapFrom(out())).containsEntry("elementCount", 23_001);
            assertThat(read("merged")).isEqualTo(read("all"));
        }
        assertNoLitter(6);
    }

    @Test
    void equalRecordsComeInTheOrderOfTheFiles() throws IOException {
        String[] order = {"--by", "a desc"};
        List<String> files = sortedFiles(".bin", words("--layout", LAYOUT), order);
        String[] words = merge(files, "-o", path("merged"), "--layout", LAYOUT, "--memory", "100K", "--threads", "1");
        assertDone(append(words, order));
        assertThat(read("merged")).isEqualTo(read("all"));
    }

    @Test
    void arraysBecomeOneArray() throws IOException {
        assertDone("generate", path("a.npy"), "--type", "i32", "--count", "999");
        assertDone("generate", path("b.npy"), "--type", "i32", "--count", "12345", "--seed", "7");
        assertDone("sort", path("a.npy"));
        assertDone("sort", path("b.npy"));
        assertDone("merge", path("a.npy"), path("b.npy"), "-o", path("c.npy"));
        assertThat(header("c.npy")).contains("'descr': '<i4'", "'shape': (13344,)");
        assertDone("verify", path("c.npy"));
        assertFails(2, "let it end in .npy", "merge", path("a.npy"), path("b.npy"), "-o", path("c.bin"));
        assertFails(1, "holds i32 keys, but", "merge", path("a.npy"), other(), "-o", path("c.npy"));
    }

    private String other() {
        assertDone("generate", path("other.npy"), "--type", "i64", "--count", "10");
        return path("other.npy");
    }

    /// The header of a structured array keeps its fields, and only its length changes.
    @ParameterizedTest
    @CsvSource({"1, 9", "2, 999999", "3, 10"})
    void structuredArraysKeepTheirFields(int version, int count) throws IOException {
        String descr = "[('shape', '<i4'), ('when', '>u2')]";
        writeStructured("one.npy", version, descr, 6);
        writeStructured("other.npy", version, descr, count);
        assertDone("merge", path("one.npy"), path("other.npy"), "-o", path("c.npy"), "--by", "when, shape");
        byte[] merged = read("c.npy");
        assertThat(merged[6]).isEqualTo((byte) version);
        assertThat(header("c.npy")).contains("'descr': " + descr + ",", "'shape': (" + (count + 6) + ",)");
        assertThat((merged.length - (count + 6) * 6) % 64).isZero();
        assertDone("verify", path("c.npy"), "--by", "when, shape");
    }

    private void writeStructured(String name, int version, String descr, int count) throws IOException {
        byte[] header = NpyFile.header(version, NpyFile.dictionary(descr, count));
        ByteBuffer file = ByteBuffer.allocate(header.length + 6 * count).put(header);
        for (int i = 0; i < count; i++) {
            file.order(ByteOrder.LITTLE_ENDIAN).putInt(i);
            file.order(ByteOrder.BIG_ENDIAN).putShort((short) (i * 60_000L / count));
        }
        Files.write(Path.of(path(name)), file.array());
    }

    private String header(String file) throws IOException {
        return new String(read(file), StandardCharsets.ISO_8859_1);
    }

    @Test
    void theResultMayReplaceAnInput() throws IOException {
        List<String> files = sortedFiles(".bin", words("--type", "u32"));
        assertDone(merge(files, "-o", files.get(2), "--type", "u32"));
        assertThat(read("2.bin")).isEqualTo(read("all"));
        assertNoLitter(5);
    }

    @Test
    void mistakesAreToldAndNothingIsChanged() throws IOException {
        Files.write(Path.of(path("a")), new byte[] {1, 2, 3, 5, 4, 6});
        Files.write(Path.of(path("b")), new byte[] {0, 9});
        assertFails(
                1,
                "a is not in order: element 4, counted from 0, belongs before element 3; sort this file first",
                merge(List.of(path("b"), path("a")), "-o", path("c"), "--type", "u8"));
        assertFails(1, "b is not in order: element 1, counted", command(words("--descending"), mergeOfBytes()));
        assertFails(1, "multiple of 4, the size of a u32", merge(List.of(path("a")), "-o", path("c"), "--type", "u32"));
        assertFails(1, "is not there", merge(List.of(path("none")), "-o", path("c"), "--type", "u8"));
        assertFails(2, "say what it holds", merge(List.of(path("b")), "-o", path("c")));
        assertFails(2, "missing required option: '--output=OUT'", merge(List.of(path("b")), "--type", "u8"));
        assertFails(2, "IN", "merge", "-o", path("c"), "--type", "u8");
        assertFails(1, "too little to merge", command(words("--memory", "1"), mergeOfBytes()));
        assertNoLitter(2);
    }

    private String[] mergeOfBytes() {
        return merge(List.of(path("b")), "-o", path("c"), "--type", "u8");
    }
}
