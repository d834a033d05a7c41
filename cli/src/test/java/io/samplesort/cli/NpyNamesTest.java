package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// NumPy arrays are known by how they begin, and results by their names.
class NpyNamesTest extends CommandCase {
    private static final String[] ON_CPU = {"--device", "cpu"};

    private void write(String name, byte[] bytes) throws IOException {
        Files.write(Path.of(path(name)), bytes);
    }

    /// The same numbers as an array, and as a raw file.
    private void makeNumbers() throws IOException {
        assertDone("generate", path("k.npy"), "--type", "f64", "--count", "1000");
        assertDone("generate", path("k.raw"), "--type", "f64", "--count", "1000");
    }

    private byte[] sortedArray() throws IOException {
        assertDone(command(ON_CPU, "sort", path("k.npy"), "-o", path("sorted.npy")));
        return read("sorted.npy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Q.NPY", "q.Npy", "array", "array.dat"})
    void anArrayIsSortedBehindItsHeaderWhateverItsName(String name) throws IOException {
        makeNumbers();
        byte[] expected = sortedArray();
        byte[] array = read("k.npy");
        write(name, array);
        assertDone(command(ON_CPU, "sort", path(name), "--type", "f64"));
        assertThat(read(name)).isEqualTo(expected);
        assertDone("verify", path(name), "--against", path("k.npy"));
        write(name, array);
        assertDone(command(ON_CPU, "argsort", path(name), "-o", path("p")));
        assertThat(read("p")).hasSize(8000);
    }

    @Test
    void arraysOfPayloadsAreKnownByTheirBeginningToo() throws IOException {
        makeNumbers();
        assertDone("generate", path("p.npy"), "--type", "i32", "--count", "1000", "--distribution", "sorted");
        write("payloads", read("p.npy"));
        String[] keys = {"--type", "f64", "--device", "cpu"};
        assertDone(command(
                keys,
                "sort",
                path("k.raw"),
                "-o",
                path("k2.raw"),
                "--payload-file",
                path("payloads"),
                "--payload-output",
                path("P.NPY")));
        assertThat(Arrays.copyOf(read("P.NPY"), 128)).isEqualTo(Arrays.copyOf(read("p.npy"), 128));
        assertDone(
                "verify",
                path("k2.raw"),
                "--type",
                "f64",
                "--against",
                path("k.raw"),
                "--payload-file",
                path("P.NPY"),
                "--payload-against",
                path("payloads"));
    }

    @Test
    void theNameOfAResultSaysWhatItIs() throws IOException {
        makeNumbers();
        byte[] array = read("k.npy");
        String[] ofKeys = {"--type", "f64", "--device", "cpu"};
        assertFails(
                2,
                "k.raw is a raw file, and so is the result, but " + path("s.NPY") + " is named .npy",
                command(ofKeys, "sort", path("k.raw"), "-o", path("s.NPY")));
        assertFails(
                2,
                "k.npy is a NumPy array, and so is the result, but the name " + path("s.bin") + " says something else",
                command(ofKeys, "sort", path("k.npy"), "-o", path("s.bin")));
        String[] payloads = {"--payload", "f64", "--payload-output"};
        assertFails(
                2,
                "k.npy is a NumPy array, and so is the result",
                append(
                        command(payloads, "sort", path("k.raw"), "-o", path("s"), "--payload-file", path("k.npy")),
                        path("p.bin"),
                        "--type",
                        "f64"));
        assertFails(
                2,
                "k.raw is a raw file, and so is the result",
                append(
                        command(payloads, "sort", path("k.npy"), "-o", path("s"), "--payload-file", path("k.raw")),
                        path("p.npy")));
        assertNoLitter(2);
        // A name without a suffix says nothing.
        assertDone(command(ofKeys, "sort", path("k.npy"), "-o", path("s")));
        assertThat(read("s")).isEqualTo(sortedArray()).hasSameSizeAs(array);
    }

    @Test
    void resultsAreArraysIfTheirNameSaysSoInAnyCase() throws IOException {
        makeNumbers();
        assertDone(command(ON_CPU, "argsort", path("k.raw"), "--type", "f64", "-o", path("p.NPY")));
        assertThat(read("p.NPY")).hasSize(8128).startsWith(0x93, 'N', 'U', 'M', 'P', 'Y');
        assertDone("generate", path("g.Npy"), "--type", "f64", "--count", "1000");
        assertThat(read("g.Npy")).isEqualTo(read("k.npy"));
        assertFails(2, "give OUT a name without .npy", "generate", path("r.NPY"), "--layout", "a:u8", "--count", "1");
    }

    @Test
    void aRawFileMayBeginLikeAnArray() throws IOException {
        byte[] bytes = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 9, 9, 3, 1, 2, 0};
        write("bytes", bytes);
        assertFails(
                1,
                "bytes begins like a NumPy array, but it has version 9 of the .npy format, and versions 1 to 3 can be read;"
                        + " if the file is raw, say so with --raw",
                "sort",
                path("bytes"),
                "--type",
                "u8");
        assertThat(read("bytes")).isEqualTo(bytes);
        assertFails(1, "if the file is raw, say so with --raw", "sort", path("bytes"), "--layout", "a:u8", "--by", "a");
        assertDone("sort", path("bytes"), "--type", "u8", "--raw", "--device", "cpu");
        assertThat(read("bytes")).containsExactly(0, 1, 2, 3, 9, 9, 'M', 'N', 'P', 'U', 'Y', 0x93);
        assertDone("verify", path("bytes"), "--type", "u8", "--raw");
        write("short", Arrays.copyOf(bytes, 6));
        assertFails(
                1,
                "ends within its header; if the file is raw, say so with --raw",
                "sort",
                path("short"),
                "--type",
                "u8");
    }

    @Test
    void aRawFileIsNotNamedNpy() throws IOException {
        for (byte[] bytes : new byte[][] {{}, {1, 2, 3}, new byte[64]}) {
            write("raw.NPY", bytes);
            assertFails(
                    1,
                    "raw.NPY is named .npy, but does not begin like a NumPy array: give it another name",
                    "sort",
                    path("raw.NPY"),
                    "--type",
                    "u8");
        }
        makeNumbers();
        assertFails(
                1,
                "k.npy is named .npy, but --raw says that it is raw",
                "sort",
                path("k.npy"),
                "--raw",
                "--type",
                "u8");
    }
}
