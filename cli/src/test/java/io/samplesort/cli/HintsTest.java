package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What users of other programs mean, and files that are not what they seem.
class HintsTest extends CommandCase {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sort x --type float64 | f64; float64 is called f64 here",
                "sort x --type Double | f64; Double is called f64 here",
                "sort x --type long | f64; long is called i64 here",
                "sort x --type uint32 | f64; uint32 is called u32 here",
                "sort x --layout a:int64 | bytes[n]; int64 is called i64 here",
                "sort x -r | unknown option '-r': did you mean --descending?",
                "argsort x -o y --reverse | unknown option '--reverse': did you mean --descending?",
                "sort x -n | unknown option '-n': samplesort lines, which sorts lines of text, may have it",
                "sort x -k2,2 | unknown option '-k2,2': samplesort lines, which sorts lines of text, may have it",
                "generate x --type u8 --count 1.5e6 | write it as in 1000000, 1e6, 16M or 2^24",
                "sort '' --type u8 | the name is empty: name a file",
                "lines '' | an argument is empty: name a file in its place",
            })
    void areGiven(String line, String message) {
        String[] words = line.split(" ");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].replace("''", "");
        }
        assertFails(2, message, words);
    }

    @Test
    void countsMayHaveAPowerOfTen() throws IOException {
        assertDone("generate", path("keys"), "--type", "u8", "--count", "2e3");
        assertThat(read("keys")).hasSize(2000);
    }

    @Test
    void filesThatAreNotWhatTheySeemAreNamed() throws IOException {
        Files.writeString(Path.of(path("words.txt")), "b\na\n");
        assertFails(2, "words.txt looks like text, which samplesort lines sorts", "sort", path("words.txt"));
        Files.write(Path.of(path("raw")), new byte[] {2, 0, 1, 0});
        assertFails(2, "raw is a raw file: say what it holds", "sort", path("raw"));
        Files.write(Path.of(path("a.npz")), new byte[] {2, 1});
        assertFails(1, "a.npz is named .npz, as archives", "sort", path("a.npz"), "--type", "u8");
        assertDone("sort", path("a.npz"), "--type", "u8", "--raw", "-o", path("out"));
        assertThat(read("out")).containsExactly(1, 2);
        Path self = Path.of(path("self"));
        Files.createSymbolicLink(self, self);
        String circle = "cannot read " + self + ": it is a link that leads back to itself";
        assertFails(1, circle, "sort", path("self"), "--type", "u8");
        assertFails(2, circle, "lines", path("self"), "-o", path("out"));
    }

    /// They are sorted as bytes all the same.
    @Test
    void compressedInputsAreTold() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(path("f.gz"))))) {
            out.write('a');
        }
        assertCompressed("gzip", "zcat", "f.gz");
        Files.write(Path.of(path("f.zst")), new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 1});
        assertCompressed("zstd", "zstdcat", "f.zst");
        Files.write(Path.of(path("f.bz2")), new byte[] {'B', 'Z', 'h', '9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0});
        assertCompressed("bzip2", "bzcat", "f.bz2");
        Files.write(Path.of(path("f.xz")), new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0, 0});
        assertCompressed("xz", "xzcat", "f.xz");
        Files.writeString(Path.of(path("text")), "BZhow\n");
        assertDone("lines", path("text"), "-o", path("out"));
        assertThat(err()).isEmpty();
    }

    private void assertCompressed(String format, String program, String name) throws IOException {
        String in = path(name);
        String remark = "samplesort: " + in + " is compressed (" + format
                + "), and its bytes are sorted as they are; to sort what is in it: " + program + " " + in + " | ";
        assertDone("lines", in, "-o", path("out"));
        assertThat(err()).isEqualTo(remark + "samplesort lines\n");
        assertThat(read("out")).hasSizeGreaterThanOrEqualTo(read(name).length);
        assertDone("lines", in, "-o", path("out"), "--quiet");
        assertThat(err()).isEmpty();
        assertDone("sort", in, "-o", path("out"), "--type", "u8", "--device", "cpu");
        assertThat(err()).isEqualTo(remark + "samplesort sort -\n");
    }
}
